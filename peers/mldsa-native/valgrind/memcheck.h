/* memcheck.h - in the place of valgrind's: mldsa-native marks with it what may be known though it
 * was computed from secrets, for its own tests. `ecfit ct` takes these marks. */
#ifndef MEMCHECK_H
#define MEMCHECK_H

#include "bench_mark.h"

#define VALGRIND_MAKE_MEM_UNDEFINED(bytes, size) ((void)(bytes), (void)(size))
#define VALGRIND_MAKE_MEM_DEFINED(bytes, size) BENCH_MARK(bytes, size)

#endif
