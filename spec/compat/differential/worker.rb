# frozen_string_literal: true

# A process with one implementation of the gem in it, whichever -I has put in the way. It reads
# programs (lines of Ruby) and answers with what became of each line.

require "msgpack"
begin
  require "msgpack/bigint"
rescue LoadError
  nil # releases before 1.5
end
require "zlib"
require_relative "../../fuzz/prelude"
require_relative "../../fuzz/picture"

# What the lines of one program share: their instance variables.
class Session
  include Helpers

  def self.run(lines)
    session = new
    # One text for all lines: compiling is what costs the time.
    session.instance_eval(lines.map { |line| "step { #{line}\n}" }.join("\n"))
    session.outcomes
  end

  attr_reader :outcomes

  def initialize
    @outcomes = []
  end

  def step
    @log = nil
    outcome = begin
      Picture.of(yield)
    rescue ScriptError, SignalException, SystemExit
      raise
    rescue Exception => e # SystemStackError and NoMemoryError as well
      "!#{e.class}: #{Picture.scrub(e.message).b.inspect}"
    end
    outcome = "#{outcome} log#{Picture.of(@log)}" if @log
    @outcomes << outcome
  end
end

if $PROGRAM_NAME == __FILE__
  $VERBOSE = nil
  input = $stdin.binmode
  output = $stdout.dup.binmode
  $stdout.reopen($stderr)
  Marshal.dump({ version: MessagePack::VERSION, ruby: RUBY_DESCRIPTION, library: $LOADED_FEATURES.grep(%r{msgpack/msgpack\.\w+\z}).first }, output)
  output.flush
  until input.eof?
    programs = Marshal.load(input)
    Marshal.dump(programs.map { |lines| Session.run(lines) }, output)
    output.flush
  end
end
