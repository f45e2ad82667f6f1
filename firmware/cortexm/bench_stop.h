/* bench_stop.h - how code on a Cortex-M core hands control to the host: BKPT with a number. */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#define BENCH_STOP(number) __asm__ volatile("bkpt #" #number)

#endif
