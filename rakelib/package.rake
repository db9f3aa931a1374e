# frozen_string_literal: true

# The gem as users get it: built, and installed from source where nothing else is.

namespace :package do
  gem_file = "pkg/#{GEMSPEC.file_name}"

  desc "Build #{gem_file}"
  task :build do
    unless File.read("CHANGELOG.md").match?(/^## #{Regexp.escape(GEMSPEC.version.to_s)}\b/)
      abort "CHANGELOG.md has no section for #{GEMSPEC.version}"
    end
    mkdir_p "pkg"
    require "rubygems/package"
    Gem::Package.build(GEMSPEC, false, false, File.expand_path(gem_file))
  end

  desc "Build the gem, install it into an empty gem home, and use it from there"
  task smoke: :build do
    files = Gem::Package.new(gem_file).contents
    stray = files.grep_v(%r{\A(lib|sig|exe|ext/msgpack)/|\A(Cargo\.(toml|lock)|LICENSE|README\.md|CHANGELOG\.md)\z})
    stray += files.grep(%r{/(tests|fuzz|benches|target)/|\.(so|bundle)\z})
    missing = %w[Cargo.toml Cargo.lock LICENSE README.md CHANGELOG.md lib/msgpack.rb exe/msgpack ext/msgpack/src/lib.rs] - files
    abort "in the gem by mistake: #{stray.join(", ")}" unless stray.empty?
    abort "not in the gem: #{missing.join(", ")}" unless missing.empty?

    require "tmpdir"
    Dir.mktmpdir do |home|
      # rb_sys comes from where it is here, since the installation must not need a network.
      rb_sys = Gem::Specification.find_by_name("rb_sys").base_dir
      environment = defined?(Bundler) ? Bundler.unbundled_env : ENV.to_h
      environment = environment.except("RUBYOPT", "RUBYLIB", "CARGO_TARGET_DIR").merge("GEM_HOME" => home, "GEM_PATH" => "#{home}:#{rb_sys}")
      ruby = lambda do |*arguments|
        system(environment, RbConfig.ruby, *arguments, unsetenv_others: true, chdir: home, exception: true)
      end
      ruby.call("-rrubygems/gem_runner", "-e", "Gem::GemRunner.new.run(ARGV)",
                *%w[install --local --no-document], File.expand_path(gem_file))
      ruby.call("-rmsgpack", "-e", <<~'RUBY')
        library = $LOADED_FEATURES.grep(%r{msgpack/msgpack\.\w+\z}).first
        home = File.realpath(ENV["GEM_HOME"])
        abort "loaded #{library}, not the installed one" unless library && File.realpath(library).start_with?("#{home}/")
        object = { "a" => [1, 2.5, nil, true, "\u00e9", 2**64 - 1] }
        bytes = MessagePack.pack(object)
        abort "#{object} came back as #{MessagePack.unpack(bytes)}" unless MessagePack.unpack(bytes) == object
        puts "msgpack #{MessagePack::VERSION} packs and unpacks from #{library.delete_prefix(home)}"
      RUBY
      ruby.call("-S", "#{home}/bin/msgpack", "--version")
      installed = Dir["#{home}/**/*"].select { |file| File.file?(file) }.sum { |file| File.size(file) }
      puts "#{gem_file}: #{files.size} files, #{File.size(gem_file) / 1024} kB; #{installed / 1024} kB installed"
    end
  end
end
