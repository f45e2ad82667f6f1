/* board.h - what an example needs of the machine that it runs on: a random generator, a line of
 * text, a watchdog.
 *
 * host.c is this machine, microbit.c and mps2.c are boards that QEMU emulates,
 * simulator.c is for the chips that `ecfit measure` simulates. Your board is a file like these. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Pins, clocks and the generator, where there are some. */
void board_start(void);

/* The hardware's random generator, as ecfit_rng wants it. Returns 0 when it worked. */
int board_random(void *context, uint8_t *out, size_t size);

/* A text to whoever looks; board_say_bytes: "name: 0123..", a line. */
void board_say(const char *text);
void board_say_bytes(const char *name, const uint8_t *bytes, size_t size);

/* A watchdog that resets the machine unless it is fed every 20 ms or so. */
void board_watchdog_start(void);
void board_watchdog_feed(void);

/* The program is over: 0 when all went well. Does not return. */
__attribute__((noreturn)) void board_end(int code);

#endif
