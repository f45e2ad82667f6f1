/* main.c - the boot loader: verifies the image in its one slot, and starts it.
 *
 * BOOT_SLOT, BOOT_SLOT_SIZE: the slot in flash. BOOT_MINIMUM: a page of flash that begins with a
 * boot_minimum; the program raises it when it has proved itself, as its chip writes flash. */
#include "boot.h"
#include "check.h"
#include "port.h"

#define VECTOR_TABLE (*(volatile uint32_t *)0xe000ed08) /* SCB->VTOR: Armv6-M, Armv7-M manuals */

void bench_main(void);

/* Starts a program as a reset does: its own vectors, its own stack. */
__attribute__((noreturn)) static void start(const uint8_t *program)
{
    const uint32_t stack = boot_le32(program), reset = boot_le32(program + 4);
    VECTOR_TABLE = (uint32_t)(uintptr_t)program;
    __asm__ volatile("dsb\n\tisb\n\tmsr msp, %0\n\tbx %1" : : "r"(stack), "r"(reset) : "memory");
    __builtin_unreachable();
}

void bench_main(void)
{
    const uint8_t *slot = (const uint8_t *)BOOT_SLOT;
    const boot_minimum *minimum = (const boot_minimum *)BOOT_MINIMUM;
    boot_image image;
    /* Volatile and apart: no number is taken for another that it was compared with. */
    volatile uint32_t result, sum = 0, offset = 0u - BOOT_GENUINE;
    port_start();
    check_start();
    result = boot_verify(&image, slot, BOOT_SLOT_SIZE);
    if (result != BOOT_VERIFIED)
        port_refuse(result);
    sum += result;
    offset += result;
    result = boot_age(slot, BOOT_SLOT_SIZE, minimum, BOOT_AGE_1);
    sum += result;
    offset += result;
    result = boot_age(slot, BOOT_SLOT_SIZE, minimum, BOOT_AGE_2);
    sum += result;
    offset += result;
    if (sum != BOOT_GENUINE)
        port_refuse(BOOT_DOWNGRADE);
    start(image.program + offset); /* 0; where it is another number, nowhere */
}
