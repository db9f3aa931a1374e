# frozen_string_literal: true

# The examples in the comments of lib/, those that say what they give (`# =>`). They are run as those of the Markdown
# files are, with a factory, a packer and so on at hand, and classes to register.

module CommentExamples
  PRELUDE = <<~'RUBY'.tr("\n", ";")
    require "set"
    require "msgpack/bigint"
    include MessagePack
    Point = Struct.new(:x, :y) { def self.from_msgpack_ext(s) = new(*s.unpack("l>2")) }
    class Point; def to_msgpack_ext = [x, y].pack("l>2"); end
    factory = MessagePack::Factory.new
    packer = factory.packer
    unpacker = factory.unpacker
    pool = factory.pool(1)
    Timestamp = MessagePack::Timestamp
  RUBY

  module_function

  # Number of the first line, and text, of each example with a result.
  def in_file(path)
    blocks = []
    margin = nil
    File.foreach(path).with_index(1) do |line, number|
      if (found = line.match(/\A(\s*#\s*)@example/))
        margin = found[1].size
        blocks << [number + 1, +""]
      elsif margin && line.match?(/\A\s*# {3}/) && line[/\A\s*#\s*/].size > margin
        blocks.last[1] << line.sub(/\A\s*#\s*/, "")
      else
        margin = nil
      end
    end
    blocks.select { |_, text| text.include?("# =>") }
  end
end

namespace :doc do
  desc "Run the examples in the comments of lib/"
  task :comments do
    results = Dir["lib/msgpack.rb", "lib/msgpack/*.rb"].flat_map do |path|
      CommentExamples.in_file(path).map { |first, text| Examples.run(path, first, CommentExamples::PRELUDE + text) }
    end
    puts results.compact
    puts "examples: #{results.count(nil)} passed, #{results.compact.size} failed"
    abort unless results.none?
  end

  task check: :comments
end
