/* startup.c - reset of an image for an AVR core.
 *
 * Clears r1 and SREG, sets the stack pointer, copies initialised data out of flash, clears .bss,
 * calls the harness. Nothing here calls the C library, so that an empty image holds none of it
 * and whatever an image links of it is charged to the library under test. */
#include <avr/pgmspace.h>
#include <stdint.h>

extern const uint8_t image_data_source[]; /* from the linker script; in flash */
extern uint8_t image_data_start[];
extern uint8_t image_data_end[];
extern const uint8_t image_bench_source[];
extern uint8_t image_bench_start[];
extern uint8_t image_bench_end[];
extern uint8_t image_bss_start[];
extern uint8_t image_bss_end[];

void bench_main(void);
void bench_reset(void);
void bench_start(void);

/* The first instruction of the image. */
__attribute__((naked, section(".reset"), used)) void bench_reset(void)
{
    __asm__ volatile("clr r1\n\t"
                     "out 0x3f, r1\n\t"
                     "ldi r28, lo8(image_stack_top)\n\t"
                     "ldi r29, hi8(image_stack_top)\n\t"
                     "out 0x3e, r29\n\t"
                     "out 0x3d, r28\n\t"
                     "jmp bench_start");
}

static void copy(uint8_t *byte, const uint8_t *end, const uint8_t *source)
{
    while (byte < end)
        *byte++ = pgm_read_byte(source++);
}

__attribute__((noreturn, used)) void bench_start(void)
{
    copy(image_data_start, image_data_end, image_data_source);
    copy(image_bench_start, image_bench_end, image_bench_source);
    for (uint8_t *byte = image_bss_start; byte < image_bss_end; byte++)
        *byte = 0;
    bench_main();
    for (;;) {
    }
}
