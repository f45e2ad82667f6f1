/* uart_cmsdk.c - the UART of Arm's Cortex-M System Design Kit (DDI 0479, 4.3),
 * as on the MPS2 boards. */
#include "board.h"

#define DATA REGISTER(UART_BASE + 0x00)
#define STATE REGISTER(UART_BASE + 0x04)
#define CONTROL REGISTER(UART_BASE + 0x08)
#define BAUDDIV REGISTER(UART_BASE + 0x10)

void board_clocks(void) {}

void board_start(void)
{
    BAUDDIV = BOARD_HZ / UART_BAUD;
    CONTROL = 3; /* transmit and receive */
}

void board_put(uint8_t byte)
{
    while (STATE & 1) {
    }
    DATA = byte;
}

uint8_t board_get(void)
{
    while (!(STATE & 2)) {
    }
    return (uint8_t)DATA;
}
