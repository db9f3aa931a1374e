# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"

# Programs that use MessagePack, from Debian's packages. They are unpacked below a cache folder and loaded from there, never
# installed, and Debian's own msgpack is left out: what they get is this library.
#
# MSGPACK_CLIENTS=FOLDER keeps them elsewhere than in ~/.cache/msgpack-clients.
module Clients
  # Why a client can not be run here.
  class Missing < StandardError
  end

  ROOT = ENV.fetch("MSGPACK_CLIENTS") { File.join(ENV["XDG_CACHE_HOME"] || File.join(Dir.home, ".cache"), "msgpack-clients") }
  ABI = RbConfig::CONFIG["ruby_version"]

  # Where the packages keep Ruby files, below the folder they are unpacked in.
  LOAD_PATHS = [
    "usr/lib/ruby/vendor_ruby", "usr/lib/*/ruby/vendor_ruby/#{ABI}",
    "usr/share/rubygems-integration/{all,#{ABI}}/gems/*/lib{,/concurrent-ruby}", "usr/lib/*/rubygems-integration/#{ABI}/gems/*/lib",
    "usr/lib/*/rubygems-integration/#{ABI}/extensions/*/#{ABI}/*"
  ].freeze

  module_function

  # Runs Ruby code that can require the package and what it depends on. Returns what it printed.
  def ruby(package, code, native: false)
    folders = [package, *dependencies(package)].map { |name| unpack(name) }
    if native && Dir[*LOAD_PATHS.map { |path| File.join(folders[0], path, "**/*.so") }].empty?
      raise Missing, "Debian's #{package} has nothing for Ruby #{RUBY_VERSION} here"
    end

    paths = folders.flat_map { |folder| Dir[*LOAD_PATHS.map { |path| File.join(folder, path) }] }
    Child.ruby(%(require "rubygems"\n#{code}), "-W0", *paths.flat_map { |path| ["-I", path] })
  end

  # The folder that the package is unpacked in; fetched if it is not there yet.
  def unpack(package)
    folder = File.join(ROOT, package)
    return folder if File.directory?(folder)

    part = "#{folder}.#{Process.pid}"
    FileUtils.mkdir_p(part)
    run("apt-get", "download", package, chdir: part)
    run("dpkg-deb", "-x", *Dir[File.join(part, "*.deb")], part, chdir: part)
    File.rename(part, folder)
    folder
  rescue Errno::ENOTEMPTY, Errno::EEXIST
    folder # another process was faster
  ensure
    FileUtils.rm_rf(part) if part
  end

  # The Ruby packages that it needs, but for msgpack. Listed in a file, as apt takes its time.
  def dependencies(package)
    file = File.join(unpack(package), "needs")
    return File.readlines(file, chomp: true) if File.exist?(file)

    list = run("apt-cache", "depends", "--recurse", "--important", package)
    names = list.scan(/^(ruby-[\w.+-]+)$/).flatten.uniq - [package, "ruby-msgpack", "ruby-rubygems", "ruby-dev"]
    names.each { |name| unpack(name) }
    File.write(file, names.join("\n"))
    names
  end

  def run(*command, chdir: Dir.pwd)
    output, status = Open3.capture2e(*command, chdir: chdir)
    raise Missing, "#{command[0]} #{command[1]} #{command.last}: #{output.lines.last}" unless status.success?

    output
  rescue Errno::ENOENT
    raise Missing, "there is no #{command[0]} here"
  end

  # For examples: skips them where the client is missing, with the reason.
  def client_ruby(package, code, **options)
    Clients.ruby(package, code, **options)
  rescue Missing => error
    skip error.message
  end
end

RSpec.configure { |config| config.include(Clients, :clients) }
