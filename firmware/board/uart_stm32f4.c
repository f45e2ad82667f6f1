/* uart_stm32f4.c - a USART of the STM32F1, F2 and F4 (RM0090, 30.6). Pins and clocks:
 * the board's own file. */
#include "board.h"

#define STATUS REGISTER(UART_BASE + 0x00)
#define DATA REGISTER(UART_BASE + 0x04)
#define BAUD REGISTER(UART_BASE + 0x08)
#define CONTROL1 REGISTER(UART_BASE + 0x0C)

void board_start(void)
{
    BAUD = (UART_HZ + UART_BAUD / 2) / UART_BAUD;
    CONTROL1 = 1u << 13 | 1u << 3 | 1u << 2; /* USART on, transmitter, receiver */
}

void board_put(uint8_t byte)
{
    while (!(STATUS & 1u << 7)) {
    }
    DATA = byte;
}

uint8_t board_get(void)
{
    while (!(STATUS & 1u << 5)) {
    }
    return (uint8_t)DATA;
}
