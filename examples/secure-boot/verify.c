/* verify.c - whether the image in a slot may run.
 *
 * That the signature holds is a number that is computed, in check_signature and here, and reaches
 * the caller as it is: a branch that goes the wrong way does not make it BOOT_GENUINE. */
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

uint32_t boot_verify(boot_image *image, const uint8_t *slot, size_t size,
                     const boot_minimum *minimum)
{
    uint8_t hash[HASH_SIZE];
    const uint32_t parsed = boot_parse(image, slot, size);
    if (parsed != BOOT_GENUINE)
        return parsed;
    if (differ(image->key_hash, boot_key_hash, HASH_SIZE))
        return BOOT_WRONG_KEY;
    check_hash(hash, slot, image->signed_size);
    if (differ(image->hash, hash, HASH_SIZE)) /* says which of the two it is, decides nothing: */
        return BOOT_ALTERED;                  /* the hash that was computed is verified */
    const uint32_t valid = check_signature(image->signature, image->signature_size, hash);
    if (valid != CHECK_VALID)
        return BOOT_BAD_SIGNATURE;
    if (older(image, minimum))
        return BOOT_DOWNGRADE;
    if (misplaced(image))
        return BOOT_BAD_VECTORS;
    if (older(image, minimum)) /* twice: a branch that is left out once runs an old image */
        return BOOT_DOWNGRADE;
    return valid ^ (CHECK_VALID ^ BOOT_GENUINE);
}
