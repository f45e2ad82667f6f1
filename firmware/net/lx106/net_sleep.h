/* net_sleep.h - how net.c sleeps on an LX106 with the OpenCores controller: it looks for a frame
 * until 10 ms are over. What it executes meanwhile counts as sleep (firmware/tls/port_board.c). */
#ifndef NET_SLEEP_H
#define NET_SLEEP_H

#include "../lan9118.h"

#define WAIT_MS 10
#define CLOCKS_PER_MS 40000u /* of CCOUNT in QEMU's LX60 */

int lan_waits(void); /* open_eth.c: whether a frame does */

/* All interrupts are masked from the reset on. */
static inline void sleep_never(void) {}
static inline void sleep_start(void) {}

static inline void sleep_now(void)
{
    const uint32_t since = lan_clock();
    while (!lan_waits() && lan_clock() - since < WAIT_MS * CLOCKS_PER_MS) {
    }
}

static inline void sleep_for_ever(void)
{
    for (;;) {
    }
}

#endif
