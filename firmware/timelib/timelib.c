/* timelib.c - times a task with two clocks, and marks it on a pin. */
#include "timelib.h"

#define TURN 0x1000000u /* cycles until the counter goes round */

static timelib_time begun;

void timelib_start(void)
{
    timelib_port_start();
    timelib_port_cycles_start();
    timelib_port_pin(0);
}

void timelib_begin(void)
{
    timelib_port_pin(1);
    begun.ticks = timelib_port_ticks();
    begun.cycles = timelib_port_cycles();
}

timelib_time timelib_end(void)
{
    timelib_time took;
    const uint32_t cycles = timelib_port_cycles() - begun.cycles;
    took.ticks = (timelib_port_ticks() - begun.ticks) & TIMELIB_TICKS;
    timelib_port_pin(0);
    /* The number of cycles that is nearest to what the slow clock says, of those with these
     * low 24 bits. */
    const uint32_t about = (uint32_t)((uint64_t)took.ticks * TIMELIB_HZ / TIMELIB_TICK_HZ);
    const uint32_t more = (cycles - about) & (TURN - 1);
    took.cycles = more < TURN / 2 || about < TURN - more ? about + more : about + more - TURN;
    return took;
}
