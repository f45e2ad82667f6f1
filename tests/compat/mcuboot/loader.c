/* loader.c - a boot loader around MCUboot's validation, which tools/rigs/mcuboot_faults.py attacks
 *
 * It decides as boot/zephyr/main.c of MCUboot does: FIH_CALL, FIH_NOT_EQ, FIH_PANIC.
 * VALIDATIONS: how many times it asks. BOOT_SLOT, BOOT_SLOT_SIZE: where the image is. */
#include <string.h>

#include "bootutil/fault_injection_hardening.h"
#include "bootutil/image.h"
#include "flash_map_backend/flash_map_backend.h"

#define VECTOR_TABLE (*(volatile uint32_t *)0xe000ed08) /* SCB->VTOR: Armv6-M, Armv7-M manuals */

int flash_area_read(const struct flash_area *area, uint32_t offset, void *out, uint32_t size)
{
    if (offset > area->fa_size || size > area->fa_size - offset) {
        return -1;
    }
    memcpy(out, (const uint8_t *)BOOT_SLOT + offset, size);
    return 0;
}

/* As do_boot() of MCUboot's port for Cortex-M. */
__attribute__((noreturn, noinline)) static void start(const struct image_header *header)
{
    const uint32_t program = BOOT_SLOT + header->ih_hdr_size;
    const volatile uint32_t *vectors = (const volatile uint32_t *)(uintptr_t)program;
    const uint32_t stack = vectors[0], reset = vectors[1];
    VECTOR_TABLE = program;
    __asm__ volatile("msr msp, %0\n\tbx %1" : : "r"(stack), "r"(reset) : "memory");
    __builtin_unreachable();
}

static uint8_t part[256]; /* of the image, for the hash */

void bench_main(void);

void bench_main(void)
{
    static const struct flash_area area = {.fa_size = BOOT_SLOT_SIZE};
    struct image_header header;
    FIH_DECLARE(valid, FIH_FAILURE);
    if (flash_area_read(&area, 0, &header, sizeof header) != 0 || header.ih_magic != IMAGE_MAGIC) {
        FIH_PANIC;
    }
#if VALIDATIONS == 2
    FIH_CALL(bootutil_img_validate, valid, NULL, &header, &area, part, sizeof part, NULL, 0, NULL);
    if (FIH_NOT_EQ(valid, FIH_SUCCESS)) {
        FIH_PANIC;
    }
    memset(part, 0, sizeof part);
#endif
    FIH_CALL(bootutil_img_validate, valid, NULL, &header, &area, part, sizeof part, NULL, 0, NULL);
    if (FIH_NOT_EQ(valid, FIH_SUCCESS)) {
        FIH_PANIC;
    }
    start(&header);
}
