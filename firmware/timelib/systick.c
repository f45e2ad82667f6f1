/* systick.c - the cycles of a Cortex-M core, counted by SysTick without its interrupt
 * (Armv6-M and Armv7-M reference manuals, B3.3). */
#include "timelib.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define CONTROL REGISTER(0xE000E010)
#define RELOAD REGISTER(0xE000E014)
#define VALUE REGISTER(0xE000E018)

void timelib_port_cycles_start(void)
{
    RELOAD = 0xFFFFFF;
    VALUE = 0;
    CONTROL = 5; /* on, the core's clock */
}

uint32_t timelib_port_cycles(void)
{
    return 0xFFFFFF - VALUE;
}
