/* net_sleep.h - how net.c sleeps on a Cortex-M with the LAN9118: WFI, which the controller's
 * interrupt and SysTick end. */
#ifndef NET_SLEEP_H
#define NET_SLEEP_H

#include "../../board/board.h"

#define SYSTICK_CONTROL REGISTER(0xE000E010) /* Armv7-M reference manual, B3.3 */
#define SYSTICK_RELOAD REGISTER(0xE000E014)
#define SYSTICK_VALUE REGISTER(0xE000E018)
#define INTERRUPT_STATE REGISTER(0xE000ED04) /* ICSR, B3.2 */
#define CLEAR_SYSTICK (1u << 25)
#define NVIC_ENABLE(irq) REGISTER(0xE000E100 + 4 * ((irq) / 32))
#define NVIC_CLEAR(irq) REGISTER(0xE000E280 + 4 * ((irq) / 32))
#define NVIC_BIT(irq) (1u << ((irq) % 32))

#define WAIT_MS 10
#define CLOCKS_PER_MS 25000u /* of the controller's counter */

static inline void sleep_never(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void sleep_start(void)
{
    SYSTICK_RELOAD = BOARD_HZ / 1000 * WAIT_MS - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7; /* on, the core's clock, pending when it reaches 0 */
    NVIC_ENABLE(LAN_IRQ) = NVIC_BIT(LAN_IRQ);
}

static inline void sleep_now(void)
{
    NVIC_CLEAR(LAN_IRQ) = NVIC_BIT(LAN_IRQ); /* a level: pending again where a frame waits */
    __asm__ volatile("dsb\n\twfi" ::: "memory");
    INTERRUPT_STATE = CLEAR_SYSTICK;
}

static inline void sleep_for_ever(void)
{
    for (;;)
        __asm__ volatile("wfi");
}

#endif
