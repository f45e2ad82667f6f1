/* port_sim.c - the simulator: BKPT #3 ends a run with a refusal, BKPT #4 in the program;
 * the number is in r0. */
#include "port.h"

void port_start(void) {}

void port_refuse(uint32_t reason)
{
    register uint32_t r0 __asm__("r0") = reason;
    for (;;)
        __asm__ volatile("bkpt #3" : : "r"(r0));
}

void port_runs(uint32_t version)
{
    register uint32_t r0 __asm__("r0") = version;
    for (;;)
        __asm__ volatile("bkpt #4" : : "r"(r0));
}
