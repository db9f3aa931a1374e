/* The floor: what it costs to make the objects of a document, or to walk them and copy their bytes, with nothing
 * read and nothing checked. A codec can come close to it, not below.
 *
 *   tape = Floor.tape(object)   the steps to make a copy of the object
 *   Floor.build(tape)           makes it: hash keys are there already, as in a decoder that remembers them
 *   Floor.encode(object)        a String of about the packed size, by memcpy alone
 */
#include <ruby.h>
#include <ruby/encoding.h>

void rb_hash_bulk_insert(long, const VALUE *, VALUE);

enum kind { READY, TEXT, BINARY, NUMBER, ARRAY, MAP };

typedef struct {
  enum kind kind;
  long size;
  union { VALUE value; double number; const char *bytes; } of;
} step;

typedef struct {
  step *steps;
  long count, room, depth, deepest;
  VALUE keep; /* what the steps point to */
} tape;

static void tape_mark(void *p) { rb_gc_mark(((tape *)p)->keep); }
static void tape_free(void *p) { xfree(((tape *)p)->steps); xfree(p); }
static const rb_data_type_t tape_type = { "Floor/tape", { tape_mark, tape_free, 0 }, 0, 0, 0 };

static step *add(tape *t, enum kind kind, long size, long growth) {
  if (t->count == t->room) {
    t->room = t->room ? 2 * t->room : 64;
    t->steps = xrealloc(t->steps, t->room * sizeof(step));
  }
  t->depth += growth;
  if (t->depth > t->deepest) t->deepest = t->depth;
  step *s = &t->steps[t->count++];
  s->kind = kind;
  s->size = size;
  return s;
}

static void record(tape *t, VALUE v);

static int record_pair(VALUE k, VALUE v, VALUE t) {
  if (RB_TYPE_P(k, T_STRING)) k = rb_str_to_interned_str(k);
  rb_ary_push(((tape *)t)->keep, k);
  add((tape *)t, READY, 0, 1)->of.value = k;
  record((tape *)t, v);
  return ST_CONTINUE;
}

static void record(tape *t, VALUE v) {
  switch (rb_type(v)) {
  case T_STRING:
    rb_ary_push(t->keep, v = rb_str_new_frozen(v));
    add(t, rb_enc_get_index(v) == rb_utf8_encindex() ? TEXT : BINARY, RSTRING_LEN(v), 1)->of.bytes = RSTRING_PTR(v);
    break;
  case T_FLOAT: add(t, NUMBER, 0, 1)->of.number = RFLOAT_VALUE(v); break;
  case T_ARRAY:
    for (long i = 0; i < RARRAY_LEN(v); i++) record(t, RARRAY_AREF(v, i));
    add(t, ARRAY, RARRAY_LEN(v), 1 - RARRAY_LEN(v));
    break;
  case T_HASH: {
    rb_hash_foreach(v, record_pair, (VALUE)t);
    long n = RHASH_SIZE(v);
    add(t, MAP, n, 1 - 2 * n);
    break;
  }
  default:
    rb_ary_push(t->keep, v);
    add(t, READY, 0, 1)->of.value = v;
  }
}

static VALUE floor_tape(VALUE self, VALUE object) {
  tape *t;
  VALUE made = TypedData_Make_Struct(rb_cObject, tape, &tape_type, t);
  t->keep = rb_ary_new();
  record(t, object);
  return made;
}

static VALUE floor_build(VALUE self, VALUE made) {
  const tape *t = rb_check_typeddata(made, &tape_type);
  VALUE *stack = __builtin_alloca((t->deepest + 1) * sizeof(VALUE)), *top = stack;
  rb_encoding *utf8 = rb_utf8_encoding();
  for (const step *s = t->steps, *end = s + t->count; s < end; s++) {
    switch (s->kind) {
    case READY: *top++ = s->of.value; break;
    case TEXT: *top++ = rb_enc_str_new(s->of.bytes, s->size, utf8); break;
    case BINARY: *top++ = rb_str_new(s->of.bytes, s->size); break;
    case NUMBER: *top++ = DBL2NUM(s->of.number); break;
    case ARRAY: {
      VALUE array = rb_ary_new_from_values(s->size, top - s->size);
      top -= s->size;
      *top++ = array;
      break;
    }
    case MAP: {
#ifdef HAVE_RB_HASH_NEW_CAPA
      VALUE hash = rb_hash_new_capa(s->size);
#else
      VALUE hash = rb_hash_new();
#endif
      rb_hash_bulk_insert(2 * s->size, top - 2 * s->size, hash);
      top -= 2 * s->size;
      *top++ = hash;
      break;
    }
    }
  }
  RB_GC_GUARD(made);
  return *(VALUE volatile *)stack;
}

static char out[8 << 20];

static char *copy(char *to, VALUE v);

static char *copy_string(char *to, VALUE v) {
  long n = RSTRING_LEN(v);
  to += n < 32 ? 1 : n < 256 ? 2 : n < 65536 ? 3 : 5;
  memcpy(to, RSTRING_PTR(v), n);
  return to + n;
}

static int copy_pair(VALUE k, VALUE v, VALUE to) {
  *(char **)to = copy(copy(*(char **)to, k), v);
  return ST_CONTINUE;
}

static char *copy(char *to, VALUE v) {
  if (RB_FLONUM_P(v)) {
    memcpy(to + 1, &v, 8);
    return to + 9;
  }
  if (RB_FIXNUM_P(v)) {
    long n = RB_FIX2LONG(v);
    memcpy(to, &n, 8);
    return to + (n >= -32 && n < 128 ? 1 : n >= -128 && n < 256 ? 2 : n >= -32768 && n < 65536 ? 3 : n >= -2147483648 && n < 4294967296 ? 5 : 9);
  }
  if (RB_STATIC_SYM_P(v)) return copy_string(to, rb_sym2str(v));
  if (RB_SPECIAL_CONST_P(v)) {
    *to = (char)v;
    return to + 1;
  }
  switch (RB_BUILTIN_TYPE(v)) {
  case T_STRING: return copy_string(to, v);
  case T_ARRAY:
    to += RARRAY_LEN(v) < 16 ? 1 : 3;
    for (long i = 0; i < RARRAY_LEN(v); i++) to = copy(to, RARRAY_AREF(v, i));
    return to;
  case T_HASH:
    to += RHASH_SIZE(v) < 16 ? 1 : 3;
    rb_hash_foreach(v, copy_pair, (VALUE)&to);
    return to;
  case T_FLOAT: {
    double number = RFLOAT_VALUE(v);
    memcpy(to + 1, &number, 8);
    return to + 9;
  }
  default: return to + 9;
  }
}

/* There is no check: the documents of the benches fit. */
static VALUE floor_encode(VALUE self, VALUE object) { return rb_str_new(out, copy(out, object) - out); }

void Init_floor(void) {
  VALUE module = rb_define_module("Floor");
  rb_define_singleton_method(module, "tape", floor_tape, 1);
  rb_define_singleton_method(module, "build", floor_build, 1);
  rb_define_singleton_method(module, "encode", floor_encode, 1);
}
