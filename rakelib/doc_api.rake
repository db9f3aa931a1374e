# frozen_string_literal: true

# The documentation of the Ruby API stands in lib/, that of native methods as `@!method` directives at the head of
# their class. Here it is compared with the loaded library, so that neither runs away from the other.

module ApiDoc
  FILES = Dir["lib/msgpack.rb", "lib/msgpack/*.rb"] - Dir["lib/msgpack/cli*"]

  # Prints, as a Marshal of path => arity, what the library has: `MessagePack::Packer#write` => 1, constants => nil.
  PRESENT = <<~'RUBY'
    require "msgpack"
    require "msgpack/bigint"

    found = { "MessagePack" => nil }
    modules = [MessagePack]
    modules.each do |owner|
      owner.constants(false).each do |name|
        value = owner.const_get(name)
        found["#{owner}::#{name}"] = nil
        modules << value if value.is_a?(Module) && value.name == "#{owner}::#{name}" && !modules.include?(value)
      end
      owner.public_instance_methods(false).each { |name| found["#{owner}##{name}"] = owner.instance_method(name).arity }
      singleton = value_methods = owner.singleton_class.public_instance_methods(false)
      value_methods.each { |name| found["#{owner}.#{name}"] = owner.method(name).arity }
      found["#{owner}#initialize"] = owner.instance_method(:initialize).arity if owner.is_a?(Class) && owner.private_instance_methods(false).include?(:initialize)
    end
    # Made by Struct, and told in the class's own words.
    found.reject! { |path, _| path.start_with?("MessagePack::ExtensionValue#", "MessagePack::ExtensionValue.") }
    print Marshal.dump(found)
  RUBY

  # What a line of Ruby defines, or a line of a comment documents.
  NESTING = /\A(\s*)(?:module|class) ([A-Z]\w*)/
  METHOD = /\A\s*def (self\.)?([^\s(;]+)(?:\(([^)]*)\))?/
  ALIAS = /\A\s*alias(?:_method)? :?([^\s,]+)/
  READER = /\A\s*attr_reader (.+)/
  CONSTANT = /\A\s*(?:#\s+)?([A-Z]\w*) = /
  DIRECTIVE = /\A\s*# @!method (self\.)?([^\s(]+)\(([^)]*)\)/

  module_function

  def problems
    present = Marshal.load(IO.popen([RbConfig.ruby, "-Ilib", "-e", PRESENT], "rb", &:read))
    documented = FILES.each_with_object({}) { |path, all| read(path, all) }.select { |path, _| path.start_with?("MessagePack") }
    missing = present.keys - documented.keys
    missing.map { |path| "#{path} is not documented" } +
      documented.filter_map { |path, (place, parameters)| problem(path, place, parameters, present) }
  end

  def problem(path, place, parameters, present)
    return "#{place}: #{path} does not exist" unless present.key?(path)
    return unless parameters && (arity = present[path])

    required = parameters.split(",").reject { |parameter| parameter.match?(/=|\*|&|:/) }.size
    expected = required == parameters.split(",").size ? required : -required - 1
    # Native methods with optional arguments take any number.
    "#{place}: #{path} takes other arguments (arity #{arity})" unless arity == expected || (arity == -1 && expected.negative?)
  end

  # Adds path => [place, parameters or nil] for whatever has a comment.
  def read(path, all)
    nesting = []
    comment = []
    hidden = function = false
    File.foreach(path).with_index(1) do |line, number|
      place = "#{path}:#{number}"
      owner = nesting.map(&:last).join("::")
      if line.match?(/\A\s*#/)
        comment << line
        directive(line, owner, place, all, comment.first)
        next
      end
      text = comment.any? { |entry| entry.match?(/\A\s*# *[^\s@]/) || entry.include?("@return") || entry.include?("@param") }
      if (found = line.match(NESTING))
        nesting << [found[1].size, found[2]]
        hidden = function = false
        all[nesting.map(&:last).join("::")] ||= [place, nil] if text
      elsif line.match?(/\A\s*end\b/) && nesting.any? && line[/\A\s*/].size == nesting.last[0]
        nesting.pop
        hidden = function = false
      elsif line.match?(/\A\s*class << self/) then function = true
      elsif line.match?(/\A\s*private\s*$/) then hidden = true
      elsif line.match?(/\A\s*module_function\s*$/) then function = true
      elsif line.match?(/\A\s*private_(constant|class_method)\b/)
        line.scan(/:(\w+)/) { |(name)| all.delete("#{owner}::#{name}") || all.delete("#{owner}.#{name}") }
        # What stands in a hidden module goes with it.
        line.scan(/:(\w+)/) { |(name)| all.delete_if { |documented, _| documented.start_with?("#{owner}::#{name}") } }
      elsif text && !hidden then definition(line, owner, function, place, all)
      elsif (found = line.match(ALIAS)) then all["#{owner}##{found[1]}"] = [place, nil]
      end
      comment = []
    end
  end

  def directive(line, owner, place, all, opening)
    if (found = line.match(DIRECTIVE))
      all["#{owner}#{found[1] ? "." : "#"}#{found[2]}"] = [place, nil_if_initialize(found)]
    elsif opening.include?("@!parse") && (found = line.match(/\A\s*#   ([A-Z]\w*) = /))
      all["#{owner}::#{found[1]}"] = [place, nil]
    end
  end

  def nil_if_initialize(found)
    found[2] == "initialize" ? nil : found[3]
  end

  def definition(line, owner, function, place, all)
    if (found = line.match(METHOD))
      # Parameters of methods in Ruby can't be wrong.
      all["#{owner}#{found[1] || function ? "." : "#"}#{found[2]}"] = [place, nil]
    elsif (found = line.match(READER)) then found[1].scan(/\w+/) { |name| all["#{owner}##{name}"] = [place, nil] }
    elsif (found = line.match(CONSTANT)) then all["#{owner}::#{found[1]}"] = [place, nil]
    end
  end
end

namespace :doc do
  desc "Compare the documentation of the Ruby API with the loaded library"
  task :api do
    problems = ApiDoc.problems
    abort problems.join("\n") unless problems.empty?
    puts "doc: every public constant and method of the Ruby API is documented, and every documented one is there"
  end

  task check: :api
end
