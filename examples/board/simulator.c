/* simulator.c - a chip of `ecfit measure`, which has a core and memories and no peripherals:
 * what is said goes to board_log, which `--show board_log` prints.
 *
 * board_random() only counts: for figures, never for a device. */
#include "board.h"

/* Not in .bss: it is no RAM that the example needs. */
__attribute__((section(".noinit"))) char board_log[2048];
static size_t used;

void board_start(void) {}

int board_random(void *context, uint8_t *out, size_t size)
{
    static uint8_t count;
    (void)context;
    while (size-- > 0)
        *out++ = (uint8_t)(++count * 151u);
    return 0;
}

void board_say(const char *text)
{
    while (*text != 0 && used + 1 < sizeof board_log)
        board_log[used++] = *text++;
    board_log[used] = 0;
}

void board_watchdog_start(void) {}

void board_watchdog_feed(void) {}

void board_end(int code)
{
    (void)code;
    for (;;) {
    }
}
