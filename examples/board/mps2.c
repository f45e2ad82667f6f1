/* mps2.c - Arm's MPS2 with the AN385 image, as QEMU emulates it: UART and watchdog of the Cortex-M
 * System Design Kit (DDI 0479, 4.3 and 4.5), no random generator. */
#include "board.h"
#include "semihosting.h"

#define HZ 25000000u

#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_BAUDDIV REGISTER(0x40004010)

#define WATCHDOG_LOAD REGISTER(0x40008000)
#define WATCHDOG_CONTROL REGISTER(0x40008008)
#define WATCHDOG_CLEAR REGISTER(0x4000800C)
#define WATCHDOG_LOCK REGISTER(0x40008C00)

void board_start(void)
{
    UART_BAUDDIV = HZ / 115200;
    UART_CONTROL = 1; /* transmit */
}

int board_random(void *context, uint8_t *out, size_t size)
{
    (void)context;
    (void)out;
    (void)size;
    return -1; /* there is none, and nothing takes its place */
}

void board_say(const char *text)
{
    for (; *text != 0; text++) {
        while (UART_STATE & 1) {
        }
        UART_DATA = (uint8_t)*text;
    }
}

/* After 20 ms it interrupts (NMI, which ends an example with code 99), after 20 more it resets. */
void board_watchdog_start(void)
{
    WATCHDOG_LOCK = 0x1ACCE551;
    WATCHDOG_LOAD = HZ / 50;
    WATCHDOG_CONTROL = 3; /* interrupts, and resets */
}

void board_watchdog_feed(void)
{
    WATCHDOG_CLEAR = 1; /* loads the counter again, too */
}

void board_end(int code)
{
    semihosting_exit(code);
}
