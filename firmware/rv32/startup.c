/* startup.c - reset of an image for an RV32 core.
 *
 * Sets gp and sp, copies .data (and .text, where it is to run in RAM), clears .bss,
 * calls the harness. Nothing here calls the C library, so that an empty image holds none of it
 * and whatever an image links of it is charged to the library under test. */
#include <stdint.h>

extern uint32_t image_code_source[]; /* from the linker script */
extern uint32_t image_code_start[];
extern uint32_t image_code_end[];
extern uint32_t image_data_source[];
extern uint32_t image_data_start[];
extern uint32_t image_data_end[];
extern uint32_t image_bss_start[];
extern uint32_t image_bss_end[];

void bench_main(void);
void bench_reset(void);
void bench_start(void);

/* The first instruction of the image. gp must be loaded without the help of gp. */
__attribute__((naked, section(".reset"), used)) void bench_reset(void)
{
    __asm__ volatile(".option push\n\t"
                     ".option norelax\n\t"
                     "la gp, __global_pointer$\n\t"
                     ".option pop\n\t"
                     "la sp, image_stack_top\n\t"
                     "j bench_start");
}

static void copy(uint32_t *word, const uint32_t *end, const uint32_t *source)
{
    while (word < end)
        *word++ = *source++;
}

__attribute__((noreturn, used)) void bench_start(void)
{
    copy(image_code_start, image_code_end, image_code_source);
    copy(image_data_start, image_data_end, image_data_source);
    for (uint32_t *word = image_bss_start; word < image_bss_end; word++)
        *word = 0;
    bench_main();
    for (;;) {
    }
}
