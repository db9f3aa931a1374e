# frozen_string_literal: true

RSpec.describe MessagePack::Buffer, :gc_stress do
  subject(:buffer) { described_class.new }

  def raise_end_of_buffer
    raise_error(EOFError, "end of buffer reached")
  end

  # The ways bytes can lie in a buffer: each gives the same content.
  content = "0123456789" * 100
  layouts = {
    "one piece" => ->(buffer) { buffer << content },
    "small pieces" => ->(buffer) { content.scan(/.{1,7}/) { |piece| buffer << piece } },
    "references" => ->(buffer) { 2.times { |i| buffer << content.byteslice(i * 500, 500).freeze } },
    "both" => ->(buffer) { buffer << content[0, 3] << content[3, 600].freeze << content[603..] }
  }

  describe ".new" do
    [[], [nil], [{}]].each do |args|
      it "takes #{args.inspect[1..-2].inspect} as no io" do
        expect(described_class.new(*args).io).to be_nil
      end
    end

    it "takes an io" do
      io = StringIO.new
      expect(described_class.new(io).io).to equal(io)
    end

    it "takes a String for an io, not for content" do
      io = +"content"
      buffer = described_class.new(io)
      expect(buffer.io).to equal(io)
      expect(buffer.size).to eq(0)
    end

    it "takes an io and options" do
      io = FakeIO::Chunks.new("abc")
      described_class.new(io, io_buffer_size: 2000).read_all(1)
      expect(io.sizes).to eq([2000])
    end

    { 5 => "Integer", nil => "NilClass", "x" => "String" }.each do |second, name|
      it "refuses #{second.inspect} as options" do
        expect { described_class.new(StringIO.new, second) }
          .to raise_error(ArgumentError, "expected Hash but found #{name}.")
      end
    end

    it "refuses three arguments" do
      expect { described_class.new(nil, {}, 1) }
        .to raise_error(ArgumentError, "wrong number of arguments (3 for 0..2)")
    end

    %i[io_buffer_size read_reference_threshold write_reference_threshold].each do |option|
      it "refuses a String for #{option}" do
        expect { described_class.new(option => "x") }.to raise_error(TypeError, string_for_size_option)
      end

      [nil, 0, -1, 300, 2**20].each do |value|
        it "keeps its content with #{option}: #{value.inspect}" do
          buffer = described_class.new(option => value)
          buffer << ("x" * 1000) << ("y" * 1000)
          expect([buffer.read(1500), buffer.read]).to eq([("x" * 1000) + ("y" * 500), "y" * 500])
        end
      end
    end
  end

  describe ".allocate" do
    it "makes a buffer that works" do
      buffer = described_class.allocate
      buffer << "abc"
      expect(buffer.read(2)).to eq("ab")
    end
  end

  describe "#<<" do
    it "appends and returns the buffer" do
      expect(buffer << "a" << "bc").to equal(buffer)
      expect(buffer.to_s).to be_bytes("61 62 63")
    end

    it "takes bytes, whatever the encoding" do
      buffer << "é" << "é".encode("UTF-16LE")
      expect(buffer.to_s).to be_bytes("c3 a9 e9 00")
    end

    it "calls to_str" do
      object = Object.new
      def object.to_str = "abc"
      expect((buffer << object).to_s).to eq("abc")
    end

    it "copies another buffer and leaves that alone" do
      other = described_class.new << "abc"
      buffer << other
      expect([buffer.to_s, other.to_s]).to eq(%w[abc abc])
    end

    it "copies itself" do
      buffer << "abc"
      expect((buffer << buffer).to_s).to eq("abcabc")
    end

    { nil => "nil", 1 => "Integer", a: "Symbol" }.each do |value, name|
      it "refuses #{value.inspect}" do
        expect { buffer << value }.to raise_error(TypeError, "no implicit conversion of #{name} into String")
      end
    end

    [10, 1000, 1_000_000].each do |size|
      it "does not see later changes of #{size} bytes" do
        source = "x".b * size
        buffer << source
        source.setbyte(0, 0)
        source << "more"
        expect(buffer.to_s).to eq("x" * size)
      end

      it "does not see #{size} bytes cleared" do
        source = "x".b * size
        buffer << source
        source.clear
        GC.start
        expect(buffer.to_s).to eq("x" * size)
      end
    end
  end

  describe "#write" do
    it "appends and returns the number of bytes" do
      expect([buffer.write("é"), buffer.write("")]).to eq([2, 0])
      expect(buffer.to_s).to be_bytes("c3 a9")
    end

    it "refuses what is no String" do
      expect { buffer.write(nil) }.to raise_error(TypeError, "no implicit conversion of nil into String")
    end
  end

  describe "#size and #empty?" do
    it "count bytes" do
      expect([buffer.size, buffer.empty?]).to eq([0, true])
      buffer << "é" << ("x" * 1000)
      expect([buffer.size, buffer.empty?]).to eq([1002, false])
    end

    it "do not touch the io" do
      io = FakeIO::Chunks.new("abc")
      buffer = described_class.new(io)
      expect([buffer.size, buffer.empty?, io.sizes]).to eq([0, true, []])
    end
  end

  describe "#clear" do
    it "drops everything and returns nil" do
      buffer << "abc" << ("x" * 1000)
      expect(buffer.clear).to be_nil
      expect([buffer.size, buffer.to_s]).to eq([0, ""])
    end

    it "leaves a buffer that works" do
      buffer << ("x" * 10_000)
      buffer.clear
      buffer << "abc"
      expect(buffer.read).to eq("abc")
    end
  end

  describe "#to_s" do
    layouts.each do |name, fill|
      it "copies everything and consumes nothing: #{name}" do
        fill.call(buffer)
        expect([buffer.to_s, buffer.to_s, buffer.size]).to eq([content, content, 1000])
      end
    end

    it "is also called to_str" do
      expect((buffer << "abc").to_str).to eq("abc")
    end

    it "is binary and not frozen" do
      buffer << "é"
      expect([buffer.to_s.encoding, buffer.to_s.frozen?]).to eq([Encoding::BINARY, false])
    end

    it "gives Strings that do not reach the buffer" do
      buffer << ("x" * 1000)
      buffer.to_s.replace("y")
      expect(buffer.to_s).to eq("x" * 1000)
    end
  end

  describe "#to_a" do
    layouts.each do |name, fill|
      it "holds the pieces in order: #{name}" do
        fill.call(buffer)
        expect(buffer.to_a.join).to eq(content)
        expect(buffer.size).to eq(1000)
      end
    end

    it "is one empty String when there is nothing" do
      expect(buffer.to_a).to eq([""])
    end
  end

  describe "#read" do
    before { buffer << "abc" }

    it "takes everything" do
      expect([buffer.read, buffer.size]).to eq(["abc", 0])
    end

    it "takes n bytes" do
      expect([buffer.read(2), buffer.read(2)]).to eq(%w[ab c])
    end

    it "takes fewer when there are fewer" do
      expect(buffer.read(10)).to eq("abc")
    end

    it "takes fewer when the io has fewer, whether that raises EOFError or says nil at its end" do
      [FakeIO::Chunks, FakeIO::Read].each do |klass|
        buffer = described_class.new(klass.new("ab", "c"))
        expect([buffer.read(10), buffer.read(10), buffer.size]).to eq(["abc", nil, 0])
      end
    end

    it "takes nothing for 0" do
      expect([buffer.read(0), buffer.size]).to eq(["", 3])
    end

    it "takes nil for everything" do
      expect(buffer.read(nil)).to eq("abc")
    end

    it "gives an empty String when everything is nothing" do
      buffer.clear
      expect([buffer.read, buffer.read(0)]).to eq(["", ""])
    end

    it "gives nil when there are no bytes" do
      buffer.clear
      expect(buffer.read(2)).to be_nil
    end

    it "gives binary Strings, not frozen" do
      results = [buffer.read(0), buffer.read(1), buffer.read]
      expect(results.map(&:encoding)).to all(eq(Encoding::BINARY))
      expect(results.map(&:frozen?)).to all(be(false))
    end

    layouts.each do |name, fill|
      it "takes pieces of any size: #{name}" do
        [1, 3, 64, 255, 256, 257, 999, 1000].each do |size|
          buffer = described_class.new
          fill.call(buffer)
          taken = +""
          while (piece = buffer.read(size))
            taken << piece
          end
          expect(taken).to eq(content)
        end
      end
    end

    it "gives long Strings that do not reach the buffer or the source" do
      source = "x".b * 10_000
      buffer.clear
      buffer << source
      buffer.read(5000).replace("y")
      expect([source, buffer.read]).to eq(["x" * 10_000, "x" * 5000])
    end
  end

  describe "#read with a String to read into" do
    before { buffer << "abc" }

    let(:out) { +"before" }

    it "replaces it and returns it" do
      expect(buffer.read(2, out)).to equal(out)
      expect(out).to eq("ab")
    end

    it "empties it when there are no bytes, and returns nil" do
      buffer.clear
      expect(buffer.read(2, out)).to be_nil
      expect(out).to eq("")
    end

    it "empties it for 0" do
      expect(buffer.read(0, out)).to equal(out)
      expect(out).to eq("")
    end

    it "puts everything into it for nil" do
      expect(buffer.read(nil, out)).to equal(out)
      expect(out).to eq("abc")
    end

    it "takes nil for none" do
      expect(buffer.read(2, nil)).to eq("ab")
    end

    it "reads into what to_str gives" do
      object = Object.new
      object.define_singleton_method(:to_str) { @str ||= +"before" }
      buffer.read(2, object)
      expect(object.to_str).to eq("ab")
    end

    it "refuses what is no String" do
      expect { buffer.read(2, 5) }.to raise_error(TypeError, "instance of String needed")
    end

    it "refuses a frozen one" do
      expect { buffer.read(2, "frozen") }.to raise_error(FrozenError)
    end

    it "takes long content" do
      buffer.clear
      buffer << ("x" * 10_000)
      buffer.read(10_000, out)
      expect(out).to eq("x" * 10_000)
    end

    it "is independent of the buffer afterwards" do
      buffer.clear
      buffer << ("x" * 10_000)
      buffer.read(5000, out)
      out.setbyte(0, 0)
      expect(buffer.read).to eq("x" * 5000)
    end
  end

  describe "#read_all" do
    before { buffer << "abc" }

    it "takes everything without a size" do
      expect([buffer.read_all, buffer.read_all]).to eq(["abc", ""])
    end

    it "takes exactly n bytes" do
      expect([buffer.read_all(2), buffer.size]).to eq(["ab", 1])
    end

    it "takes nothing for 0" do
      expect([buffer.read_all(0), buffer.size]).to eq(["", 3])
    end

    it "takes nothing when there are fewer" do
      expect { buffer.read_all(4) }.to raise_end_of_buffer
      expect(buffer.read).to eq("abc")
    end

    it "leaves the String to read into alone when there are fewer" do
      out = +"before"
      expect { buffer.read_all(4, out) }.to raise_end_of_buffer
      expect(out).to eq("before")
    end

    it "raises EOFError when there is nothing" do
      buffer.clear
      expect { buffer.read_all(2) }.to raise_end_of_buffer
    end

    it "replaces a String and returns it" do
      out = +"before"
      expect(buffer.read_all(2, out)).to equal(out)
      expect(out).to eq("ab")
    end

    it "empties the String for 0" do
      out = +"before"
      expect(buffer.read_all(0, out)).to equal(out)
      expect(out).to eq("")
    end

    layouts.each do |name, fill|
      it "takes pieces of any size: #{name}" do
        [1, 10, 250, 500].each do |size|
          buffer = described_class.new
          fill.call(buffer)
          expect(Array.new(1000 / size) { buffer.read_all(size) }.join).to eq(content)
        end
      end
    end
  end

  describe "#skip" do
    before { buffer << "abc" }

    it "drops up to n bytes and counts them" do
      expect([buffer.skip(2), buffer.skip(2), buffer.skip(2)]).to eq([2, 1, 0])
    end

    it "drops nothing for 0" do
      expect([buffer.skip(0), buffer.size]).to eq([0, 3])
    end

    layouts.each do |name, fill|
      it "drops the bytes in front: #{name}" do
        buffer.clear
        fill.call(buffer)
        expect([buffer.skip(601), buffer.read]).to eq([601, content[601..]])
      end
    end
  end

  describe "#skip_all" do
    before { buffer << "abc" }

    it "drops exactly n bytes and returns the buffer" do
      expect(buffer.skip_all(2)).to equal(buffer)
      expect(buffer.read).to eq("c")
    end

    it "returns the buffer for 0" do
      expect(buffer.skip_all(0)).to equal(buffer)
      expect(buffer.size).to eq(3)
    end

    it "drops nothing when there are fewer" do
      expect { buffer.skip_all(4) }.to raise_end_of_buffer
      expect(buffer.read).to eq("abc")
    end
  end

  describe "sizes" do
    before { buffer << "abc" }

    %i[read read_all skip skip_all].each do |name|
      it "of ##{name} may be Floats" do
        buffer.public_send(name, 1.9)
        expect(buffer.to_s).to eq("bc")
      end

      it "of ##{name} may have to_int" do
        object = Object.new
        def object.to_int = 1
        buffer.public_send(name, object)
        expect(buffer.to_s).to eq("bc")
      end

      ["1", :a].each do |size|
        it "of ##{name} may not be #{size.inspect}" do
          expect { buffer.public_send(name, size) }
            .to raise_error(TypeError, "no implicit conversion of #{size.class} into Integer")
        end
      end

      it "of ##{name} may not be negative" do
        expect { buffer.public_send(name, -1) }.to raise_error(ArgumentError, "negative length -1 given")
      end

      it "of ##{name} may not be beyond 64 bits" do
        expect { buffer.public_send(name, 2**64) }.to raise_error(RangeError)
      end

      it "that ##{name} refuses consume nothing" do
        ["1", -1, 2**64].each { |size| expect { buffer.public_send(name, size) }.to raise_error(StandardError) }
        expect(buffer.to_s).to eq("abc")
      end
    end

    %i[skip skip_all].each do |name|
      it "of ##{name} may not be nil" do
        expect { buffer.public_send(name, nil) }.to raise_error(TypeError)
      end

      it "of ##{name} have to be given" do
        expect { buffer.public_send(name) }.to raise_error(ArgumentError)
      end
    end

    %i[read read_all].each do |name|
      it "and a String are all that ##{name} takes" do
        expect { buffer.public_send(name, 1, +"", 1) }
          .to raise_error(ArgumentError, "wrong number of arguments (3 for 0..2)")
      end
    end
  end

  describe "an io to read from" do
    def with(*chunks)
      described_class.new(FakeIO::Chunks.new(*chunks))
    end

    it "is read to its end by #read" do
      expect((with("cd", "ef") << "ab").read).to eq("abcdef")
    end

    it "is read to its end by #read_all" do
      expect((with("cd", "ef") << "ab").read_all).to eq("abcdef")
    end

    it "is read by #read(n) for what is missing, no more" do
      io = FakeIO::Chunks.new("cdef")
      buffer = described_class.new(io) << "ab"
      expect([buffer.read(4), buffer.size, io.sizes.first, io.chunks]).to eq(["abcd", 0, 2, ["ef"]])
    end

    it "is read by #skip for what is missing, no more" do
      io = FakeIO::Chunks.new("cdef")
      buffer = described_class.new(io) << "ab"
      expect([buffer.skip(4), buffer.size, io.chunks]).to eq([4, 0, ["ef"]])
    end

    it "that ends early gives #read(n) what there is" do
      expect((with("cd") << "ab").read(10)).to eq("abcd")
    end

    it "that ends early gives #skip what there is" do
      expect((with("cd") << "ab").skip(10)).to eq(4)
    end

    it "is read by #read_all(n) in whole chunks, and the surplus kept" do
      io = FakeIO::Chunks.new("cdef")
      buffer = described_class.new(io) << "ab"
      expect([buffer.read_all(3), buffer.size, io.sizes]).to eq(["abc", 3, [32_768]])
    end

    it "is read by #skip_all in whole chunks, and the surplus kept" do
      buffer = with("cdef") << "ab"
      buffer.skip_all(3)
      expect(buffer.size).to eq(3)
    end

    it "that ends early makes #read_all(n) raise its EOFError, and the data stays" do
      buffer = with("cd") << "ab"
      expect { buffer.read_all(5) }.to raise_error(EOFError, "end of file reached")
      expect([buffer.size, buffer.to_s]).to eq([4, "abcd"])
    end

    it "that ends early with nil makes #skip_all raise EOFError, and the data stays" do
      buffer = described_class.new(FakeIO::Read.new("cd")) << "ab"
      expect { buffer.skip_all(5) }.to raise_error(EOFError, "IO reached end of file")
      expect(buffer.to_s).to eq("abcd")
    end

    it "that is dry gives what an empty buffer gives" do
      expect([with.read, with.read(1), with.skip(1), with.read_all]).to eq(["", nil, 0, ""])
    end

    it "that is dry makes #read_all(1) and #skip_all(1) raise" do
      expect { with.read_all(1) }.to raise_error(EOFError)
      expect { with.skip_all(1) }.to raise_error(EOFError)
    end

    it "passes other errors on" do
      expect { with(IOError.new("mine")).read(1) }.to raise_error(IOError, "mine")
    end

    it "may give long chunks" do
      buffer = described_class.new(StringIO.new("x" * 100_000))
      expect([buffer.read_all(99_999).size, buffer.read]).to eq([99_999, "x"])
    end

    it "may ignore the String it is handed" do
      chunks = %w[ab cd ef]
      io = Object.new
      io.define_singleton_method(:readpartial) { |_size, _out = nil| chunks.shift || raise(EOFError) }
      expect(described_class.new(io).read).to eq("abcdef")
    end
  end

  describe "#flush" do
    it "sends everything to the io and returns the buffer" do
      io = FakeIO::Write.new
      buffer = described_class.new(io) << "abc" << ("x" * 1000).freeze
      expect(buffer.flush).to equal(buffer)
      expect([io.string, buffer.size]).to eq(["abc#{'x' * 1000}", 0])
    end

    it "keeps everything without an io" do
      expect((buffer << "abc").flush.to_s).to eq("abc")
    end

    it "appends with << when the io has no write" do
      io = FakeIO::Append.new
      (described_class.new(io) << "abc").flush
      expect(io.string).to eq("abc")
    end

    it "keeps what an io that raises did not take" do
      io = Object.new
      def io.write(_bytes) = raise(IOError, "full")
      buffer = described_class.new(io) << "abc"
      expect { buffer.flush }.to raise_error(IOError, "full")
      expect(buffer.to_s).to eq("abc")
    end
  end

  describe "#close" do
    it "closes the io and returns what that returned" do
      io = Object.new
      def io.close = :closed
      expect(described_class.new(io).close).to eq(:closed)
    end

    it "does not flush" do
      io = FakeIO::Write.new
      def io.close = nil
      buffer = described_class.new(io) << "abc"
      buffer.close
      expect([io.writes, buffer.to_s]).to eq([[], "abc"])
    end

    it "does nothing without an io" do
      expect(buffer.close).to be_nil
    end
  end

  describe "#write_to" do
    layouts.each do |name, fill|
      it "hands everything over and counts it: #{name}" do
        io = FakeIO::Write.new
        fill.call(buffer)
        expect([buffer.write_to(io), io.string, buffer.size]).to eq([1000, content, 0])
      end
    end

    it "does not call the io when there is nothing" do
      io = FakeIO::Write.new
      expect([buffer.write_to(io), io.writes]).to eq([0, []])
    end

    it "does not use <<" do
      buffer << "abc"
      expect { buffer.write_to(FakeIO::Append.new) }
        .to raise_error(NoMethodError) { |error| expect(error.name).to eq(:write) }
    end

    it "keeps what an io that raises did not take" do
      io = Object.new
      def io.write(_bytes) = raise(IOError, "full")
      buffer << "abc"
      expect { buffer.write_to(io) }.to raise_error(IOError, "full")
      expect(buffer.to_s).to eq("abc")
    end
  end

  describe "a view of a packer or unpacker" do
    it "injects bytes into the packer" do
      packer = MessagePack::Packer.new.write(1)
      packer.buffer << hex("05")
      expect(packer.write(2).to_s).to be_bytes("01 05 02")
    end

    it "takes bytes from the unpacker" do
      unpacker = MessagePack::Unpacker.new.feed(hex("01 02"))
      unpacker.buffer.skip(1)
      expect(unpacker.read).to eq(2)
    end

    it "clears the owner's bytes" do
      packer = MessagePack::Packer.new.write(1)
      packer.buffer.clear
      expect(packer).to be_empty
    end

    it "keeps its owner alive" do
      views = Array.new(100) { |i| MessagePack::Packer.new.write("x" * 1000).write(i % 100).buffer }
      GC.start
      Array.new(1000) { "garbage" * 100 }
      expect(views.map { |view| view.to_s.getbyte(-1) }).to eq((0..99).to_a)
    end

    it "knows its owner" do
      packer = MessagePack::Packer.new
      expect(packer.buffer.instance_variable_get(:@owner)).to equal(packer)
    end

    it "has no owner when it stands alone" do
      expect([buffer.instance_variable_defined?(:@owner), buffer.instance_variable_get(:@owner)]).to eq([true, nil])
    end
  end

  describe "isolation" do
    it "of buffers that are filled, read and dropped side by side", gc_stress: false do
      random = Random.new(RSpec.configuration.seed)
      buffers = Array.new(5) { |i| [described_class.new, +"", (65 + i).chr] }
      2000.times do
        entry = buffers.sample(random: random)
        buffer, expected, letter = entry
        case random.rand(6)
        when 0, 1 then (letter * random.rand(1..20)).then { |text| buffer << text && expected << text }
        when 2 then (letter * random.rand(200..9000)).then { |text| buffer << text && expected << text }
        when 3 then random.rand(1..3000).then { |n| expect(buffer.read(n).to_s).to eq(expected.slice!(0, n)) }
        when 4 then random.rand(1..300).then { |n| buffer.skip(n) && expected.slice!(0, n) }
        else random.rand(10).zero? && (buffer.clear || expected.clear)
        end
        entry[0] = (described_class.new << buffer) if random.rand(50).zero?
      end
      expect(buffers.map { |buffer, _, _| buffer.to_s }).to eq(buffers.map { |_, expected, _| expected })
    end
  end

  describe "#dup and #clone" do
    %i[dup clone].each do |name|
      it "#{name} does not exist" do
        expect(buffer).not_to respond_to(name)
        expect { buffer.public_send(name) }.to raise_error(NoMethodError)
      end
    end
  end

  describe "what it shares with other objects" do
    it "works when it is frozen" do
      buffer.freeze
      buffer << "abc"
      expect(buffer.read(2)).to eq("ab")
    end

    it "can not be marshalled" do
      expect { Marshal.dump(buffer) }.to raise_error(TypeError)
    end

    it "shows its owner, not its content" do
      expect((buffer << "secret").inspect).to match(/\A#<MessagePack::Buffer:0x\h+ @owner=nil>\z/)
    end
  end
end
