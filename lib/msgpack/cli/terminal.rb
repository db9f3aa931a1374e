# frozen_string_literal: true

module MessagePack
  module CLI
    # Colours and the progress bar: only for people, never in what another program reads.
    module Terminal
      COLORS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 }.freeze

      # Seconds before the bar first shows, and between two pictures of it.
      PATIENCE = 0.5
      INTERVAL = 0.1
      BAR = 30

      class << self
        # @param on [Boolean, nil] nil: on a terminal
        attr_writer :color

        def color?
          return @color unless @color.nil?

          $stdout.tty? && ENV.fetch("NO_COLOR", "").empty? && ENV["TERM"] != "dumb"
        end

        def paint(text, color)
          color? ? "\e[#{COLORS.fetch(color)}m#{text}\e[0m" : text
        end

        # A bar of `width` characters, filled for `part` of `whole`.
        def bar(part, whole, width)
          filled = whole.zero? ? 0 : (part * width).fdiv(whole).round
          filled = 1 if filled.zero? && part.positive?
          ("#" * filled).ljust(width)
        end

        # Shows how far the reading is. `at_end`: the output comes when all is read, so the bar does not spoil it
        # on the same terminal.
        def progress(done, total, at_end)
          return unless $stderr.tty? && (at_end || !$stdout.tty?)

          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          @started ||= now
          return if now - @started < PATIENCE || now - (@shown || 0) < INTERVAL

          @shown = now
          $stderr.print("\r", picture(done, total), "\e[K")
        end

        def clear_progress
          $stderr.print("\r\e[K") if @shown
          @shown = @started = nil
        end

        # `12.3 MB`
        def bytes(number)
          return "#{number} B" if number < 1000

          unit = %w[kB MB GB TB].find { |_| (number /= 1000.0) < 1000 } || "PB"
          format("%.1f %s", number, unit)
        end

        private

        def picture(done, total)
          return "read #{bytes(done)}" unless total

          format("[%s] %3d %%  %s of %s", bar(done, total, BAR), done * 100 / total, bytes(done), bytes(total))
        end
      end
    end
  end
end
