/* start.c - the vector table and the reset of a Cortex-M core: data and stack put in place,
 * then main(). Your project has its own. */
#include "board.h"

extern uint32_t stack_top[], data_source[], data_start[], data_end[], bss_start[], bss_end[];

int main(void);

__attribute__((noreturn)) static void reset(void)
{
    const uint32_t *from = data_source;
    for (volatile uint32_t *to = data_start; to < data_end; to++)
        *to = *from++;
    for (volatile uint32_t *to = bss_start; to < bss_end; to++)
        *to = 0;
    board_start();
    board_end(main());
}

__attribute__((noreturn)) static void unexpected(void)
{
    board_end(99);
}

/* Stack pointer, reset, NMI, HardFault: no example has interrupts. */
__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[3])(void);
} vectors = {stack_top, {reset, unexpected, unexpected}};
