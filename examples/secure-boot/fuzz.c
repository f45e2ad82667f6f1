/* fuzz.c - the parser of the boot loader on any bytes (tools/fuzz/run.sh boot).
 *
 * The slot ends where the input ends, so that a byte read behind it is found. What the parser
 * finds must lie in the slot, and behind the header. */
#include "boot.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(size_t size, size_t part, size_t length)
{
    if (part < BOOT_VERSION || length > size || part > size - length)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    boot_image image;
    uint8_t *slot = malloc(size == 0 ? 1 : size);
    if (slot == NULL)
        return 0;
    memcpy(slot, data, size);
    const uint32_t result = boot_parse(&image, slot, size);
    if (result == BOOT_PARSED) {
        inside(size, BOOT_HEADER, image.program_size);
        inside(size, image.hash, HASH_SIZE);
        inside(size, image.key_hash, HASH_SIZE);
        inside(size, image.signature, image.signature_size);
#if defined(BOOT_SECOND)
        inside(size, image.second, SECOND_SIZE);
#endif
        if (image.counter != 0)
            inside(image.signed_size, image.counter, 4);
        if (image.signed_size > image.size || image.size > size || image.program_size < 8 ||
            image.signature_size < SIGNATURE_MIN || image.signature_size > SIGNATURE_MAX ||
            image.hash < image.signed_size || image.signature < image.signed_size)
            abort();
    } else if (result < BOOT_NO_IMAGE || result > BOOT_UNKNOWN_ENTRY) {
        abort();
    }
    free(slot);
    return 0;
}
