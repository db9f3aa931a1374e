# frozen_string_literal: true

# Bootsnap's caches, which are MessagePack files: of YAML, and of the load path.
RSpec.describe "bootsnap", :clients do
  # Runs code with a folder `dir` to work in. Returns what it printed.
  def bootsnap(code)
    client_ruby("ruby-bootsnap", <<~RUBY, native: true)
      require "msgpack"
      require "tmpdir"
      require "yaml"
      require "bootsnap"
      require "bootsnap/compile_cache"
      require "bootsnap/compile_cache/yaml"
      require "bootsnap/load_path_cache"
      require "bootsnap/load_path_cache/store"
      Dir.mktmpdir { |dir| #{code} }
    RUBY
  end

  describe "the YAML cache" do
    def yaml_cache(code)
      bootsnap('Bootsnap::CompileCache::YAML.install!("#{dir}/cache"); path = "#{dir}/a.yml";' + code)
    end

    it "gives what the file holds, from the file and from the cache" do
      output = yaml_cache(<<~'RUBY')
        File.write(path, "a: [1, 2.5, null, text, true]\nb:\n  c: :sym\n  d: 2026-01-02\nlong: #{'x' * 40_000}\n")
        plain = YAML.unsafe_load(File.read(path))
        results = Array.new(3) { YAML.unsafe_load_file(path) }
        p results.map { |result| result == plain }, Dir["#{dir}/cache-yaml/**/*"].count { |file| File.file?(file) }
      RUBY
      expect(output).to eq("[true, true, true]\n1\n")
    end

    it "obeys symbolize_names and freeze" do
      output = yaml_cache(<<~'RUBY')
        File.write(path, "a:\n  b: [text]\n")
        2.times { p YAML.unsafe_load_file(path, symbolize_names: true) }
        frozen = YAML.unsafe_load_file(path, freeze: true)
        p frozen, [frozen, frozen["a"], frozen["a"]["b"], frozen["a"]["b"][0]].all?(&:frozen?)
      RUBY
      expect(output.gsub(/(\w): /, ':\1=>').delete(" ")).to eq(%({:a=>{:b=>["text"]}}\n) * 2 + %({"a"=>{"b"=>["text"]}}\ntrue\n))
    end

    it "caches times and regular expressions" do
      output = yaml_cache(<<~'RUBY')
        File.write(path, "t: 2026-01-02 03:04:05.678901234 Z\nr: !ruby/regexp /a+/i\n")
        results = Array.new(2) { YAML.unsafe_load_file(path) }
        p results.uniq.size, results[1]["t"].nsec, results[1]["r"]
      RUBY
      expect(output).to eq("1\n678901234\n/a+/i\n")
    end

    it "leaves alone what can not be packed" do
      output = yaml_cache(<<~'RUBY')
        File.write(path, "a: #{2**70}\n")
        p Array.new(2) { YAML.unsafe_load_file(path)["a"] } == [2**70] * 2
        File.write(path, "--- !ruby/object:Object {}\n")
        p Array.new(2) { YAML.unsafe_load_file(path).class }
      RUBY
      expect(output).to eq("true\n[Object, Object]\n")
    end
  end

  describe "the store of the load path cache" do
    def store(code)
      bootsnap('path = "#{dir}/load-path-cache"; store = Bootsnap::LoadPathCache::Store.new(path);' + code)
    end

    it "keeps what was set" do
      output = store(<<~'RUBY')
        store.transaction { store.set("dir", [12345, ["a.rb", "b/c.rb"], ["b"]]) }
        again = Bootsnap::LoadPathCache::Store.new(path)
        p again.get("dir"), again.get("dir").frozen?
        again.transaction { again.set("more", 2**40) }
        p Bootsnap::LoadPathCache::Store.new(path).get("more")
      RUBY
      expect(output).to eq(%([12345, ["a.rb", "b/c.rb"], ["b"]]\ntrue\n#{2**40}\n))
    end

    it "starts anew when its file is broken, wherever that is" do
      output = store(<<~'RUBY')
        store.transaction { store.set("dir", [1, ["a.rb"] * 20, nil]) }
        data = File.binread(path)
        broken = [*(0...data.size).map { |cut| data[0, cut] }, data + "\x01", "\xc1", "\xdd\xff\xff\xff\xff", "\xd4\x05a", "\x91" * 127 + "\x01"]
        p(broken.map do |bytes|
          File.binwrite(path, bytes)
          Bootsnap::LoadPathCache::Store.new(path).get("dir")
        end.uniq)
      RUBY
      expect(output).to eq("[nil]\n")
    end
  end
end
