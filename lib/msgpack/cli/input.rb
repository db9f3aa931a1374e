# frozen_string_literal: true

module MessagePack
  module CLI
    # A file or standard input, read in pieces. It counts what was read, for offsets and the progress bar, and can be
    # the io of an {Unpacker}.
    class Input
      # @param name [String] "-" for standard input
      # @param reports_at_end [Boolean] whether the command prints when all is read
      # @raise [BadInput] if it cannot be read
      def self.open(name, reports_at_end = false)
        io = reading { name == "-" ? $stdin.binmode : File.open(name, "rb") }
        yield new(name, io, reports_at_end)
      ensure
        Terminal.clear_progress
        io.close if io && name != "-"
      end

      # Turns the errors of the operating system into {BadInput}. End of file is none.
      def self.reading
        yield
      rescue EOFError
        raise
      rescue SystemCallError, IOError => error
        raise BadInput, "cannot be read: #{CLI.reason(error)}"
      end

      # @return [String] as given on the command line
      attr_reader :name
      # @return [Integer] bytes read so far
      attr_reader :bytes

      def initialize(name, io, reports_at_end)
        @name = name
        @io = io
        @reports_at_end = reports_at_end
        @bytes = 0
        @size = Input.reading { io.stat.file? ? io.stat.size : nil }
      end

      # @raise [EOFError] at the end
      # @raise [BadInput] if it cannot be read
      def readpartial(size, buffer = "".b)
        Input.reading { @io.readpartial(size, buffer) }
        @bytes += buffer.bytesize
        Terminal.progress(@bytes, @size, @reports_at_end)
        buffer
      end
    end
  end
end
