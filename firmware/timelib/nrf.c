/* nrf.c - Nordic's nRF51 and nRF52 (product specifications, CLOCK, RTC, TIMER, GPIO): the crystal
 * of 32,768 Hz through RTC1, and P0.03 as the pin. The emulated micro:bit has no RTC: there,
 * TIMER0 counts 16 MHz / 512. */
#include "timelib.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define PIN (1u << 3)

#if defined(TIMELIB_TIMER)
#define TIMER_START REGISTER(0x40008000)
#define TIMER_CAPTURE REGISTER(0x40008040)
#define TIMER_BITS REGISTER(0x40008508)
#define TIMER_PRESCALER REGISTER(0x40008510)
#define TIMER_CAPTURED REGISTER(0x40008540)

static void clock_start(void)
{
    TIMER_BITS = 3; /* 32 */
    TIMER_PRESCALER = 9;
    TIMER_START = 1;
}

uint32_t timelib_port_ticks(void)
{
    TIMER_CAPTURE = 1;
    return TIMER_CAPTURED;
}
#else
#define LFCLK_START REGISTER(0x40000008)
#define LFCLK_STARTED REGISTER(0x40000104)
#define LFCLK_SOURCE REGISTER(0x40000518)
#define RTC_START REGISTER(0x40011000)
#define RTC_COUNTER REGISTER(0x40011504)
#define RTC_PRESCALER REGISTER(0x40011508)

static void clock_start(void)
{
    LFCLK_SOURCE = 1; /* the crystal */
    LFCLK_STARTED = 0;
    LFCLK_START = 1;
    while (LFCLK_STARTED == 0) {
    }
    RTC_PRESCALER = 0;
    RTC_START = 1;
}

uint32_t timelib_port_ticks(void)
{
    return RTC_COUNTER;
}
#endif

void timelib_port_start(void)
{
    REGISTER(0x50000518) = PIN; /* GPIO.DIRSET */
    clock_start();
}

void timelib_port_pin(int high)
{
    REGISTER(high ? 0x50000508 : 0x5000050C) = PIN; /* GPIO.OUTSET, OUTCLR */
}
