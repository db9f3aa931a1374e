/* What bench/instructions.rb calls under valgrind to count the instructions of a span. */
#include <valgrind/callgrind.h>

void bench_start(void) {
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
}

void bench_stop(const char *name) {
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name);
}
