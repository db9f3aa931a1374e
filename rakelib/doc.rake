# frozen_string_literal: true

# Documents that can't go stale: the Ruby examples in them are run.

require "tmpdir"

module Examples
  FILES = Dir["README.md", "CONTRIBUTING.md", "docs/*.md"]

  # A line of an example may end in `# => value`: what the left side's inspect gives, or an
  # expression for an equal object. `# raises Class` asks for an exception, `# prints text` for output.
  CHECKS = <<~'RUBY'
    # encoding: utf-8
    EXAMPLE = binding
    def same?(value, text)
      value.inspect == text || value == (expected = eval(text)) ||
        (value.is_a?(String) && expected.is_a?(String) && value.b == expected.b)
    rescue SyntaxError, NameError
      false
    end
    def check(line, text, value) = same?(value, text) || abort("line #{line}: is #{value.inspect}, not #{text}")
    def check_raises(line, name)
      yield
    rescue Exception => error
      error.class.name == name || abort("line #{line}: raises #{error.class}: #{error.message}, not #{name}")
    else
      abort "line #{line}: raises nothing, not #{name}"
    end
    def check_prints(line, text)
      require "stringio"
      $stdout = StringIO.new
      yield
      printed, $stdout = $stdout.string.strip, STDOUT
      printed == text || abort("line #{line}: prints #{printed}, not #{text}")
    end
  RUBY

  module_function

  # The number of the first line and the text of each block that is marked as Ruby, or as another language. A block
  # marked `ruby norun` is for another file, a Gemfile say.
  def in_file(path, language = "ruby")
    blocks = []
    inside = false
    File.foreach(path).with_index(1) do |line, number|
      if line.start_with?("```")
        inside = !inside && line.chomp == "```#{language}"
        blocks << [number + 1, +""] if inside
      elsif inside
        blocks.last[1] << line
      end
    end
    blocks
  end

  # The statement that a mark stands behind may have begun some lines before it.
  def program(first, text)
    text.each_line.with_index(first).with_object([]) do |(line, number), lines|
      lines << line
      next unless line =~ /\A(.*\S)\s+# (=>|raises|prints) (.+)$/

      mark, expected = $2, $3.strip
      statement = [$1]
      lines.pop
      statement.unshift(lines.pop.chomp) until complete?(statement) || lines.empty?
      check = { "=>" => "check(%d, %s, (%s))\n", "raises" => "check_raises(%d, %s) { %s }\n", "prints" => "check_prints(%d, %s) { %s }\n" }[mark]
      lines << format(check, number, expected.dump, statement.join("\n"))
    end.join
  end

  def complete?(lines)
    RubyVM::InstructionSequence.compile(lines.join("\n"))
  rescue SyntaxError
    false
  end

  def run(path, first, text)
    IO.popen([RbConfig.ruby, "-Ilib", "-W:no-experimental", "-rmsgpack", "-"], "r+", err: %i[child out]) do |ruby|
      ruby.write(CHECKS, "eval(<<'EXAMPLE_END', EXAMPLE, #{path.dump}, #{first})\n#{program(first, text)}EXAMPLE_END\n")
      ruby.close_write
      ruby.read
    end.then { |output| $?.success? ? nil : "#{path}:#{first}: #{output}" }
  end

  # A session of a terminal: a line `$ command` and what it prints, with the tool `msgpack` at hand.
  def run_session(path, first, text)
    Dir.mktmpdir do |bin|
      File.write("#{bin}/msgpack", %(#!/bin/sh\nexec "#{RbConfig.ruby}" -I"#{Dir.pwd}/lib" "#{Dir.pwd}/exe/msgpack" "$@"\n))
      File.chmod(0o755, "#{bin}/msgpack")
      text.split(/^\$ /).drop(1).filter_map do |entry|
        command, expected = entry.split("\n", 2)
        output = IO.popen({ "PATH" => "#{bin}:#{ENV.fetch("PATH")}" }, ["bash", "-c", command], err: %i[child out], &:read)
        "#{path}:#{first}: #{command} prints\n#{output}" unless output == expected
      end.first
    end
  end
end

desc "The documentation of the crates, into the target folder"
task :doc do
  sh({ "RUSTDOCFLAGS" => "-D warnings", "RUBY" => RbConfig.ruby },
     *%w[cargo doc --package msgpack --package msgpack-wire --no-deps --document-private-items --quiet])
end

namespace :doc do
  desc "Run the examples of README.md, CONTRIBUTING.md and docs/, those in Ruby and those of the tool"
  task :examples do
    results = Examples::FILES.flat_map do |path|
      Examples.in_file(path).map { |first, text| Examples.run(path, first, text) } +
        Examples.in_file(path, "console").map { |first, text| Examples.run_session(path, first, text) }
    end
    puts results.compact
    puts "examples: #{results.count(nil)} passed, #{results.compact.size} failed"
    abort unless results.none?
  end

  desc "Everything that can be checked about the documents"
  task check: %i[doc examples]
end
