/* inlines.c - the hash of mcuboot_custom_crypto.h, whose functions are inline, for a test */
#include "mcuboot_config/mcuboot_config.h"

void sha_in_parts(uint8_t *out, const uint8_t *data, uint32_t size, uint32_t part);

/* out = the hash of `data`, given in parts of `part` bytes. */
void sha_in_parts(uint8_t *out, const uint8_t *data, uint32_t size, uint32_t part)
{
    bootutil_sha_context context;
    bootutil_sha_init(&context);
    for (uint32_t at = 0; at < size; at += part) {
        bootutil_sha_update(&context, data + at, size - at < part ? size - at : part);
    }
    bootutil_sha_finish(&context, out);
    bootutil_sha_drop(&context);
}
