# frozen_string_literal: true

require "json"
require_relative "lookalikes"

module Bench
  # The documents that the cases pack and unpack: the same in each process, since the seeds are fixed.
  module Data
    LINE = '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 ' \
           '"http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"'
    CORPUS = %w[twitter citm_catalog canada ohai activitypub].freeze

    module_function

    def plain = { "message" => LINE }

    def structured
      {
        "remote_host" => "127.0.0.1", "remote_user" => "-", "date" => "10/Oct/2000:13:55:36 -0700",
        "request" => "GET /apache_pb.gif HTTP/1.0", "method" => "GET", "path" => "/apache_pb.gif",
        "protocol" => "HTTP/1.0", "status" => 200, "bytes" => 2326,
        "referer" => "http://www.example.com/start.html", "agent" => "Mozilla/4.08 [en] (Win98; I ;Nav)"
      }
    end

    def records(count = 1000)
      random = Random.new(42)
      Array.new(count) do |i|
        {
          "id" => i * 7919, "name" => "user name #{i}", "email" => "user#{i}@example.com", "active" => i.odd?,
          "score" => random.rand * 100, "created_at" => "2024-01-#{i % 28 + 1}T10:00:00Z",
          "role" => %w[admin user guest][i % 3], "age" => i % 90, "manager_id" => (i / 5 if (i % 5).zero?),
          "bio" => "lorem ipsum dolor sit amet " * (i % 3)
        }
      end
    end

    def floats = Random.new(3).then { |random| Array.new(10_000) { random.rand * 1000 - 500 } }

    # Of all widths, in an order that a branch predictor can learn.
    def ints
      random = Random.new(5)
      Array.new(10_000) { |i| random.rand(1 << [3, 7, 8, 15, 16, 31, 32, 50, 60][i % 9]) * ((i % 4).zero? ? -1 : 1) }
    end

    def shuffled_ints = ints.shuffle(random: Random.new(1))

    def immediates = Array.new(600) { |i| [i % 100, nil, true, false, -(i % 30), i][i % 6] }

    def megabyte = "0123456789abcdef" * 65_536

    def megabytes = ["x" * (1 << 20), "y" * (1 << 20), 1]

    def nested = 100.times.inject(1) { |inner, _| [inner] }

    # A document of the corpus: the file in the folder MSGPACK_CORPUS, or one in its likeness.
    def corpus(name)
      folder = ENV["MSGPACK_CORPUS"]
      folder ? JSON.parse(File.read(File.join(folder, "#{name}.json"))) : Lookalikes.public_send(name)
    end
  end
end
