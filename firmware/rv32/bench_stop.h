/* bench_stop.h - how code on a RISC-V core hands control to the host: EBREAK, with a number
 * in the instruction behind it, which does nothing. The form is that of RISC-V semihosting,
 * whose number is 7. */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#define BENCH_STOP(number) __asm__ volatile("ebreak\n\tsrai zero, zero, " #number)

#endif
