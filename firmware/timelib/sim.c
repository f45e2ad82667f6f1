/* sim.c - timelib on the simulator: the host has the clocks and the pin. */
#include "sim.h"
#include "timelib.h"

void timelib_port_start(void) {}

uint32_t timelib_port_ticks(void)
{
    return (uint32_t)sim_call(SIM_TICKS, NULL, 0);
}

void timelib_port_pin(int high)
{
    sim_call(SIM_PIN, NULL, (size_t)high);
}

void timelib_port_cycles_start(void) {}

uint32_t timelib_port_cycles(void)
{
    return (uint32_t)sim_call(SIM_CYCLES, NULL, 0);
}
