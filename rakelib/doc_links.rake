# frozen_string_literal: true

# Documents name files: those they link to, and the specs that hold what they say. All have to be there.

module DocLinks
  FILES = Dir["*.md", "docs/*.md"]

  module_function

  def missing
    FILES.flat_map do |path|
      named(File.read(path)).reject { |name, from_root| File.exist?(from_root ? name : File.join(File.dirname(path), name)) }
                            .map { |name, _| "#{path}: there is no #{name}" }
    end.uniq
  end

  # Links count from the document, names of specs from the root.
  def named(text)
    links = text.scan(/\]\(([^)#:]+)(?:#[^)]*)?\)/).map { |(name)| [name, false] }
    specs = text.scan(%r{`((?:spec/)?(?:unit|regression|ractor|integration|memory|compat|cli|format|property)/\w*(?:\.rb)?)`})
    links + specs.map { |(name)| ["spec/#{name.delete_prefix("spec/")}", true] }
  end
end

namespace :doc do
  desc "Look for files that the documents name and that are not there"
  task :links do
    missing = DocLinks.missing
    abort missing.join("\n") unless missing.empty?
    puts "doc: every file that the documents name is there"
  end

  task check: :links
end
