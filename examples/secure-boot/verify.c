/* verify.c - whether the image in a slot may run.
 *
 * A branch may go the wrong way: an attacker with the device in his hands can make one instruction
 * fail (docs/faults.md). So what decides are numbers that are handed on as they were computed,
 * and added up by the caller; the branches only say sooner, and why. */
#include "boot.h"
#include "check.h"

static int differ(const uint8_t *a, const uint8_t *b, size_t size)
{
    uint8_t any = 0;
    for (size_t i = 0; i < size; i++)
        any |= a[i] ^ b[i];
    return any != 0;
}

/* Whether an image is older than the oldest that may run. Major, minor, revision, build count,
 * in this order. A counter that is asked for must be there. */
static int older(const boot_image *image, const boot_minimum *minimum)
{
    const uint8_t *v = image->version, *m = minimum->version;
    const uint32_t counter = image->counter == NULL ? 0 : boot_le32(image->counter);
    const uint32_t high = (uint32_t)v[0] << 24 | (uint32_t)v[1] << 16 | boot_le16(v + 2);
    const uint32_t high_minimum = (uint32_t)m[0] << 24 | (uint32_t)m[1] << 16 | boot_le16(m + 2);
    if (counter < boot_le32(minimum->counter) || high < high_minimum)
        return 1;
    return high == high_minimum && boot_le32(v + 4) < boot_le32(m + 4);
}

/* Whether the vector table leads into the program: the stack pointer is a multiple of 4,
 * the reset handler in Thumb code of the program. */
static int misplaced(const boot_image *image)
{
    const uint32_t stack = boot_le32(image->program), reset = boot_le32(image->program + 4);
    const uint32_t offset = reset - (uint32_t)(uintptr_t)image->program;
    return (stack & 3) != 0 || (reset & 1) == 0 || offset < 8 || offset >= image->program_size;
}

uint32_t boot_verify(boot_image *image, const uint8_t *slot, size_t size)
{
    uint8_t hash[HASH_SIZE];
    volatile uint32_t result = 0; /* read again where it is returned */
    const uint32_t parsed = boot_parse(image, slot, size);
    if (parsed != BOOT_PARSED)
        return parsed;
    if (differ(image->key_hash, boot_key_hash, HASH_SIZE))
        return BOOT_WRONG_KEY;
    check_hash(hash, slot, image->signed_size);
    if (differ(image->hash, hash, HASH_SIZE)) /* says which of the two it is, decides nothing: */
        return BOOT_ALTERED;                  /* the hash that was computed is verified */
    result = check_signature(image->signature, image->signature_size, hash);
    if (result != BOOT_VERIFIED)
        return BOOT_BAD_SIGNATURE;
    if (misplaced(image))
        return BOOT_BAD_VECTORS;
    return result;
}

__attribute__((noinline)) uint32_t boot_age(const uint8_t *slot, size_t size,
                                            const boot_minimum *minimum, uint32_t word)
{
    boot_image image; /* of its own, so that a fault in one call does not reach the other */
    if (boot_parse(&image, slot, size) != BOOT_PARSED)
        return 0;
    return older(&image, minimum) ? 0 : word;
}
