/* port.h - what the boot loader needs of the machine that it runs on.
 * port_sim.c is the simulator, port_mps2.c an MPS2 board as QEMU emulates it. */
#ifndef PORT_H
#define PORT_H

#include <stdint.h>

/* Pins, clocks and the UART, where there are some. */
void port_start(void);

/* Says that the slot is refused, and why: a number of boot.h. Does not return. */
__attribute__((noreturn)) void port_refuse(uint32_t reason);

/* The program's: says that it runs. Ends the run, with its version as the boot loader read it. */
__attribute__((noreturn)) void port_runs(uint32_t version);

#endif
