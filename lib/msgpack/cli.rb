# frozen_string_literal: true

require "optparse"
require "msgpack/core"
require "msgpack/cli/terminal"
require "msgpack/cli/input"

module MessagePack
  # The command line tool `msgpack`: {run} takes the arguments and gives the exit status. Each command is a class
  # in a file of its own, loaded when it is used.
  #
  # @api private
  module CLI
    # What is wrong with the input, with the byte it is about. Ends the work on one file, never the program.
    class BadInput < StandardError
    end

    # What is wrong with the arguments.
    class Usage < StandardError
    end

    OK = 0
    BAD_INPUT = 1
    BAD_USAGE = 2
    INTERRUPTED = 130

    # Name => class, file, and what it does in a line.
    COMMANDS = {
      "inspect" => [:Inspect, "msgpack/cli/inspect", "show every byte, with the tree of values it belongs to"],
      "json" => [:ToJSON, "msgpack/cli/to_json", "convert MessagePack to JSON, one object a line"],
      "from-json" => [:FromJSON, "msgpack/cli/from_json", "convert JSON, a stream of values, to MessagePack"],
      "stat" => [:Stat, "msgpack/cli/stat", "count values, bytes, keys and levels"]
    }.freeze

    HELP = <<~TEXT
      Usage: msgpack COMMAND [options] [FILE...]

      Looks into MessagePack, and converts it from and to JSON. Reads standard input
      where no FILE is given, or for the FILE "-".

      Commands:
      #{COMMANDS.map { |name, (_, _, summary)| "    #{name.ljust(11)}#{summary}" }.join("\n")}

          -h, --help     this text; `msgpack COMMAND --help` tells the options
          -V, --version  the version of the gem

      Exit status: 0 all went well, 1 an input is broken or cannot be read, 2 wrong usage.
    TEXT

    class << self
      # The caller ends the program without writing out buffers again.
      #
      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        status = dispatch(arguments.dup)
        $stdout.flush
        status
      rescue Usage, OptionParser::ParseError => error
        complain("#{error.message}\nTry `msgpack --help`.")
        BAD_USAGE
      rescue Errno::EPIPE
        OK # whoever read the output has had enough
      rescue SystemCallError, IOError => error
        complain("cannot write the output: #{reason(error)}")
        BAD_INPUT
      rescue Interrupt
        INTERRUPTED
      end

      # Tells the user, apart from the output.
      def complain(message)
        Terminal.clear_progress
        $stderr.puts("msgpack: #{message}")
      end

      # `Permission denied`, without the file names that Ruby adds.
      def reason(error)
        error.is_a?(SystemCallError) ? error.class.new.message : error.message
      end

      private

      def dispatch(arguments)
        name = arguments.shift
        name, arguments = arguments.first, ["--help"] if name == "help" && !arguments.empty?
        case name
        when "-h", "--help", "help" then print(HELP)
        when "-V", "--version" then puts("msgpack #{VERSION}")
        when nil then raise Usage, "no command given"
        else return run_command(name, arguments)
        end
        OK
      end

      def run_command(name, arguments)
        class_name, file, summary = COMMANDS[name]
        raise Usage, "unknown command: #{name}" unless file

        require file
        command = CLI.const_get(class_name).new
        parser = option_parser(name, summary)
        command.options(parser)
        parser.parse!(arguments)
        return OK.tap { print(parser.help) } if @help

        each_input(arguments, command)
      end

      def option_parser(name, summary)
        @help = false
        Terminal.color = nil
        OptionParser.new do |parser|
          parser.banner = "Usage: msgpack #{name} [options] [FILE...]\n\n#{summary[0].upcase}#{summary[1..]}.\n\nOptions:"
          parser.on("--[no-]color", "colours; by default on a terminal, unless NO_COLOR is set") { |on| Terminal.color = on }
          parser.on("-h", "--help", "this text") { @help = true }
        end
      end

      # Goes on with the next file where one is broken, as `cat` does.
      def each_input(names, command)
        names = ["-"] if names.empty?
        status = OK
        names.each do |name|
          Input.open(name, command.reports_at_end?) do |input|
            names.size > 1 && command.heading(input)
            command.run(input)
          end
        rescue BadInput => error
          $stdout.flush
          complain("#{name == "-" ? "standard input" : name}: #{error.message}")
          status = BAD_INPUT
        end
        status
      end
    end
  end
end
