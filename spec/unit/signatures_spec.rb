# frozen_string_literal: true

require "open3"

# Compares sig/msgpack.rbs with the loaded library. RBS comes with Ruby as a bundled gem, which Bundler hides, so it
# works in a process of its own.
RSpec.describe "sig/msgpack.rbs" do
  root = File.expand_path("../..", __dir__)

  # Prints a Hash: path of a class or module => what the signatures declare there.
  reader = <<~'RUBY'
    require "rbs"

    declared = Hash.new { |all, path| all[path] = { instance: [], singleton: [], constants: [], includes: [], shapes: [] } }
    # What a method takes: positional parameters, at least and at most, and names of keywords; nil for any number or name.
    shape = lambda do |function|
      required = function.required_positionals.size + function.trailing_positionals.size
      [required, function.rest_positionals ? nil : required + function.optional_positionals.size,
       function.rest_keywords ? nil : (function.required_keywords.keys + function.optional_keywords.keys).map(&:to_s)]
    end
    walk = lambda do |declarations, outer|
      declarations.each do |declaration|
        case declaration
        when RBS::AST::Declarations::Class, RBS::AST::Declarations::Module
          path = [outer, declaration.name.to_s.delete_prefix("::")].compact.join("::")
          declared[outer][:constants] << path.split("::").last if outer
          declared[path]
          walk.call(declaration.members, path)
        when RBS::AST::Declarations::Constant then declared[outer][:constants] << declaration.name.name.to_s
        when RBS::AST::Members::Include then declared[outer][:includes] << declaration.name.to_s
        when RBS::AST::Members::AttrReader then declared[outer][:instance] << declaration.name.to_s
        when RBS::AST::Members::AttrAccessor then declared[outer][:instance].push(declaration.name.to_s, "#{declaration.name}=")
        when RBS::AST::Members::Alias then declared[outer][declaration.kind] << declaration.new_name.to_s
        when RBS::AST::Members::MethodDefinition
          declared[outer][declaration.kind == :instance ? :instance : :singleton] << declaration.name.to_s
          types = declaration.respond_to?(:overloads) ? declaration.overloads.map(&:method_type) : declaration.types
          declared[outer][:shapes] << [declaration.kind == :instance, declaration.name.to_s, types.map { |type| shape.call(type.type) }]
        end
      end
    end
    parsed = RBS::Parser.parse_signature(RBS::Buffer.new(name: "msgpack.rbs", content: File.read("sig/msgpack.rbs")))
    walk.call(parsed.first.is_a?(RBS::Buffer) ? parsed.last : parsed, nil)
    print Marshal.dump({}.merge(declared))
  RUBY

  define_singleton_method(:in_plain_ruby) do |*arguments|
    output, errors, status = Open3.capture3(Child::PLAIN, RbConfig.ruby, *arguments, chdir: root, binmode: true)
    status.success? ? output : raise(Child::Crashed, errors + output)
  end

  rbs = begin
    in_plain_ruby("-e", "print Gem.bin_path('rbs', 'rbs')")
  rescue Child::Crashed
    nil
  end
  declared = rbs ? Marshal.load(in_plain_ruby("-e", reader)) : {}

  before { skip "no rbs gem beside Ruby #{RUBY_VERSION}" unless rbs }

  it "is valid" do
    expect { self.class.in_plain_ruby(rbs, "-I", "sig", "validate") }.not_to raise_error
  end

  it "declares every class and module of the library" do
    require "msgpack/bigint"
    found = ["MessagePack"]
    found.each do |path|
      owner = Object.const_get(path)
      found.concat(owner.constants(false).select { |name| owner.const_get(name).is_a?(Module) }.map { |name| "#{path}::#{name}" })
    end
    expect(declared.keys.grep(/\AMessagePack/)).to match_array(found)
  end

  describe "its declaration of" do
    require "msgpack/bigint"

    declared.each do |path, members|
      describe path do
        let(:owner) { Object.const_get(path) }

        if path.start_with?("MessagePack")
          it "has the constants" do
            expect(members[:constants]).to match_array(owner.constants(false).map(&:to_s))
          end

          # Methods that Ruby itself has in every class may be declared, and need not.
          it "has the public methods" do
            own = owner.public_instance_methods(false).map(&:to_s)
            declared_methods = members[:instance].uniq - %w[initialize]
            expect(declared_methods).to include(*own)
            expect(declared_methods.reject { |name| owner.public_method_defined?(name) }).to eq([])
          end

          it "has the public singleton methods" do
            own = owner.singleton_methods(false).map(&:to_s)
            expect(members[:singleton].uniq - %w[new]).to match_array(own - %w[new])
          end
          members[:shapes].each do |instance, name, shapes|
            it "lets #{instance ? "#" : "."}#{name} take what it takes" do
              method = if name == "initialize" || instance then owner.instance_method(name) else owner.method(name) end
              parameters = method.parameters
              kinds = parameters.map(&:first)
              most = kinds.include?(:rest) ? nil : kinds.count { |kind| %i[req opt].include?(kind) }
              shapes.each do |required, at_most, keywords|
                # Beyond what is required, native methods tell nothing of what they take.
                expect(required).to be >= kinds.count(:req)
                expect(at_most || Float::INFINITY).to be <= (most || Float::INFINITY)
                next if kinds == [:rest] || kinds.include?(:keyrest)

                # Options come as a Hash as well.
                known = parameters.filter_map { |kind, keyword| keyword.to_s if %i[key keyreq].include?(kind) }
                expect(keywords || []).to all(satisfy { |keyword| known.include?(keyword) }) unless (most || 0) > (at_most || 0)
              end
              expect(shapes.map(&:first).min).to eq(kinds.count(:req)) unless kinds == [:rest]
              expect(shapes.map { |_, at_most, _| at_most || Float::INFINITY }.max).to eq(most) if most
            end
          end
        else
          it "has methods that are there" do
            expect(members[:instance].reject { |name| owner.public_method_defined?(name) }).to eq([])
            expect(members[:singleton].reject { |name| owner.respond_to?(name) }).to eq([])
          end
        end

        it "includes what it says" do
          expect(members[:includes].reject { |name| owner.include?(Object.const_get(name.sub(/\ATypeError\z/, "MessagePack::TypeError").sub(/\ACoreExt\z/, "MessagePack::CoreExt"))) })
            .to eq([])
        end
      end
    end
  end

  it "declares to_msgpack for each class that has it" do
    ancestors = Module.instance_method(:ancestors) # some class has an include? of another kind
    classes = ObjectSpace.each_object(Class).select { |klass| ancestors.bind_call(klass).include?(MessagePack::CoreExt) && klass.name && !klass.singleton_class? }
    roots = classes.reject { |klass| classes.include?(klass.superclass) }.map(&:name)
    declaring = declared.select { |_path, members| members[:includes].any? { |name| name.end_with?("CoreExt") } }.keys
    expect(declaring).to match_array(roots)
  end
end
