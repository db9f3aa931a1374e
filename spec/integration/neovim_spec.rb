# frozen_string_literal: true

# Neovim's client speaks MessagePack-RPC. The editor is played by a process at the other end of two pipes.
RSpec.describe "neovim's client", :clients do
  editor = <<~'RUBY'
    # Answers requests as the editor does: [1, id, error, result]. Handles are ext values with a packed number.
    def editor(input, output)
      unpacker = MessagePack::Unpacker.new(input)
      packer = MessagePack::Packer.new(output)
      unpacker.register_type(0) { |data| [:buffer, MessagePack.unpack(data)] }
      unpacker.each do |kind, id, name, arguments|
        next unless kind == 0

        case name
        when "echo" then packer.write([1, id, nil, arguments])
        when "current" then packer.write([1, id, nil, MessagePack::ExtensionValue.new(0, MessagePack.pack(arguments[0]))])
        when "fail" then packer.write([1, id, [0, "no such thing"], nil])
        when "notify" then packer.write([2, "changed", [1, "x" * 20_000]]).write([1, id, nil, "done"])
        when "quit" then break
        end
        packer.flush
      end
      output.close
    end

    require "msgpack"
    require "neovim"
    to_editor = IO.pipe
    from_editor = IO.pipe
    fork do
      [to_editor[1], from_editor[0]].each(&:close)
      editor(to_editor[0].binmode, from_editor[1].binmode)
    end
    [to_editor[0], from_editor[1]].each(&:close)
    connection = Neovim::Connection.new(from_editor[0], to_editor[1])
    session = Neovim::Session.new(Neovim::EventLoop.new(connection))
    connection.register_type(0) { |index| [:buffer, index] }
  RUBY

  define_method(:neovim) { |code| client_ruby("ruby-neovim", editor + code) }

  it "gets answers to its requests" do
    output = neovim(<<~'RUBY')
      p session.request("echo", 1, "a", nil, [2.5], { "k" => true })
      p session.request("echo", "é" * 30_000)[0].size
    RUBY
    expect(output.gsub(" => ", "=>")).to eq(%([1, "a", nil, [2.5], {"k"=>true}]\n30000\n))
  end

  it "gets handles, by unpacking inside of its ext block" do
    expect(neovim('p [1, 200, 70_000].map { |index| session.request("current", index) }'))
      .to eq("[[:buffer, 1], [:buffer, 200], [:buffer, 70000]]\n")
  end

  it "packs its remote objects by their to_msgpack" do
    expect(neovim('p session.request("echo", Neovim::Buffer.new(7, session, nil), [Neovim::Window.new(200, session, nil)])'))
      .to eq("[7, [200]]\n")
  end

  it "gets errors, and goes on" do
    output = neovim(<<~'RUBY')
      begin
        session.request("fail")
      rescue => error
        p error.message
      end
      p session.request("echo", 1)
    RUBY
    expect(output).to eq(%("no such thing"\n[1]\n))
  end

  it "keeps notifications that come before an answer" do
    output = neovim(<<~'RUBY')
      p session.request("notify")
      messages = session.respond_to?(:next) ? [session.next] : []
      session.run { |message| messages << message and session.stop } if messages.empty?
      message = messages[0]
      p [message.method_name, message.arguments[1].size]
    RUBY
    expect(output).to eq(%("done"\n["changed", 20000]\n))
  end

  it "sees the end of the editor" do
    output = neovim(<<~'RUBY')
      begin
        session.request("quit")
      rescue => error
        p error.message
      end
    RUBY
    expect(output).to match(/\A"(nvim process exited|Disconnected from nvim process)"\Z/)
  end
end
