/* microbit.c - Nordic nRF51, as QEMU emulates the BBC micro:bit. The generator, the UART and the
 * watchdog have the same registers on an nRF52 (product specifications, RNG, UART, WDT). */
#include "board.h"
#include "semihosting.h"

#define RNG_START REGISTER(0x4000D000)
#define RNG_READY REGISTER(0x4000D100)
#define RNG_CONFIG REGISTER(0x4000D504)
#define RNG_VALUE REGISTER(0x4000D508)
#define RNG_PATIENCE 1000000u /* looks at RNG_READY; a byte takes about 700 us */

#define UART_START REGISTER(0x40002008)
#define UART_READY REGISTER(0x4000211C)
#define UART_ENABLE REGISTER(0x40002500)
#define UART_PIN REGISTER(0x4000250C)
#define UART_DATA REGISTER(0x4000251C)
#define UART_BAUD REGISTER(0x40002524)

#define WDT_START REGISTER(0x40010000)
#define WDT_LIMIT REGISTER(0x40010504)
#define WDT_ENABLE REGISTER(0x40010508)
#define WDT_RELOAD REGISTER(0x40010600)

void board_start(void)
{
    UART_PIN = 24;
    UART_BAUD = 0x01D7E000; /* 115200 */
    UART_ENABLE = 4;
    UART_START = 1;
    RNG_CONFIG = 1; /* corrects its bias: the bytes are equally probable, and take longer */
    RNG_START = 1;
}

int board_random(void *context, uint8_t *out, size_t size)
{
    (void)context;
    while (size-- > 0) {
        uint32_t patience = RNG_PATIENCE;
        RNG_READY = 0; /* the next byte, not the last one */
        while (RNG_READY == 0)
            if (--patience == 0)
                return -1;
        *out++ = (uint8_t)RNG_VALUE;
    }
    return 0;
}

void board_say(const char *text)
{
    for (; *text != 0; text++) {
        UART_READY = 0;
        UART_DATA = (uint8_t)*text;
        while (UART_READY == 0) {
        }
    }
}

void board_watchdog_start(void)
{
    WDT_LIMIT = 655; /* 20 ms of 32768 Hz */
    WDT_ENABLE = 1;
    WDT_START = 1;
}

void board_watchdog_feed(void)
{
    WDT_RELOAD = 0x6E524635;
}

void board_end(int code)
{
    semihosting_exit(code);
}
