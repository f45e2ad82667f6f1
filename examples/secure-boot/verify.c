/* verify.c - whether the image in a slot may run.
 *
 * A branch may go the wrong way: an attacker with the device in his hands can make one instruction
 * fail (docs/faults.md). So what decides are numbers that are handed on as they were computed,
 * and added up by the caller; the branches only say sooner, and why. */
#include "boot.h"
#include "check.h"

#define POISON 0x5a

#define SLOT ((const uint8_t *)BOOT_SLOT)

/* These have an address in the slot in registers that they give back as they were. */
__attribute__((noinline)) static int differ(uint32_t place, const uint8_t *other)
{
    uint8_t any = 0;
    for (size_t i = 0; i < HASH_SIZE; i++)
        any |= SLOT[place + i] ^ other[i];
    return any != 0;
}

__attribute__((noinline)) static void take(uint8_t *to, uint32_t place, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = SLOT[place + i];
}

/* Whether an image is older than the oldest that may run. Major, minor, revision, build count,
 * in this order. A counter that is asked for must be there. */
static int older(const boot_image *image, const boot_minimum *minimum)
{
    const uint8_t *v = SLOT + BOOT_VERSION, *m = minimum->version;
    const uint32_t counter = image->counter == 0 ? 0 : boot_le32(SLOT + image->counter);
    const uint32_t high = (uint32_t)v[0] << 24 | (uint32_t)v[1] << 16 | boot_le16(v + 2);
    const uint32_t high_minimum = (uint32_t)m[0] << 24 | (uint32_t)m[1] << 16 | boot_le16(m + 2);
    if (counter < boot_le32(minimum->counter) || high < high_minimum)
        return 1;
    return high == high_minimum && boot_le32(v + 4) < boot_le32(m + 4);
}

/* Whether the vector table leads into the program, where it is started: the stack pointer is a
 * multiple of 4, the reset handler in Thumb code of the program. */
static int misplaced(const boot_image *image)
{
    const uint8_t *program = SLOT + BOOT_HEADER;
    const uint32_t stack = boot_le32(program), reset = boot_le32(program + 4);
    const uint32_t offset = reset - (uint32_t)(uintptr_t)program;
    return (stack & 3) != 0 || (reset & 1) == 0 || offset < 8 || offset >= image->program_size;
}

/* Fills what a verification works with. Not with zeros: anybody can make a signature of a hash
 * that is zero. */
static void poison(boot_pass *pass)
{
    volatile uint8_t *byte = (volatile uint8_t *)pass;
    for (size_t i = 0; i < sizeof *pass; i++)
        byte[i] = POISON;
}

/* Whether something stands behind the image: what nobody signed is not to be in the slot. */
__attribute__((noinline)) static int followed(const boot_image *image)
{
    const uint32_t *words = (const uint32_t *)BOOT_SLOT;
    size_t size = BOOT_SLOT_SIZE;
    while (size >= image->size + 4 && words[size / 4 - 1] == 0xffffffff)
        size -= 4;
    while (size > image->size && SLOT[size - 1] == 0xff)
        size--;
    return size != image->size;
}

static uint32_t checked(boot_pass *pass)
{
    boot_image *image = &pass->image;
    volatile uint32_t result = 0; /* read again where it is returned */
    const uint32_t parsed = boot_parse(image, SLOT, BOOT_SLOT_SIZE);
    if (parsed != BOOT_PARSED)
        return parsed;
    if (differ(image->key_hash, boot_key_hash))
        return BOOT_WRONG_KEY;
    check_hash(pass->hash, SLOT, image->signed_size);
    if (differ(image->hash, pass->hash)) /* says which of the two it is, decides nothing: */
        return BOOT_ALTERED;             /* the hash that was computed is verified */
    take(pass->signature, image->signature, image->signature_size);
    result = check_signature(pass->signature, image->signature_size, pass->hash);
#if defined(BOOT_SECOND)
    take(pass->second, image->second, SECOND_SIZE);
    result += check_second(pass->second, pass->hash);
#endif
    if (result != BOOT_SIGNED)
        return BOOT_BAD_SIGNATURE;
    if (misplaced(image))
        return BOOT_BAD_VECTORS;
    if (followed(image))
        return BOOT_BAD_TRAILER;
    return result;
}

__attribute__((noinline)) uint32_t boot_verify(boot_pass *pass)
{
    poison(pass);
    const uint32_t result = checked(pass);
    poison(pass);
    return result;
}

__attribute__((noinline)) uint32_t boot_age(uint32_t word)
{
    boot_image image; /* of its own, so that a fault in one call does not reach the other */
    if (boot_parse(&image, SLOT, BOOT_SLOT_SIZE) != BOOT_PARSED)
        return 0;
    return older(&image, (const boot_minimum *)BOOT_MINIMUM) ? 0 : word;
}
