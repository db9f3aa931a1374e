# frozen_string_literal: true

# One implementation in a process of its own, since all of them are called MessagePack. bench/run.rb
# asks on standard input, a JSON array a line, and reads the answer from standard output:
#
#   ["about"]                 what this is
#   ["cases"]                 the names of the cases
#   ["output", name]          a digest of what the case returns
#   ["calibrate", name, s]    how many times the case runs in s seconds
#   ["round", name, count]    seconds of CPU for that many

require "digest"
require_relative "cases"

def cpu
  started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  yield
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
end

def run(work, count)
  i = 0
  while i < count
    work.call
    i += 1
  end
end

def calibrate(work, seconds)
  count = 1
  count *= 2 while (spent = cpu { run(work, count) }) < seconds / 4
  [(count * seconds / spent).ceil, 1].max
end

$stdout.sync = true
$stdin.each_line do |line|
  command, name, number = JSON.parse(line)
  work = Cases.all.fetch(name) if name
  answer =
    case command
    when "about" then { "version" => MessagePack::VERSION, "ruby" => RUBY_DESCRIPTION, "file" => $LOADED_FEATURES.grep(%r{msgpack/msgpack\.\w+\z}).first }
    when "cases" then Cases.all.keys
    when "output" then Digest::SHA256.hexdigest(work.call.then { |output| output.is_a?(String) ? output : output.inspect })
    when "calibrate" then calibrate(work, number)
    when "round"
      GC.start
      cpu { run(work, number) }
    end
  puts JSON.generate([answer])
end
