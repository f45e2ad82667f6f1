/* mps2.c - Arm's MPS2 boards: the FPGA's counter behind its prescaler, and LED 0 as the pin
 * (Arm DAI0385, FPGA system control and I/O). It counts 25 MHz / 763. */
#include "timelib.h"

#define REGISTER(offset) (*(volatile uint32_t *)(uintptr_t)(0x40028000u + (offset)))
#define LEDS REGISTER(0x00)
#define COUNTER REGISTER(0x18)
#define PRESCALE REGISTER(0x1C)

void timelib_port_start(void)
{
    PRESCALE = 763 - 1;
}

uint32_t timelib_port_ticks(void)
{
    return COUNTER;
}

void timelib_port_pin(int high)
{
    LEDS = (uint32_t)high;
}
