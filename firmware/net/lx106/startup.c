/* startup.c - reset of a program for the core LX106 on QEMU's board LX60. Interrupts stay masked;
 * an exception is a line on the UART. */
#include "../../board/board.h"
#include "../../lx106/bench_stop.h"
#include "../net.h"

extern uint32_t image_data_source[]; /* from the linker script */
extern uint32_t image_data_start[];
extern uint32_t image_data_end[];
extern uint32_t image_bss_start[];
extern uint32_t image_bss_end[];

void bench_main(void);
void bench_start(void);
void bench_trapped(void);

__asm__(".pushsection .reset, \"ax\"\n"
        "bench_reset:\n\t"
        "j 1f\n\t"
        ".align 4\n"
        "2: .word image_stack_top\n"
        "3: .word bench_start\n"
        "1: movi a2, 0x2f\n\t" /* interrupts masked, exceptions in the user's vector */
        "wsr a2, ps\n\t"
        "rsync\n\t"
        "l32r a1, 2b\n\t"
        "l32r a2, 3b\n\t"
        "jx a2\n\t"
        ".popsection\n\t"
        ".global bench_reset\n\t"
        ".pushsection .vectors, \"ax\"\n"
        "5: .word bench_trapped\n\t"
        ".org 0x30\n\t"
        "j 6f\n\t"
        ".org 0x50\n\t"
        "j 6f\n\t"
        ".org 0x70\n\t"
        "j 6f\n"
        ".org 0x80\n"
        "6: l32r a0, 5b\n\t"
        "jx a0\n\t"
        ".popsection");

void bench_trapped(void)
{
    net_stop("fault: exception");
}

void bench_end(unsigned number)
{
    net_stop(number == 3 ? "fault: out of memory" : "fault: stop");
    for (;;) {
    }
}

void bench_start(void)
{
    const uint32_t *from = image_data_source;
    for (uint32_t *word = image_data_start; word < image_data_end; word++)
        *word = *from++;
    for (uint32_t *word = image_bss_start; word < image_bss_end; word++)
        *word = 0;
    bench_main();
    for (;;) {
    }
}
