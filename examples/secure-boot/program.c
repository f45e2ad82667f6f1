/* program.c - the program that is booted: says which version of it runs.
 * Its header stands at the beginning of the slot, BOOT_SLOT. */
#include "boot.h"
#include "port.h"

void bench_main(void);

void bench_main(void)
{
    const volatile uint8_t *version = (const volatile uint8_t *)BOOT_SLOT + 20;
    port_runs((uint32_t)version[0] << 24 | (uint32_t)version[1] << 16 | (uint32_t)version[3] << 8 |
              version[2]);
}
