/* net.h - a board with Ethernet for firmware that talks: QEMU's MPS2 boards, lwIP without a system
 *
 *   net.c          start, time, sleep; lwIP's interface over the Ethernet controller
 *   lan9118.c      that controller: SMSC LAN9118
 *   lwipopts.h     what is in the stack, arch/cc.h what it needs of the compiler
 *
 * A program is one file with bench_main() (start-up and linker script are those of the
 * bench, firmware/cortexm):
 *
 *     net_start();
 *     .. udp_new(), tcp_new(): lwIP's raw interface ..
 *     for (;;) {
 *         net_poll();                  what came in, and lwIP's timers
 *         .. what the program has to do ..
 *         net_wait();                  asleep until a frame comes, 10 ms at most
 *     }
 *
 * No interrupt is ever taken: they stay masked, and one that is pending only ends the sleep.
 * So nothing here happens beside the program, and no function needs to be reentrant.
 *
 * The build (ecfit/build/netimage.py) defines, from ecfit/data/machines.toml: LAN_BASE and LAN_IRQ,
 * UART_BASE and UART_BAUD, BOARD_HZ; and NET_TCP, 1 where TCP is to be in the stack.
 * The address is the first that QEMU's user network gives out: 10.0.2.15/24, gateway 10.0.2.2.
 */
#ifndef NET_H
#define NET_H

#include <stdint.h>

/* Everything up: UART, clock, controller, stack, interface. A controller that does not answer
 * says so on the UART and stops there. */
void net_start(void);

void net_poll(void);
void net_wait(void);

/* Milliseconds since the start; wraps after 49 days. Costs a read of the controller. */
uint32_t net_ms(void);

/* A line to the UART: for who watches. */
void net_say(const char *text);

/* Never returns. */
void net_stop(const char *why);

#endif
