/* bench_mark.h - for the code of another library: says what may be known of memory though it was
 * computed from secrets, in every build, so that `ecfit ct` follows the code that is measured.
 *
 * BENCH_MARK(bytes, size): no instruction, but a label, as of ECFIT_DECLASSIFY in the library's
 * ct.h; `size` is a constant. It costs what the compiler takes to have the address in a register
 * and the bytes in memory. */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

/* A number, without what Arm's assembler has before one. */
#if defined(__arm__)
#define BENCH_NUMBER "%c1"
#else
#define BENCH_NUMBER "%1"
#endif

#if defined(__ELF__) && (defined(__arm__) || defined(__riscv))
#define BENCH_MARK(bytes, size) \
    __asm__ volatile("ecfit_public_memory.%=.%0." BENCH_NUMBER ":" \
                     : \
                     : "r"((const void *)(bytes)), "i"(size) \
                     : "memory")
#else
#define BENCH_MARK(bytes, size) ((void)(bytes), (void)(size))
#endif

#endif
