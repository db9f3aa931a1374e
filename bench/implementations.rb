# frozen_string_literal: true

require "rbconfig"

module Bench
  # What is measured: a name for the tables, the library it is one of, and the flags that load it.
  Implementation = Struct.new(:name, :library, :flags) do
    # Loads it in a process of its own, under the options of the bench, and says which version it is.
    def version
      @version ||= begin
        code = "require %q(#{File.join(__dir__, "cases")}); library = Bench::LIBRARIES[:#{library}]; require library.file; print library.version.call"
        IO.popen(command("-e", code), err: File::NULL, &:read)
      end
    end

    def available? = !version.empty?

    # Bundler's settings of this process are not those of the one measured.
    def command(*arguments) = [{ "RUBYOPT" => nil }, *Implementation.ruby, *flags, *arguments]

    # YJIT where this Ruby has it. Its memory is limited since Ruby 3.1 touches all of it at once.
    def self.ruby
      @ruby ||= begin
        yjit = %w[--yjit --yjit-exec-mem-size=64]
        [RbConfig.ruby, "--disable-gems", *(yjit if system(RbConfig.ruby, *yjit, "-e", "exit(RubyVM::YJIT.enabled?)", err: File::NULL))]
      end
    end
  end

  # The folder that bin/rubies keeps everything in.
  RUBIES_DIR = ENV["RUBIES_DIR"] || File.join(ENV["XDG_CACHE_HOME"] || File.join(Dir.home, ".cache"), "msgpack-rubies")

  module Implementations
    PEERS = { "C gem" => :msgpack, "JSON" => :json, "Oj" => :oj, "CBOR" => :cbor }.freeze

    module_function

    # Ours first; of each peer the newest that loads in this Ruby; the rest of them are left out.
    def all(lib:, floor: nil)
      found = [Implementation.new("ours", :msgpack, ["-I#{lib}"])]
      found += PEERS.filter_map { |name, library| peers(name, library).find(&:available?) }
      found << Implementation.new("Marshal", :marshal, [])
      found << Implementation.new("floor", :floor, ["-I#{floor}"]) if floor
      found
    end

    def peers(name, library)
      folders = Dir[File.join(RUBIES_DIR, "peers", "#{library}-*")].sort_by { |path| Gem::Version.new(path[/[\d.]+\z/]) }.reverse
      found = folders.map { |path| Implementation.new(name, library, ["-I#{path}/lib", "-I#{path}/ext"]) }
      library == :json ? found << Implementation.new(name, library, []) : found
    end
  end
end
