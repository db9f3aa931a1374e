# frozen_string_literal: true

require "digest"
require "fileutils"
require_relative "implementations"

module Bench
  # What has to be compiled for the Ruby that runs this: the gem out of a tree, and the helpers in C.
  # All of it is kept, apart for each Ruby and each work tree, under the folder of bin/rubies.
  module Build
    TREE = File.expand_path("..", __dir__)

    module_function

    # @param tree [String] a work tree of this gem
    # @return [String] the folder to give to ruby's -I
    def gem(tree = TREE, debug: false)
      name = tree == TREE ? "ours" : "base"
      environment = { "RUBY" => RbConfig.ruby, "PATH" => "#{RbConfig::CONFIG["bindir"]}:#{ENV["PATH"]}", "CARGO_TARGET_DIR" => target = folder("target-#{name}#{"-debug" if debug}"),
                      "CARGO_PROFILE_RELEASE_DEBUG" => ("1" if debug), "RUBYOPT" => nil }
      run(environment, "cargo", "build", "--release", "--package", "msgpack", "--quiet", chdir: tree)
      lib = folder("lib-#{name}#{"-debug" if debug}")
      FileUtils.rm(Dir[File.join(lib, "**", "*.rb")])
      FileUtils.cp_r(File.join(tree, "lib", "."), lib)
      FileUtils.rm(Dir[File.join(lib, "msgpack", "**", "*.{so,bundle}")])
      # Never written over: a library that is in use would change under its users.
      library = File.join(lib, "msgpack", "msgpack.#{RbConfig::CONFIG["DLEXT"]}")
      FileUtils.cp(File.join(target, "release", "libmsgpack.#{RbConfig::CONFIG["SOEXT"]}"), "#{library}.new")
      FileUtils.mv("#{library}.new", library)
      lib
    end

    # @return [String] the folder with the extension of floor/
    def floor
      folder("floor").tap do |into|
        run({ "RUBYOPT" => nil }, RbConfig.ruby, File.join(__dir__, "floor", "extconf.rb"), chdir: into)
        run({}, "make", "--silent", chdir: into)
      end
    end

    # @return [String] the library of callgrind.c; it needs valgrind and its headers
    def callgrind
      File.join(folder("callgrind"), "bench.so").tap do |library|
        run({}, "cc", "-O1", "-shared", "-fPIC", "-o", library, File.join(__dir__, "callgrind.c"))
      end
    end

    def folder(name)
      File.join(RUBIES_DIR, "bench", "#{RUBY_VERSION}-#{Digest::SHA256.hexdigest(TREE)[0, 8]}", name).tap { |path| FileUtils.mkdir_p(path) }
    end

    def run(environment, *command, chdir: ".")
      output = IO.popen(environment, command, chdir: chdir, err: %i[child out], &:read)
      $?.success? or abort "#{command.join(" ")}\n#{output}"
    end
  end
end
