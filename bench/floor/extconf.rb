# frozen_string_literal: true

require "mkmf"

have_func("rb_hash_new_capa", "ruby.h")
$CFLAGS << " -O3"
create_makefile("floor")
