/* bench_stop.h - how code on the emulated ESP8266 hands control to the host: startup.c writes an
 * answer with this number, and ends the emulator. */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

void bench_end(unsigned number) __attribute__((noreturn));

#define BENCH_STOP(number) bench_end(number)

#endif
