/* bench_stop.h - how code on an AVR hands control to the host: BREAK, with a number in the
 * instruction behind it, which does nothing. */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#define BENCH_STOP(number) __asm__ volatile("break\n\tmov r" #number ", r" #number)

#endif
