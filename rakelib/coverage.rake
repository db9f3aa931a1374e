# frozen_string_literal: true

# Which lines of the Rust code the tests run: those of the wire crate by its own tests, those of the
# extension by the specs. Needs LLVM's llvm-profdata and llvm-cov (Debian's package llvm-19 reads what
# Rust 1.95 writes; LLVM_BIN names a folder with others).

module Coverage
  BOUNDS = { "ext/msgpack/wire/src" => 95, "ext/msgpack/src" => 90 }.freeze # percent of lines
  DIR = File.expand_path("../tmp/coverage", __dir__)

  module_function

  # What the profiles tell, which it removes: {path => {line => count}} for the files below `sources`.
  def lines(sources, objects)
    merged = File.join(DIR, "#{sources.tr("/", "-")}.profdata")
    profiles = Dir[File.join(DIR, "*.profraw")]
    system(tool("llvm-profdata"), "merge", "--sparse", "-o", merged, *profiles, exception: true)
    File.delete(*profiles)
    command = [tool("llvm-cov"), "export", "--format=lcov", "--instr-profile=#{merged}", objects[0], *objects.drop(1).flat_map { |object| ["--object", object] }, File.expand_path(sources)]
    read(IO.popen(command, &:read))
  end

  def read(lcov)
    lcov.split("end_of_record\n").to_h do |record|
      [record[/^SF:(.*)/, 1].delete_prefix("#{Dir.pwd}/"), record.scan(/^DA:(\d+),(\d+)/).to_h { |pair| pair.map(&:to_i) }]
    end
  end

  def tool(name)
    folders = [*ENV["LLVM_BIN"], *ENV["PATH"].split(":")]
    found = folders.flat_map { |folder| Dir[File.join(folder, "#{name}{,-[0-9]*}")] }.max_by { |path| path[/\d+\z/].to_i }
    found || abort("no #{name} here: install llvm, or name its folder by LLVM_BIN")
  end

  # Instrumented code next to, and not instead of, the usual one. It counts in files (%c), as children of specs
  # that end by `exit!` or a signal would tell nothing.
  def environment
    {
      "RUSTFLAGS" => "-Cinstrument-coverage -Cllvm-args=-runtime-counter-relocation", "LLVM_PROFILE_FILE" => File.join(DIR, "%c%p.profraw"), "RUBY" => RbConfig.ruby,
      "CARGO_TARGET_DIR" => File.join(ENV.fetch("CARGO_TARGET_DIR", "target"), "coverage"),
      "RUBY_FIBER_MACHINE_STACK_SIZE" => (1 << 20).to_s # counters make frames larger
    }
  end

  # Prints a line for each file, with the lines that nothing ran; true if they are few enough.
  def report(sources, files)
    puts
    files.sort.each { |path, counts| puts row(path, counts, gaps(counts)) }
    all = files.values.flat_map(&:to_a)
    puts row(sources, all, "at least #{BOUNDS.fetch(sources)} %")
    percent(all) >= BOUNDS.fetch(sources)
  end

  def row(name, counts, remark) = format("%6.2f %% of %5d  %-38s %s", percent(counts), counts.size, name, remark).rstrip

  def percent(counts) = 100.0 * counts.count { |_, count| count > 0 } / [counts.size, 1].max

  # The first and last of lines that nothing ran, up to the next that something did.
  def gaps(counts)
    runs = counts.sort.slice_when { |(_, a), (_, b)| (a > 0) != (b > 0) }
    runs.select { |run| run[0][1].zero? }.map { |run| [run[0][0], run[-1][0]].uniq.join("-") }.join(" ")
  end
end

desc "Lines of the Rust code that the tests run, file by file; fails where they are too few"
task :coverage do
  environment = Coverage.environment
  rm_rf(Coverage::DIR, verbose: false)
  mkdir_p(File.join(Coverage::DIR, "lib/msgpack"), verbose: false)

  test = %w[cargo test --quiet --package msgpack-wire]
  tests = IO.popen([environment, *test, "--no-run", "--message-format=json"], err: File::NULL, &:read).scan(/"executable":"([^"]+)"/).flatten
  sh(environment, *%w[cargo build --quiet --release --package msgpack])
  library = File.join(Coverage::DIR, "lib/msgpack/msgpack.#{RbConfig::CONFIG["DLEXT"]}")
  cp(File.join(environment["CARGO_TARGET_DIR"], "release/libmsgpack.#{RbConfig::CONFIG["SOEXT"]}"), library, verbose: false)
  rm(Dir["#{Coverage::DIR}/*.profraw"], verbose: false) # those of build scripts

  sh(environment, *test)
  wire = Coverage.lines("ext/msgpack/wire/src", tests)
  sh(environment, RbConfig.ruby, "-I#{Coverage::DIR}/lib", "-I#{File.expand_path("lib")}", "-Ispec", Gem.bin_path("rspec-core", "rspec"), "--tag", "~slow")
  extension = Coverage.lines("ext/msgpack/src", [library])

  enough = [Coverage.report("ext/msgpack/wire/src", wire), Coverage.report("ext/msgpack/src", extension)]
  abort "coverage: too low" unless enough.all?
end
