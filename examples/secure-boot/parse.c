/* parse.c - the parts of an image in a slot. Reads what anybody may have written. */
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
static uint32_t once(const uint8_t **part, const uint8_t *value, size_t length, size_t wanted)
{
    if (*part != NULL || length != wanted)
        return BOOT_BAD_TRAILER;
    *part = value;
    return BOOT_PARSED;
}

/* Of the protected area the loader obeys the security counter and nothing else: what the signer
 * meant by another entry, as an image that must be there too, would not be done. */
static uint32_t protected_entry(boot_image *image, uint32_t type, const uint8_t *value,
                                size_t length)
{
    if (type != TYPE_COUNTER)
        return BOOT_UNKNOWN_ENTRY;
    return once(&image->counter, value, length, 4);
}

static uint32_t open_entry(boot_image *image, uint32_t type, const uint8_t *value, size_t length)
{
    if (type == HASH_TYPE)
        return once(&image->hash, value, length, HASH_SIZE);
    if (type == TYPE_KEY_HASH)
        return once(&image->key_hash, value, length, HASH_SIZE);
    if (type != SIGNATURE_TYPE)
        return BOOT_UNKNOWN_ENTRY;
    if (length < SIGNATURE_MIN || length > SIGNATURE_MAX)
        return BOOT_BAD_TRAILER;
    image->signature_size = length;
    return once(&image->signature, value, length, length);
}

/* Reads an area at `in`, of which `left` bytes are in the slot. Out: *size, of the area. */
static uint32_t area(boot_image *image, const uint8_t *in, size_t left, uint32_t magic,
                     size_t *size)
{
    if (left < INFO || boot_le16(in) != magic)
        return BOOT_BAD_TRAILER;
    const size_t total = boot_le16(in + 2);
    if (total < INFO || total > left)
        return BOOT_BAD_TRAILER;
    for (size_t at = INFO; at < total;) {
        if (total - at < ENTRY)
            return BOOT_BAD_TRAILER;
        const uint32_t type = boot_le16(in + at);
        const size_t length = boot_le16(in + at + 2);
        at += ENTRY;
        if (length > total - at)
            return BOOT_BAD_TRAILER;
        const uint32_t result = magic == PROTECTED_MAGIC
                                    ? protected_entry(image, type, in + at, length)
                                    : open_entry(image, type, in + at, length);
        if (result != BOOT_PARSED)
            return result;
        at += length;
    }
    *size = total;
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
    if (flags != 0 || header < HEADER || header > size || program > size - header || program < 8)
        return BOOT_BAD_HEADER;
    image->program = slot + header;
    image->program_size = program;
    image->version = slot + 20;

    size_t at = header + program;
    size_t found = 0;
    if (protected_size != 0) {
        const uint32_t result = area(image, slot + at, size - at, PROTECTED_MAGIC, &found);
        if (result != BOOT_PARSED)
            return result;
        if (found != protected_size) /* the header, which is signed, says how much is signed */
            return BOOT_BAD_TRAILER;
        at += found;
    }
    image->signed_size = at;
    const uint32_t result = area(image, slot + at, size - at, OPEN_MAGIC, &found);
    if (result != BOOT_PARSED)
        return result;
    if (image->hash == NULL || image->key_hash == NULL || image->signature == NULL)
        return BOOT_BAD_TRAILER;
    return BOOT_PARSED;
}
