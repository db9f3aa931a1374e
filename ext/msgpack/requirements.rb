# frozen_string_literal: true

require "mkmf"

# What the native part needs, looked at before anything is built. What is missing is told in a sentence, where the
# build itself would end in pages of errors.
module Requirements
  OLDEST_RUBY = "3.1"
  NEWEST_RUBY = "4.0" # that the crates in Cargo.lock know
  CARGO = File.read(File.join(__dir__, "Cargo.toml"))[/^rust-version = "([\d.]+)"/, 1]
  API = File.join(__dir__, "ruby_api.txt")

  # A line of the file: result, name, parameters, and the Ruby it is new in.
  FUNCTION = %r{\A(?<result>\w.*?)(?<name>\w+)\((?<parameters>.*)\)(?:\s*// since (?<since>[\d.]+))?\Z}

  # Of libclang, as bindgen looks for it.
  LIBCLANG = %w[/usr/lib/llvm*/lib* /usr/lib*/llvm*/lib* /usr/lib* /usr/lib/*-linux-* /usr/local/lib* /usr/local/llvm*/lib*].map { |path| "#{path}/libclang*.so*" }

  Missing = Class.new(StandardError)

  module_function

  # Ends the program if something is missing.
  def check
    check_ruby
    check_cargo
    return if CROSS_COMPILING # for a Ruby that is not here

    check_compiler
    check_api(File.read(API))
    check_libclang
  rescue Missing => error
    abort "msgpack can't be built: #{error.message}"
  end

  def check_ruby
    raise Missing, "it needs CRuby, and this is #{RUBY_ENGINE}." unless RUBY_ENGINE == "ruby"
    raise Missing, "it needs Ruby #{OLDEST_RUBY} or newer, and this is #{RUBY_VERSION}." if older?(RUBY_VERSION, OLDEST_RUBY)
    return unless older?(NEWEST_RUBY, RUBY_VERSION[/\A\d+\.\d+/])

    warn "msgpack: Ruby #{RUBY_VERSION} is newer than #{NEWEST_RUBY}, the newest that this version was made for. " \
         "If the build fails, look for a newer msgpack."
  end

  def check_cargo
    output = IO.popen([ENV.fetch("CARGO", "cargo"), "--version"], err: %i[child out], &:read)
    version = output[/^cargo (\d+\.\d+\.\d+)/, 1] or raise Missing, "`cargo --version` says #{output.lines.first.to_s.strip.inspect}; #{get_rust}"
    raise Missing, "the cargo here is #{version}; #{get_rust}" if older?(version, CARGO)
  rescue SystemCallError
    raise Missing, "there is no cargo on PATH; #{get_rust}"
  end

  def get_rust
    "install Rust #{CARGO} or newer, by rustup (https://rustup.rs) or as packages of your system (Debian 13: cargo)."
  end

  def check_compiler
    compiles = begin
      try_compile("#include <ruby.h>")
    rescue RuntimeError # there is no compiler at all
      false
    end
    return if compiles

    raise Missing, "the C compiler can't compile what includes ruby.h (mkmf.log has its words); install a C compiler and " \
                   "the headers of this Ruby (Debian: gcc ruby-dev)."
  end

  # Whether this Ruby has the C functions that the bridge calls, with the parameters it calls them with.
  def check_api(list)
    functions = list.lines.filter_map { |line| line.match(FUNCTION) }.reject { |function| function[:since] && older?(RUBY_VERSION, function[:since]) }
    names = misfits(functions).map { |function| function[:name] }
    return if names.empty?

    raise Missing, "Ruby #{RUBY_VERSION} lacks or has changed C functions that msgpack calls: #{names.join(", ")}. Look for a newer msgpack."
  end

  # Halves the list, as most of it fits.
  def misfits(functions)
    return [] if functions.empty? || fit?(functions)

    functions.size == 1 ? functions : functions.each_slice((functions.size + 1) / 2).flat_map { |half| misfits(half) }
  end

  def fit?(functions)
    try_compile(<<~C + functions.map { |f| "#undef #{f[:name]}\n#{f[:result]}(*msgpack_#{f[:name]})(#{f[:parameters]}) = #{f[:name]};\n" }.join)
      #include <stdbool.h>
      #include <ruby.h>
      #include <ruby/encoding.h>
      #include <ruby/ractor.h>
      #pragma GCC diagnostic error "-Wincompatible-pointer-types"
    C
  end

  # Only a word of warning: there may be places that bindgen knows better.
  def check_libclang
    return unless RUBY_PLATFORM.include?("linux")
    return if %w[LIBCLANG_PATH LLVM_CONFIG_PATH].any? { |name| ENV.key?(name) } || find_executable0("llvm-config") || Dir.glob(LIBCLANG).any?

    warn "msgpack: libclang is in none of the usual places. If the build does not find it, install it (Debian: libclang-dev, " \
         "Fedora: clang-devel) or set LIBCLANG_PATH to its folder."
  end

  def older?(version, than)
    Gem::Version.new(version) < Gem::Version.new(than)
  end
end
