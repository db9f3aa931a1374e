# frozen_string_literal: true

# rbtrace traces another process: commands go there with to_msgpack, and are read by a MessagePack library in C; what comes
# back are datagrams of several objects, of which it reads the first.
RSpec.describe "rbtrace", :clients do
  it "evaluates and traces in another process" do
    output = client_ruby("ruby-rbtrace", <<~'RUBY', native: true)
      require "msgpack"
      traced = fork do
        $stdout.reopen(File::NULL)
        require "rbtrace"
        300.times { sleep(0.05) && [3].map { |number| number.succ } }
        exit!
      end
      at_exit { Process.kill(:KILL, traced) }
      require "rbtrace/rbtracer"
      sleep 0.3
      tracer = RBTracer.new(traced)
      p tracer.eval("[1, :a, %(x) * 3000].inspect.size")
      tracer.add(["Array#map"])
      main = Thread.current
      Thread.new { sleep(0.5) && main.raise(Interrupt) }
      begin
        tracer.recv_loop
      rescue Interrupt
        tracer.detach
      end
    RUBY
    expect(output).to include(%("3011"\n))
    expect(output).to match(/^Array#map <\d+\.\d+>$/)
  rescue Child::Crashed => error
    raise unless error.message.include?("Function not implemented")

    skip "no System V message queues here: #{error.message.lines.first}"
  end

  it "reads the first object of a datagram, and leaves the rest" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed(["add", 1, false].to_msgpack + "\0" * 50)
    first = nil
    unpacker.each { |object| break first = object }
    expect(first).to eq(["add", 1, false])
  end
end
