/* MCUboot's own bootutil_img_validate, with the cryptography of ecfit: the image is genuine, and
 * refused when one bit of it changes. A boot loader has more to do: it is MCUboot's.
 *
 * PART, for the figures of docs/from-mcuboot.md, leaves one image or none to look at. */
#include <string.h>

#include "board.h"
#include "bootutil/image.h"
#include "bootutil/sign_key.h"
#include "flash_map_backend/flash_map_backend.h"

#ifndef PART
#define PART 'a' /* all; else v: one validation, 0: none */
#endif

#define SLOT 0x10000 /* bytes of the slot of the image */

/* The image that imgtool signed. */
__asm__(".section .rodata\n.balign 4\n.global image\n.global image_end\n"
        "image: .incbin \"" IMAGE_FILE "\"\nimage_end:\n.balign 4\n.text\n");
extern const uint8_t image[], image_end[];

/* The key that imgtool printed (key.c). */
#if defined(MCUBOOT_SIGN_ED25519)
extern const unsigned char ed25519_pub_key[];
extern const unsigned int ed25519_pub_key_len;
const struct bootutil_key bootutil_keys[] = {{ed25519_pub_key, &ed25519_pub_key_len}};
#elif defined(MCUBOOT_SIGN_EC384)
extern const unsigned char ecdsap384_pub_key[];
extern const unsigned int ecdsap384_pub_key_len;
const struct bootutil_key bootutil_keys[] = {{ecdsap384_pub_key, &ecdsap384_pub_key_len}};
#else
extern const unsigned char ecdsa_pub_key[];
extern const unsigned int ecdsa_pub_key_len;
const struct bootutil_key bootutil_keys[] = {{ecdsa_pub_key, &ecdsa_pub_key_len}};
#endif
const int bootutil_key_cnt = 1;

/* Which bit of the image is read as changed, where PART is all; none at first. */
static uint32_t changed = SLOT;

/* Behind the image, flash is erased. */
int flash_area_read(const struct flash_area *area, uint32_t offset, void *out, uint32_t size)
{
    const uint32_t stored = (uint32_t)(image_end - image);
    uint8_t *bytes = out;
    if (offset > area->fa_size || size > area->fa_size - offset)
        return -1;
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = offset + i < stored ? image[offset + i] : 0xff;
        if (PART == 'a' && offset + i == changed)
            bytes[i] ^= 1;
    }
    return 0;
}

/* Whether MCUboot takes the image in the slot. */
static int is_genuine(void)
{
    static const struct flash_area area = {.fa_size = SLOT};
    static uint8_t part[256]; /* of the image, for the hash */
    struct image_header header;
    fih_ret valid = FIH_FAILURE;
    if (flash_area_read(&area, 0, &header, sizeof header) != 0 || header.ih_magic != IMAGE_MAGIC ||
        header.ih_img_size >= SLOT)
        return 0;
    FIH_CALL(bootutil_img_validate, valid, NULL, &header, &area, part, sizeof part, NULL, 0, NULL);
    return FIH_EQ(valid, FIH_SUCCESS);
}

int main(void)
{
    if (PART == '0')
        return 0;
    if (!is_genuine()) {
        board_say("refused\n");
        return 1;
    }
    if (PART == 'a') {
        board_say("genuine: it would be started\n");
        changed = 0x20; /* the first byte of the program */
        if (is_genuine())
            return 1;
        changed = (uint32_t)(image_end - image) - 1; /* the last one of the signature */
        if (is_genuine())
            return 1;
        board_say("one bit altered: refused\n");
    }
    return 0;
}
