/* uart_16550.c - a UART of the kind 16550, as on QEMU's LX60, which sends at once. */
#include "board.h"

#define DATA (*(volatile uint8_t *)(uintptr_t)UART_BASE)
#define STATE (*(volatile uint8_t *)(uintptr_t)(UART_BASE + 4 * 5))

void board_clocks(void) {}

void board_start(void) {}

void board_put(uint8_t byte)
{
    while (!(STATE & 0x20)) {
    }
    DATA = byte;
}

uint8_t board_get(void)
{
    while (!(STATE & 1)) {
    }
    return DATA;
}
