/* startup.c - vector table and reset of an image for a Cortex-M core.
 *
 * Copies .data (and .text, where it is to run in RAM), clears .bss, calls the harness.
 * Nothing here calls the C library, so that an empty image holds none of it and whatever an image
 * links of it is charged to the library under test. */
#include <stdint.h>

extern uint32_t image_stack_top[]; /* from the linker script */
extern uint32_t image_code_source[];
extern uint32_t image_code_start[];
extern uint32_t image_code_end[];
extern uint32_t image_data_source[];
extern uint32_t image_data_start[];
extern uint32_t image_data_end[];
extern uint32_t image_bss_start[];
extern uint32_t image_bss_end[];

void bench_main(void);
void bench_reset(void);
void bench_unexpected(void);

/* Any exception: the simulator stops on BKPT #2 and reports it. */
__attribute__((naked)) void bench_unexpected(void)
{
    __asm__ volatile("bkpt #2");
}

static void copy(uint32_t *word, const uint32_t *end, const uint32_t *source)
{
    while (word < end)
        *word++ = *source++;
}

__attribute__((noreturn)) void bench_reset(void)
{
    copy(image_code_start, image_code_end, image_code_source);
    copy(image_data_start, image_data_end, image_data_source);
    for (uint32_t *word = image_bss_start; word < image_bss_end; word++)
        *word = 0;
    bench_main();
    for (;;) {
    }
}

/* Armv6-M Architecture Reference Manual (DDI 0419), B1.5.2: initial SP, reset, NMI, HardFault. */
__attribute__((section(".vectors"), used)) const uint32_t *const bench_vectors[4] = {
    image_stack_top,
    (const uint32_t *)(uintptr_t)bench_reset,
    (const uint32_t *)(uintptr_t)bench_unexpected,
    (const uint32_t *)(uintptr_t)bench_unexpected,
};
