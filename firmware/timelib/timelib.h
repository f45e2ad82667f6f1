/* timelib.h - times a task with two clocks, and marks it on a pin.
 *
 *     timelib_start();
 *     timelib_begin();
 *     work();
 *     timelib_time took = timelib_end();
 *
 * The pin is high from begin to end. A power analyser records it beside the current, and
 * `ecfit energy --marker d0` finds the task by it. Between two tasks, leave the pin low for two
 * samples of the analyser. The times go to a time trace, a line for each
 * task: "sign,5012" below "task,duration_ticks@32768" (docs/energy.md).
 *
 * The slow clock runs at about 32 kHz, TIMELIB_TICK_HZ, and also while the core sleeps. The cycle
 * counter runs at TIMELIB_HZ. It may have no more than 24 bits, as SysTick: the slow clock says how
 * often it went round. For that, the two clocks must agree within half a turn.
 *
 * Ports: mps2.c, nrf.c, stm32f4.c, sim.c. No interrupt may call any of these functions. */
#ifndef TIMELIB_H
#define TIMELIB_H

#include <stdint.h>

typedef struct {
    uint32_t ticks;  /* of the slow clock */
    uint32_t cycles; /* of the core */
} timelib_time;

/* Both clocks run, the pin is low. */
void timelib_start(void);

/* One task at a time. */
void timelib_begin(void);
timelib_time timelib_end(void);

/* What a port offers. The cycles are counted up, in 24 bits; SysTick has them (systick.c). */
void timelib_port_start(void);
uint32_t timelib_port_ticks(void); /* TIMELIB_TICKS, a mask, are valid */
void timelib_port_pin(int high);
void timelib_port_cycles_start(void);
uint32_t timelib_port_cycles(void);

#endif
