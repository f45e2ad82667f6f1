/* main.c - the boot loader: verifies the image in its one slot, and starts it.
 *
 * Everything is found out twice, and each time adds a number. The address of the program is
 * computed from their sum, and stands nowhere before: a branch that goes wrong leads nowhere.
 * Until then a memory protection unit, on cores that have one, lets nothing in the slot execute:
 * registers hold addresses in it, and one wrong bit makes a move of one a branch. */
#include "boot.h"
#include "check.h"
#include "port.h"

#define VECTOR_TABLE (*(volatile uint32_t *)0xe000ed08) /* SCB->VTOR: Armv6-M, Armv7-M manuals */

/* MPU_TYPE, CTRL, RNR, RBAR, RASR (Armv6-M, Armv7-M) or RLAR (Armv8-M); without a unit, nothing. */
#define PROTECTION ((volatile uint32_t *)0xe000ed90)
#define WITH_DEFAULTS 5u /* CTRL: enabled, and what is in no region is as without it */
#ifdef __ARM_ARCH_8M_MAIN__
#define ATTRIBUTES (*(volatile uint32_t *)0xe000edc0) /* MPU_MAIR0 */
#define NORMAL_MEMORY 0x44u                           /* not cached */
#define REGION_BASE (BOOT_SLOT | 7u)                  /* read-only, execute never */
#define REGION_REST ((BOOT_SLOT + BOOT_SLOT_SIZE - 32) | 1u)
#else
#define REGION_BASE BOOT_SLOT
#define REGION_REST \
    (1u << 28 | 6u << 24 | 2u << 16 | ((uint32_t)__builtin_ctz(BOOT_SLOT_SIZE) - 1) << 1 | 1u)
#endif
_Static_assert((BOOT_SLOT_SIZE & (BOOT_SLOT_SIZE - 1)) == 0 && BOOT_SLOT % BOOT_SLOT_SIZE == 0,
               "a region of the protection unit is a power of two, and aligned to it");

void bench_main(void);

/* From now on nothing in the slot is executed. */
static void protect(void)
{
#ifdef __ARM_ARCH_8M_MAIN__
    ATTRIBUTES = NORMAL_MEMORY;
#endif
    PROTECTION[2] = 0;
    PROTECTION[3] = REGION_BASE;
    PROTECTION[4] = REGION_REST;
    PROTECTION[1] = WITH_DEFAULTS;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* Starts a program as a reset does: its own vectors, its own stack. `sum`: BOOT_GENUINE. */
__attribute__((noreturn)) static void start(uint32_t sum)
{
    const uint32_t program = BOOT_SLOT + BOOT_HEADER - BOOT_GENUINE + sum;
    const volatile uint32_t *vectors = (const volatile uint32_t *)(uintptr_t)program;
    const uint32_t stack = vectors[0], reset = vectors[1];
    VECTOR_TABLE = program;
    PROTECTION[1] = 0;
    __asm__ volatile("dsb\n\tisb\n\tmsr msp, %0\n\tbx %1" : : "r"(stack), "r"(reset) : "memory");
    __builtin_unreachable();
}

void bench_main(void)
{
    boot_pass first, second;
    /* Volatile: no number is taken for another that it was compared with. */
    volatile uint32_t result, sum = 0;
    protect();
    port_start();
    check_start();
    result = boot_verify(&first);
    if (result != BOOT_SIGNED)
        port_refuse(result);
    sum += result;
    result = boot_verify(&second);
    if (result != BOOT_SIGNED)
        port_refuse(result);
    sum += result;
    sum += boot_age(BOOT_AGE_1);
    sum += boot_age(BOOT_AGE_2);
    if (sum != BOOT_GENUINE)
        port_refuse(BOOT_DOWNGRADE);
    result = sum;
    sum = 0;
    start(result);
}
