# frozen_string_literal: true

require "tmpdir"
require_relative "build"
require_relative "cases"
require_relative "implementations"

module Bench
  # Instructions a call, counted by valgrind. They repeat to a few hundredths of a percent, whatever
  # else the machine does, but know nothing of caches and mispredicted branches; and Ruby's own code
  # runs in the interpreter, since YJIT's would hide which function is which.
  module Callgrind
    # Instructions a call, and those of each function without what it calls.
    Count = Struct.new(:total, :functions)

    # One of each kind, small enough for valgrind.
    CHOSEN = [
      *["plain", "structured", "1000 records", "ints, shuffled", "floats", "600 immediates", "100 levels", "twitter", "citm_catalog", "ohai", "activitypub"].flat_map { |name| ["pack #{name}", "unpack #{name}"] },
      "pack extended", "unpack extended", "unpack structured, symbols", "unpack 1000 records, symbols", "unpack structured, frozen", "feed and read 1 byte", "feed and read structured, key_cache",
      "feed and read 600 immediates", "stream in 4-KiB pieces", "pack 100 points", "unpack 100 points", "pool, pack structured", "pool, unpack structured"
    ].freeze

    module_function

    # The cases whose name contains one of the patterns; without patterns the chosen ones, or all.
    def cases(patterns, all: false)
      names = patterns.empty? && !all ? CHOSEN : Cases.all.keys
      Cases.all.values_at(*names).select { |kase| patterns.empty? || patterns.any? { |pattern| kase.name.include?(pattern) } }
    end

    # @return [Hash{String => Count}] by case; without those that this implementation can't do
    def count(implementation, cases)
      names = cases.select { |kase| kase.for?(implementation.library, implementation.version) }.map(&:name)
      return {} if names.empty?

      Dir.mktmpdir do |folder|
        calls = run(implementation, names, folder)
        dumps = Dir[File.join(folder, "out.*")].map { |path| parse(path) }.select(&:first)
        dumps.to_h { |name, functions| [name, functions.transform_values { |cost| cost.fdiv(calls.fetch(name)) }] }
             .transform_values { |functions| Count.new(functions.values.sum, functions) }
      end
    end

    def run(implementation, names, folder)
      # One heap layout for all: addresses decide where hash tables collide.
      command = ["setarch", "--addr-no-randomize", "valgrind", "-q", "--tool=callgrind", "--collect-atstart=no", "--callgrind-out-file=#{folder}/out",
                 RbConfig.ruby, "--disable-gems", *implementation.flags, File.join(__dir__, "counted.rb"), Build.callgrind, implementation.library.to_s, *names]
      output = IO.popen([{ "RUBYOPT" => nil }, *command, { err: File::NULL }], &:read)
      $?.success? or abort "valgrind failed for #{implementation.name} after: #{output}"
      output.lines(chomp: true).to_h { |line| line.split("\t", 2).reverse }.transform_values(&:to_i)
    end

    # callgrind's format: names are given in full once, then by number; a line that begins with a
    # position has a cost, and the one behind "calls=" that of a callee, which is not ours.
    def parse(path)
      name = function = nil
      names = {}
      of_callee = false
      costs = Hash.new(0)
      File.foreach(path) do |line|
        case line
        when /^desc: Trigger: Client Request: (.*)/ then name = $1
        when /^c?fn=(\(\d+\))(?: (.*))?/
          names[$1] = $2 if $2
          function = names[$1] if line.start_with?("fn")
        when /^calls=/ then of_callee = true
        when /^[-+*\d]/
          costs[function] += line[/\d+$/].to_i unless of_callee
          of_callee = false
        end
      end
      # Recursion levels are one function to a reader.
      [name, costs.each_with_object(Hash.new(0)) { |(key, cost), sums| sums[key.to_s.sub(/'\d+\z/, "")] += cost }]
    end
  end
end
