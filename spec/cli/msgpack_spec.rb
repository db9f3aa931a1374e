# frozen_string_literal: true

require_relative "tool"

RSpec.describe "exe/msgpack" do
  include Tool

  def lines(bytes)
    bytes.dup.force_encoding(Encoding::UTF_8).lines(chomp: true)
  end

  describe "usage" do
    it "tells the version" do
      expect(msgpack("--version").to_a).to eq(["msgpack #{MessagePack::VERSION}\n", "", 0])
    end

    it "lists the commands" do
      result = msgpack("--help")
      expect(result.output.scan(/^    ([a-z-]+)  /).flatten).to eq(%w[inspect json from-json stat])
      expect(result.status).to eq(0)
    end

    %w[inspect json from-json stat].each do |command|
      it "explains #{command}" do
        result = msgpack(command, "--help")
        expect(result.output).to start_with("Usage: msgpack #{command} [options] [FILE...]\n").and include("--help")
        expect(result.status).to eq(0)
      end
    end

    {
      [] => "no command given", ["pack"] => "unknown command: pack", ["json", "--foo"] => "invalid option: --foo",
      ["stat", "--top", "x"] => "invalid argument: --top x", ["stat", "--top", "-1"] => "--top: -1 is negative"
    }.each do |arguments, message|
      it "refuses #{arguments.inspect} with exit status 2" do
        result = msgpack(*arguments)
        expect(result.to_a).to eq(["", "msgpack: #{message}\nTry `msgpack --help`.\n", 2])
      end
    end

    it "names a file that can not be read, and goes on with the next" do
      Tempfile.create do |file|
        file.binmode.write(hex("01"))
        file.flush
        result = msgpack("json", "/no/such/file", file.path)
        expect(result.to_a).to eq(["1\n", "msgpack: /no/such/file: cannot be read: No such file or directory\n", 1])
      end
    end

    it "says when the output can not be written" do
      skip "no /dev/full" unless File.exist?("/dev/full")
      _, errors, status = Open3.capture3(Child::PLAIN, "sh", "-c", 'exec "$@" > /dev/full', "sh", *Tool.command, "json", stdin_data: hex("01"))
      expect([errors, status.exitstatus]).to eq(["msgpack: cannot write the output: No space left on device\n", 1])
    end

    it "is quiet when nobody reads the output any more" do
      reader, writer = IO.pipe
      errors = Tempfile.create
      input = Tempfile.create
      input.binmode.write(hex("a3 61 62 63") * 200_000)
      input.close
      pid = spawn(Child::PLAIN, *Tool.command, "json", input.path, out: writer, err: errors.path)
      writer.close
      expect(reader.gets).to eq("\"abc\"\n")
      reader.close
      Process.wait(pid)
      expect([$?.exitstatus, File.read(errors.path)]).to eq([0, ""])
    ensure
      [errors, input].each { |file| File.unlink(file.path) }
    end
  end

  describe "inspect" do
    it "shows offset, bytes and value of each token" do
      result = msgpack("inspect", input: hex("82 a1 61 92 01 c0 cd 0100 c4 01 ff c3"))
      expect(lines(result.output)).to eq([
        "       0  82                       map of 2 pairs (fixmap)",
        "       1  a1 61                      key str \"a\", 1 byte (fixstr)",
        "       3  92                         => array of 2 elements (fixarray)",
        "       4  01                           [0] int 1 (positive fixint)",
        "       5  c0                           [1] nil",
        "       6  cd 01 00                   key int 256 (uint 16)",
        "       9  c4 01 ff                   => bin 1 byte (bin 8)",
        "-- object 1: bytes 0...12, 7 values, 2 levels",
        "      12  c3                       true",
        "-- object 2: bytes 12...13, 1 value, 0 levels"
      ])
      expect(result.status).to eq(0)
    end

    it "shows timestamps and other ext types" do
      output = lines(msgpack("inspect", input: hex("d6 ff 00000001 d4 05 61")).output)
      expect(output.grep(/ext/)).to eq([
        "       0  d6 ff 00 00 00 01        ext type -1 timestamp 1970-01-01T00:00:01Z, 4 bytes (fixext 4)",
        "       6  d4 05 61                 ext type 5, 1 byte (fixext 1)"
      ])
    end

    it "cuts long strings, unless --full asks for all bytes" do
      input = hex("d9 20") + ("ab" * 16)
      expect(lines(msgpack("inspect", input: input).output).first).to start_with("       0  d9 20 61 62 61 62 61 …   str")
      expect(lines(msgpack("inspect", "--full", input: input).output)[1..4].map { |line| line.split.first.to_i }).to eq([8, 16, 24, 32])
    end

    it "names every format as the specification does" do
      ranges = { 0x00..0x7f => "positive fixint", 0x80..0x8f => "fixmap", 0x90..0x9f => "fixarray", 0xa0..0xbf => "fixstr",
                 0xe0..0xff => "negative fixint" }
      rest = ["bin 8", "bin 16", "bin 32", "ext 8", "ext 16", "ext 32", "float 32", "float 64", "uint 8", "uint 16", "uint 32", "uint 64",
              "int 8", "int 16", "int 32", "int 64", "fixext 1", "fixext 2", "fixext 4", "fixext 8", "fixext 16",
              "str 8", "str 16", "str 32", "array 16", "array 32", "map 16", "map 32"]
      expected = ranges.flat_map { |bytes, name| bytes.map { |byte| [byte, name] } }.to_h.merge((0xc4..0xdf).zip(rest).to_h)
      # One object for each first byte. Behind it zeros: lengths, values, types and bodies, or elements of containers.
      heads = expected.keys
      output = msgpack("inspect", input: heads.map { |byte| [byte].pack("C") + ("\0" * 40) }.join).output
      names = output.scan(/^ *(\d+)  (\h\h) .*\(([a-z]+ ?[a-z0-9]*)\)$/).select { |offset, _, _| (offset.to_i % 41).zero? }
      expect(names.to_h { |_, byte, name| [byte.hex, name] }).to eq(expected)
    end

    {
      "92 01 c1" => ["       2  c1                         ^ broken here",
                     "byte 2: c1 begins no value, at [1] of the array that begins at byte 0"],
      "81 a1 61 a5 62" => ["       5  --                         ^ broken here",
                           "byte 5: the data ends here: the fixstr that begins at byte 3 announces 5 bytes, the data has 1, " \
                           "at [\"a\"] of the map that begins at byte 0"],
      "92 cd 01" => ["       3  --                         ^ broken here",
                     "byte 3: the data ends here: the uint 16 that begins at byte 1 is cut off in its head, at [0] of the array " \
                     "that begins at byte 0"],
      "81 01" => ["       2  --                         ^ broken here",
                  "byte 2: the data ends here: the value of a key is missing, at [1] of the map that begins at byte 0"],
      "92 01" => ["       2  --                         ^ broken here",
                  "byte 2: the data ends here: an element is missing, at [1] of the array that begins at byte 0"]
    }.each do |bytes, (pointer, message)|
      it "points at the broken byte of #{bytes}" do
        result = msgpack("inspect", input: hex(bytes))
        expect(lines(result.output).last).to eq(pointer)
        expect([result.errors, result.status]).to eq(["msgpack: standard input: #{message}\n", 1])
      end
    end

    it "numbers the levels of deep nesting, so that output grows with the input" do
      output, small = [20_000, 10_000].map { |levels| msgpack("inspect", input: (hex("91") * levels) + hex("01")).output }
      expect(lines(output).values_at(40, 41, 20_000)).to eq([
        "      40  91                       #{"  " * 40}[0] array of 1 element (fixarray)",
        "      41  91                       #{"  " * 40}(level 41) [0] array of 1 element (fixarray)",
        "   20000  01                       #{"  " * 40}(level 20000) [0] int 1 (positive fixint)"
      ])
      expect(output.bytesize).to be < 2.1 * small.bytesize
    end

    it "tells the way to a broken byte in deep nesting by its beginning and end" do
      result = msgpack("inspect", input: (hex("91") * 20_000) + hex("c1"))
      expect(lines(result.output).last).to eq("   20000  c1                       #{"  " * 40}(level 20000) ^ broken here")
      expect(result.errors).to eq("msgpack: standard input: byte 20000: c1 begins no value, at #{"[0]" * 10}…19980 more…#{"[0]" * 10} " \
                                  "of the array that begins at byte 0\n")
    end

    it "colours what it shows on a terminal only, and not with NO_COLOR" do
      skip "no pseudo-terminals" unless terminals?
      Tempfile.create do |file|
        file.binmode.write(hex("01"))
        file.flush
        shown = [on_terminal("inspect", file.path), on_terminal("inspect", file.path, env: { "NO_COLOR" => "1" }),
                 on_terminal("inspect", "--color", file.path, env: { "NO_COLOR" => "1" }), msgpack("inspect", file.path).output]
        expect(shown.map { |text| text.include?("\e[36mint") }).to eq([true, false, true, false])
      end
    end
  end

  describe "json" do
    def json(bytes, *options)
      msgpack("json", *options, input: hex(bytes)).output.force_encoding(Encoding::UTF_8)
    end

    it "writes one object a line" do
      expect(json("01 92 01 c0 81 a1 61 cb 3ff8000000000000 a2 c3 a9 90")).to eq("1\n[1,null]\n{\"a\":1.5}\n\"é\"\n[]\n")
    end

    it "writes what JSON has no form for as marks" do
      expect(json("c4 01 ff")).to eq("{\"$bin\":\"/w==\"}\n")
      expect(json("a1 ff")).to eq("{\"$str\":\"/w==\"}\n")
      expect(json("d4 05 61")).to eq("{\"$ext\":[5,\"YQ==\"]}\n")
      expect(json("d7 ff 77359400 00000001")).to eq("{\"$timestamp\":\"1970-01-01T00:00:01.5Z\"}\n")
      expect(json("cb 7ff0000000000000")).to eq("{\"$float\":\"Infinity\"}\n")
      expect(json("81 01 02")).to eq("{\"$map\":[[1,2]]}\n")
    end

    it "keeps a map that looks like a mark apart from one" do
      expect(json("81 a4 24 62 69 6e a0")).to eq("{\"$map\":[[\"$bin\",\"\"]]}\n")
    end

    it "keeps a time that ISO 8601 can not write as an ext value" do
      expect(json("c7 0c ff 00000000 7fffffffffffffff")).to eq("{\"$ext\":[-1,\"AAAAAH//////////\"]}\n")
    end

    it "marks all bin with --exact" do
      expect(json("c4 01 61")).to eq("\"a\"\n")
      expect(json("c4 01 61", "--exact")).to eq("{\"$bin\":\"YQ==\"}\n")
    end

    it "indents with --pretty" do
      expect(json("92 01 81 a1 61 02", "--pretty")).to eq("[\n  1,\n  {\n    \"a\": 2\n  }\n]\n")
    end

    {
      "01 92 01 c1" => "byte 3: invalid byte, in the object that begins at byte 1",
      "01 81 a1" => "byte 3: the data ends here, inside the object that begins at byte 1",
      "91" * 130 => "byte 129: stack level too deep, in the object that begins at byte 0"
    }.each do |bytes, message|
      it "tells the byte where #{bytes[0, 20]} is broken" do
        result = msgpack("json", input: hex(bytes))
        expect([result.errors, result.status]).to eq(["msgpack: standard input: #{message}\n", 1])
        expect(result.output).to end_with("\n")
      end
    end
  end

  describe "from-json" do
    def from_json(text)
      msgpack("from-json", input: text)
    end

    it "packs a stream of values, with anything or nothing between them" do
      expect(from_json("{\"a\":[1,2.5,null]}[] 3\n\n\"\\u00e9 ]\" true 4").output)
        .to be_bytes("81 a1 61 93 01 cb 4004000000000000 c0 90 03 a4 c3 a9 20 5d c3 04")
    end

    it "packs marks as what they stand for" do
      expect(from_json('{"$bin":"/w=="}').output).to be_bytes("c4 01 ff")
      expect(from_json('{"$str":"/w=="}').output).to be_bytes("a1 ff")
      expect(from_json('{"$ext":[5,"YQ=="]}').output).to be_bytes("d4 05 61")
      expect(from_json('{"$timestamp":"1970-01-01T00:00:01.5Z"}').output).to be_bytes("d7 ff 77359400 00000001")
      expect(from_json('{"$float":"-Infinity"}').output).to be_bytes("cb fff0000000000000")
      expect(from_json('{"$map":[[1,{"$map":[["$bin",2]]}]]}').output).to be_bytes("81 01 81 a4 24 62 69 6e 02")
    end

    it "undoes json" do
      bytes = hex("93 a1 ff c4 01 61 82 01 d6 ff 00000001 81 c0 90 cb 7ff8000000000000 81 a4 24 73 74 72 cf ffffffffffffffff c7 00 05")
      text = msgpack("json", "--exact", input: bytes).output
      expect(Hex.dump(from_json(text).output)).to eq(Hex.dump(bytes))
    end

    it "takes strings that are cut anywhere between reads" do
      text = JSON.generate(("\\\"é" * 40_000) + "]")
      expect(MessagePack.unpack(from_json("#{text} 1").output[0...-1])).to eq(JSON.parse(text))
    end

    {
      '1 {"a":' => "byte 7: the data ends here, inside the value that begins at byte 2",
      ' "ab' => "byte 4: the data ends here, inside the string that begins at byte 1",
      "1 ]" => "byte 2: ] closes nothing",
      "18446744073709551616" => "byte 0: a number does not fit:",
      "1 \"\xFF\"" => "byte 2: this value is not UTF-8",
      "[1,]" => "byte 0: no JSON in the value that begins there:",
      ("[" * 401) + ("]" * 401) => "byte 0: more than 400 levels",
      '{"$bin":5}' => "byte 0: $bin wants base64, not 5",
      '{"$ext":[200,""]}' => "byte 0: $ext wants [type from -128 to 127, base64]",
      '{"$timestamp":"now"}' => "byte 0: $timestamp wants an ISO 8601 time"
    }.each do |text, message|
      it "refuses #{text[0, 24].b}" do
        result = from_json(text)
        expect(result.errors).to start_with("msgpack: standard input: #{message}")
        expect([result.errors.lines.size, result.status]).to eq([1, 1])
      end
    end
  end

  describe "stat" do
    let(:bytes) { hex("82 a2 69 64 01 a1 74 92 a3 61 62 63 d6 ff 00000001 81 a2 69 64 cd 0100") }

    it "counts values, bytes, levels and keys" do
      counted = JSON.parse(msgpack("stat", "--json", input: bytes).output)
      expect(counted).to eq(
        "file" => "-", "objects" => 2, "values" => 10, "bytes" => 25, "levels" => 2,
        "types" => {
          "int" => { "values" => 2, "bytes" => 4 }, "str" => { "values" => 4, "bytes" => 12, "largest" => 3 },
          "ext" => { "values" => 1, "bytes" => 6, "largest" => 4 }, "array" => { "values" => 1, "bytes" => 1, "largest" => 2 },
          "map" => { "values" => 2, "bytes" => 2, "largest" => 2 }
        },
        "ext_types" => { "-1" => 1 }, "keys" => { "id" => 2, "t" => 1 }
      )
    end

    it "draws a bar for each type" do
      output = lines(msgpack("stat", input: bytes).output)
      expect(output[0]).to eq("2 objects, 10 values, 25 bytes, 2 levels")
      expect(output.grep(/\A(str|int|map)/).map(&:split).map { |row| row.values_at(0, 1, 2, 5) })
        .to eq([["str", "4", "12", "#" * 30], ["int", "2", "4", "#" * 10], ["map", "2", "2", "#" * 5]])
      expect(output.last(2).map(&:split)).to eq([%w[2 id], %w[1 t]])
    end

    it "shows what it counted before a broken byte" do
      result = msgpack("stat", input: hex("01 02 c1"))
      expect(lines(result.output)[0]).to eq("2 objects, 2 values, 2 bytes, 0 levels")
      expect([result.errors, result.status]).to eq(["msgpack: standard input: byte 2: c1 begins no value\n", 1])
    end

    it "counts each file by itself" do
      Tempfile.create do |file|
        file.binmode.write(hex("01"))
        file.flush
        output = lines(msgpack("stat", file.path, "-", input: hex("02 03")).output)
        expect(output.grep(/\A(==|\d+ obj)/)).to eq(["== #{file.path}", "1 object, 1 value, 1 byte, 0 levels",
                                                     "== -", "2 objects, 2 values, 2 bytes, 0 levels"])
      end
    end
  end

  describe "long input", :slow do
    # 30 MB in small objects, then one string of 60 MB.
    def with_file
      Tempfile.create do |file|
        file.binmode
        record = MessagePack.pack({ "id" => 1, "text" => "x" * 2900 })
        10_000.times { file.write(record) }
        file.write(hex("c6 03938700"), "\xFF" * 60_000_000)
        file.flush
        yield file.path
      end
    end

    # Peak memory in megabytes, of a process that ran the tool.
    def peak(*arguments)
      code = 'require "msgpack/cli"; status = MessagePack::CLI.run(ARGV); warn File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]; exit!(status)'
      output, errors, status = Open3.capture3(Child::PLAIN, *Tool.command[0...-1], "-e", code, "--", *arguments)
      [errors.to_i / 1024, output.bytesize, status.exitstatus]
    end

    it "is not held in memory by stat" do
      skip "needs /proc" unless File.exist?("/proc/self/status")
      with_file { |path| expect(peak("stat", path)).to match([be < 60, be > 100, 0]) }
    end

    it "is not held in memory by json, but for the largest object" do
      skip "needs /proc" unless File.exist?("/proc/self/status")
      Tempfile.create do |file|
        file.binmode.write(hex("dd 00004e20"), MessagePack.pack({ "text" => "x" * 2900 }) * 20_000)
        file.flush
        expect(peak("json", file.path)).to match([be < 60, be > 58_000_000, 0])
      end
    end

    it "shows a bar on a terminal" do
      skip "no pseudo-terminals" unless terminals?
      Tempfile.create do |file|
        file.binmode.write(hex("01") * 1_500_000)
        file.flush
        shown = on_terminal("stat", file.path)
        expect(shown).to match(/\r\[#*\s*\]\s+\d+ %  [\d.]+ [kM]B of 1\.5 MB\e\[K/)
        expect(shown.index("objects")).to be > shown.rindex("\r\e[K")
      end
    end
  end
end
