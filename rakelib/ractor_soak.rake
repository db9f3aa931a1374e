# frozen_string_literal: true

# Runs rounds of spec/soak/ractor_round.rb, each in a process of its own, until the time is up.
module RactorSoak
  ROUND_LIMIT = 120 # seconds

  module_function

  def run(seconds)
    deadline = now + seconds
    seed = Integer(ENV.fetch("SEED", Random.new_seed % 1_000_000))
    rounds = work = 0
    memory = []
    while now < deadline || rounds.zero?
      output = round(seed + rounds)
      abort "Ractor soak, SEED=#{seed + rounds}: #{output.lines.last(20).join}" unless output =~ /^ok (\d+) (\d+)$/
      rounds += 1
      work += $1.to_i
      memory << $2.to_i
    end
    puts "Ractor soak on #{RUBY_VERSION}: #{rounds} rounds, #{work} pieces of work, first seed #{seed}, " \
         "0 crashes, 0 wrong results, resident memory #{memory.minmax.map { |kb| kb / 1024 }.join(" to ")} MiB"
  end

  def round(seed)
    reader, writer = IO.pipe
    pid = spawn(RbConfig.ruby, "-Ilib", "spec/soak/ractor_round.rb", seed.to_s, %i[out err] => writer)
    writer.close
    waiter = Process.detach(pid)
    unless waiter.join(ROUND_LIMIT)
      Process.kill(:KILL, pid)
      return "no end after #{ROUND_LIMIT} s"
    end
    output = reader.read
    waiter.value.success? ? output : "#{waiter.value}\n#{output}"
  ensure
    reader.close
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

namespace :spec do
  desc "Many Ractors at once, for SECONDS (600); SEED repeats a round"
  task :ractor_soak do
    RactorSoak.run(Integer(ENV.fetch("SECONDS", "600")))
  end
end
