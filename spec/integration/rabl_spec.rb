# frozen_string_literal: true

# rabl renders objects by templates, and has a to_msgpack of its own that takes options.
RSpec.describe "rabl", :clients do
  it "renders MessagePack" do
    output = client_ruby("ruby-rabl", <<~'RUBY')
      require "logger"
      require "msgpack"
      require "active_support"
      require "rabl"
      User = Struct.new(:id, :name, :tags)
      @users = [User.new(1, "é", [{ "t" => 1 }, nil]), User.new(2, "b", [])]
      packed = Rabl::Engine.new("collection @users, root: false, object_root: false\nattributes :id, :name, :tags", format: "msgpack").apply(self, {}).to_msgpack
      p packed.encoding, MessagePack.unpack(packed)
      @user = @users[0]
      p MessagePack.unpack(Rabl::Engine.new("object @user\nattributes :id", format: "msgpack").apply(self, {}).to_msgpack(root: true))
    RUBY
    expect(output.gsub(" => ", "=>").lines(chomp: true)).to eq([
      Encoding::BINARY.inspect,
      '[{"id"=>1, "name"=>"é", "tags"=>[{"t"=>1}, nil]}, {"id"=>2, "name"=>"b", "tags"=>[]}]',
      '{"user"=>{"id"=>1}}'
    ])
  end
end
