/* parse.c - the parts of an image in a slot. Reads what anybody may have written.
 *
 * A part is known by its offset, and entries are read as words: no odd address in the slot stays in
 * a register, where a wrong bit makes it a return address. */
#include "boot.h"

#define MAGIC 0x96f3b83du
#define HEADER 32u /* bytes of it that mean something */
#define INFO 4u    /* of an area: its magic and its size, these 4 bytes included */
#define ENTRY 4u   /* of an entry: type and length */
#define PROTECTED_MAGIC 0x6908u
#define OPEN_MAGIC 0x6907u

#define TYPE_KEY_HASH 0x01u
#define TYPE_COUNTER 0x50u

/* Sets a part that must not be there yet. */
static uint32_t once(uint32_t *part, uint32_t place, size_t length, size_t wanted)
{
    if (*part != 0 || length != wanted)
        return BOOT_BAD_TRAILER;
    *part = place;
    return BOOT_PARSED;
}

/* Of the protected area the loader obeys the security counter and nothing else: what the signer
 * meant by another entry, as an image that must be there too, would not be done. */
static uint32_t protected_entry(boot_image *image, uint32_t type, uint32_t place, size_t length)
{
    if (type != TYPE_COUNTER)
        return BOOT_UNKNOWN_ENTRY;
    return once(&image->counter, place, length, 4);
}

static uint32_t open_entry(boot_image *image, uint32_t type, uint32_t place, size_t length)
{
    if (type == HASH_TYPE)
        return once(&image->hash, place, length, HASH_SIZE);
    if (type == TYPE_KEY_HASH)
        return once(&image->key_hash, place, length, HASH_SIZE);
#if defined(BOOT_SECOND)
    if (type == SECOND_TYPE)
        return once(&image->second, place, length, SECOND_SIZE);
#endif
    if (type != SIGNATURE_TYPE)
        return BOOT_UNKNOWN_ENTRY;
    if (length < SIGNATURE_MIN || length > SIGNATURE_MAX)
        return BOOT_BAD_TRAILER;
    image->signature_size = length;
    return once(&image->signature, place, length, length);
}

/* Reads the area at `at`, which is not behind the end of the slot. Out: *end, where it ends. */
static uint32_t area(boot_image *image, const uint8_t *slot, size_t at, size_t size, uint32_t magic,
                     size_t *end)
{
    if (size - at < INFO)
        return BOOT_BAD_TRAILER;
    const uint32_t info = boot_le32(slot + at);
    const size_t total = info >> 16;
    if ((info & 0xffff) != magic || total < INFO || total > size - at)
        return BOOT_BAD_TRAILER;
    *end = at + total;
    for (at += INFO; at < *end;) {
        if (*end - at < ENTRY)
            return BOOT_BAD_TRAILER;
        const uint32_t entry = boot_le32(slot + at), type = entry & 0xffff;
        const size_t length = entry >> 16;
        at += ENTRY;
        if (length > *end - at)
            return BOOT_BAD_TRAILER;
        const uint32_t result = magic == PROTECTED_MAGIC
                                    ? protected_entry(image, type, (uint32_t)at, length)
                                    : open_entry(image, type, (uint32_t)at, length);
        if (result != BOOT_PARSED)
            return result;
        at += length;
    }
    return BOOT_PARSED;
}

uint32_t boot_parse(boot_image *image, const uint8_t *slot, size_t size)
{
    *image = (boot_image){0};
    if (size < HEADER || boot_le32(slot) != MAGIC)
        return BOOT_NO_IMAGE;
    const size_t header = boot_le16(slot + 8);
    const size_t protected_size = boot_le16(slot + 10);
    const size_t program = boot_le32(slot + 12);
    const uint32_t flags = boot_le32(slot + 16);
    if (flags != 0 || header != BOOT_HEADER || header > size || program > size - header ||
        program < 8)
        return BOOT_BAD_HEADER;
    image->program_size = program;

    size_t at = header + program;
    if (protected_size != 0) {
        const uint32_t result = area(image, slot, at, size, PROTECTED_MAGIC, &at);
        if (result != BOOT_PARSED)
            return result;
        /* The header, which is signed, says how much is signed. */
        if (at != header + program + protected_size)
            return BOOT_BAD_TRAILER;
    }
    image->signed_size = at;
    const uint32_t result = area(image, slot, at, size, OPEN_MAGIC, &image->size);
    if (result != BOOT_PARSED)
        return result;
    if (image->hash == 0 || image->key_hash == 0 || image->signature == 0)
        return BOOT_BAD_TRAILER;
#if defined(BOOT_SECOND)
    if (image->second == 0)
        return BOOT_BAD_TRAILER;
#endif
    return BOOT_PARSED;
}
