/* board.h - what a board offers to the micro-benchmark firmware: a byte pipe, and clocks
 * as its target says.
 *
 * One file per UART (uart_*.c) implements these; where the pins and clocks of a board need
 * setting up, its own file does that in board_clocks(). Which files, and the macros UART_BASE,
 * UART_BAUD, BOARD_NAME, TIMELIB_HZ, come from ecfit/data/boards.toml. Nothing here may use
 * an interrupt: kernels are timed with SysTick, undisturbed (firmware/timelib). */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* Clock and flash as the board's target says, pins of the UART. Called first. */
void board_clocks(void);

/* The UART at UART_BASE: UART_BAUD, 8 data bits, no parity, 1 stop bit, no flow control. */
void board_start(void);
void board_put(uint8_t byte);
uint8_t board_get(void); /* waits */

/* A loop over one class of instructions: `count` times `per_pass` of them.
 * Position-independent from `start` to `end`, so that it also runs where it has been copied to;
 * `start` has the Thumb bit. It reads 1 KiB of data, aligned to 16 bytes, in RAM or flash,
 * and writes to it when `writes`. */
typedef struct {
    const char *name;
    const uint8_t *start;
    const uint8_t *end;
    uint32_t per_pass;
    uint32_t writes;
} kernel;

extern const kernel kernels[];
extern const kernel kernels_end[];

#endif
