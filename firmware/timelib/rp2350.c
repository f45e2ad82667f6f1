/* rp2350.c - RP2350 (data sheet, 8.5 ticks, 12.8 timers, 3.1 SIO): TIMER0, which counts every 366th
 * clock of the crystal of 12 MHz, and GPIO2 as the pin. */
#include "timelib.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RESETS_CLEAR REGISTER(0x40023000)
#define RESET_DONE REGISTER(0x40020008)
#define TIMER0 (1u << 23)
#define TICKS_TIMER0_CTRL REGISTER(0x40108018)
#define TICKS_TIMER0_CYCLES REGISTER(0x4010801C)
#define TIMER_RAW_LOW REGISTER(0x400B0028)
#define GPIO2_CTRL REGISTER(0x40028014)
#define PAD2_CLEAR REGISTER(0x4003B00C)
#define GPIO_OUT_SET REGISTER(0xD0000018)
#define GPIO_OUT_CLEAR REGISTER(0xD0000020)
#define GPIO_OE_SET REGISTER(0xD0000038)
#define PIN (1u << 2)

void timelib_port_start(void)
{
    TICKS_TIMER0_CYCLES = 366;
    TICKS_TIMER0_CTRL = 1;
    RESETS_CLEAR = TIMER0;
    while (!(RESET_DONE & TIMER0)) {
    }
    GPIO2_CTRL = 5;       /* SIO */
    PAD2_CLEAR = 1u << 8; /* isolation off */
    GPIO_OE_SET = PIN;
}

uint32_t timelib_port_ticks(void)
{
    return TIMER_RAW_LOW;
}

void timelib_port_pin(int high)
{
    if (high)
        GPIO_OUT_SET = PIN;
    else
        GPIO_OUT_CLEAR = PIN;
}
