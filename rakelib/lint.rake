# frozen_string_literal: true

# What rustfmt and clippy cannot see: the order of the layers, where unsafe code, shared state and
# Ruby values may be.

module Lint
  SRC = "ext/msgpack/src/"

  # Each layer, with those it may use. The wire crate can't look back at any.
  MAY_USE = {
    "bridge" => %w[bridge], "codec" => %w[bridge codec msgpack_wire],
    "classes" => %w[bridge classes codec], "lib.rs" => %w[bridge classes]
  }.freeze

  # Statics that may change while the program runs, as "path: NAME", each with its reason where it is
  # defined: Ractors run at the same time, and what one of them writes the others see.
  SHARED_STATE = [
    "ext/msgpack/src/bridge/names.rs: NAMES", "ext/msgpack/src/bridge/ractor.rs: KEY", "ext/msgpack/src/codec/types.rs: TYPES",
    "ext/msgpack/src/codec/registry.rs: EMPTY", "ext/msgpack/src/codec/registry.rs: DEFAULT"
  ].freeze

  STATIC = /^\s*(?:pub(?:\([^)]*\))? )?static (\w+)\s*:[^=;]*\b(?:Atomic\w+|Mutex|RwLock|Once\w*|Lazy\w*|\w*Cell|Fixed|Shared)\b/
  FOCUS = /^\s*(RSpec\.)?(f(it|describe|context|specify|example)\b|(it|describe|context|specify|example)\b.*(\bfocus: true|, :focus\b))/
  OUTSIDE = "shared" + "/" # what a clone doesn't have
  BRIDGE_ONLY = {
    /\brb_sys\b/ => "raw Ruby calls belong to bridge/",
    /\bunsafe\b/ => "unsafe code belongs to bridge/",
    /\bVec<\s*(\w+::)*(Value|VALUE)\b/ => "the GC doesn't see values on Rust's heap; use what bridge/ roots"
  }.freeze
  # What the bridge takes from rb_sys and is no function.
  API = "ext/msgpack/ruby_api.txt"
  TYPES = %w[
    rb_data_type_t rb_encoding rb_ractor_local_key_t rb_ractor_local_storage_type ruby_coderange_type ruby_encoding_consts ruby_fl_type
    ruby_special_consts ruby_value_type
  ].freeze
  NOWHERE = {
    /\b(todo|unimplemented)!/ => "not written yet",
    /\.unwrap\(\)/ => "a panic ends the Ruby process: return an error, or expect() with the reason why it can't fail",
    /\bstatic mut\b/ => "a data race between Ractors"
  }.freeze

  module_function

  def offences
    rust = Dir["ext/**/*.rs"].grep_v(%r{/(tests|fuzz|benches|target)/})
    rust.flat_map { |path| lines(path) + layers(path) } + api(rust) + specs + outside
  end

  # Without comments, and without the tests, which stand last in a file.
  def code(path) = File.read(path)[/\A.*?(?=^\s*#\[cfg\(test\)\]|\z)/m].gsub(%r{//[^\n]*}, "")

  def lines(path)
    rules = path.start_with?("#{SRC}bridge/") ? NOWHERE : NOWHERE.merge(BRIDGE_ONLY)
    code(path).each_line.with_index(1).flat_map do |line, number|
      found = rules.filter_map { |pattern, reason| reason if line.match?(pattern) }
      static = line[STATIC, 1]
      found << "#{static} is state that all Ractors share" if static && !SHARED_STATE.include?("#{path}: #{static}")
      found.map { |reason| "#{path}:#{number}: #{reason}" }
    end
  end

  def layers(path)
    layer = path.delete_prefix(SRC)[%r{\A[^/]+}]
    return [] unless path.start_with?(SRC) && MAY_USE.key?(layer)

    used = code(path).scan(/\b(?:crate|super)::(\{[^;]*|\w+)|\b(msgpack_wire)\b/).join(" ")
    (used.scan(/\b(?:bridge|codec|classes|msgpack_wire)\b/).uniq - MAY_USE[layer]).map { |other| "#{path}: #{layer} may not use #{other}" }
  end

  # The C functions that are called are those that extconf.rb looks for.
  def api(paths)
    used = paths.flat_map { |path| code(path).scan(/\brb_sys::(?:\{([^}]*)\}|(\w+))/).flatten.compact.join(" ").scan(/\b(?:rb_[a-z]|ruby_)\w+/) }.uniq
    used.reject! { |name| TYPES.include?(name) || name.match?(/\Arb_[ce][A-Z]/) }
    listed = File.readlines(API).filter_map { |line| line[/(\w+)\(/, 1] unless line.start_with?("#") }
    (used - listed).map { |name| "#{API}: lacks #{name}, which the bridge calls: add its line from Ruby's headers" } +
      (listed - used).map { |name| "#{API}: #{name} is called nowhere" }
  end

  def specs
    Dir["spec/**/*.rb"].flat_map do |path|
      File.foreach(path).with_index(1).filter_map { |line, number| "#{path}:#{number}: a focused example" if line.match?(FOCUS) }
    end
  end

  def outside
    `git ls-files -co --exclude-standard`.lines(chomp: true).select { |path| File.file?(path) }.filter_map { |path| "#{path}: names #{OUTSIDE}" if File.binread(path).include?(OUTSIDE) }
  end
end

desc "rustfmt, clippy, and the rules of rakelib/lint.rake"
task :lint do
  sh("cargo", "fmt", "--all", "--check")
  sh({ "RUBY" => RbConfig.ruby }, *%w[cargo clippy --workspace --all-targets --quiet -- -D warnings
                                     -D clippy::undocumented_unsafe_blocks -D clippy::missing_safety_doc])
  offences = Lint.offences
  abort(offences.join("\n")) unless offences.empty?
  puts "lint: no offence"
end
