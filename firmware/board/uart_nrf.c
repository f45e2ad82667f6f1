/* uart_nrf.c - the UART of Nordic's nRF51 and nRF52 (product specifications, UART),
 * and their instruction cache. */
#include "board.h"

#define START_RX REGISTER(UART_BASE + 0x000)
#define START_TX REGISTER(UART_BASE + 0x008)
#define RX_READY REGISTER(UART_BASE + 0x108)
#define TX_READY REGISTER(UART_BASE + 0x11C)
#define ENABLE REGISTER(UART_BASE + 0x500)
#define PIN_TX REGISTER(UART_BASE + 0x50C)
#define PIN_RX REGISTER(UART_BASE + 0x514)
#define RX REGISTER(UART_BASE + 0x518)
#define TX REGISTER(UART_BASE + 0x51C)
#define BAUDRATE REGISTER(UART_BASE + 0x524)

void board_clocks(void)
{
#ifdef NRF_ICACHE
    REGISTER(0x4001E540) = 1; /* NVMC.ICACHECNF */
#endif
}

void board_start(void)
{
    PIN_TX = UART_TX_PIN;
    PIN_RX = UART_RX_PIN;
    BAUDRATE = 0x01D7E000; /* 115200 */
    ENABLE = 4;
    START_TX = 1;
    START_RX = 1;
}

void board_put(uint8_t byte)
{
    TX_READY = 0;
    TX = byte;
    while (TX_READY == 0) {
    }
}

uint8_t board_get(void)
{
    while (RX_READY == 0) {
    }
    RX_READY = 0;
    return (uint8_t)RX;
}
