# frozen_string_literal: true

require "stringio"

# Sources and targets that are no IO. Each offers only what it is named after, and remembers its calls.
module FakeIO
  # Hands out one chunk a call, by `readpartial`. An Exception among the chunks is raised; when there
  # is nothing left, EOFError, as an IO does.
  class Chunks
    attr_reader :chunks, :sizes

    def initialize(*chunks)
      @chunks = chunks
      @sizes = []
    end

    def <<(chunk)
      @chunks << chunk
      self
    end

    def readpartial(size, out = nil)
      @sizes << size
      chunk = @chunks.shift
      raise EOFError, "end of file reached" if chunk.nil?
      raise chunk if chunk.is_a?(Exception)

      if chunk.bytesize > size
        @chunks.unshift(chunk.byteslice(size..))
        chunk = chunk.byteslice(0, size)
      end
      out ? out.replace(chunk) : chunk.dup
    end
  end

  # The same by `read`, which says nil at the end.
  class Read
    def initialize(*chunks)
      @chunks = Chunks.new(*chunks)
    end

    def read(size, out = nil)
      @chunks.readpartial(size, out)
    rescue EOFError
      nil
    end
  end

  # Takes Strings by `write`.
  class Write
    attr_reader :writes

    def initialize
      @writes = []
    end

    def write(bytes)
      @writes << bytes
      bytes.bytesize
    end

    def string
      @writes.join
    end
  end

  # Takes Strings by `<<`.
  class Append
    attr_reader :appends

    def initialize
      @appends = []
    end

    def <<(bytes)
      @appends << bytes
      self
    end

    def string
      @appends.join
    end
  end
end
