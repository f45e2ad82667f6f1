/* flips.c - MCUboot's validation of an image with each of its bytes changed
 *
 * flips IMAGE: prints how many changed images there were and how many of them were taken. Exit code
 * 1 where the image itself is refused. The image lies in memory of its own size, and the buffer for
 * its parts too: AddressSanitizer sees a read or a write beyond. The port is that of
 * examples/mcuboot, without its main.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootutil/fault_injection_hardening.h"
#include "bootutil/image.h"
#include "bootutil/sign_key.h"
#include "flash_map_backend/flash_map_backend.h"

#define PART 256 /* bytes of the buffer */

#define KEY_OF(name) \
    extern const unsigned char name##_pub_key[]; \
    extern const unsigned int name##_pub_key_len; \
    const struct bootutil_key bootutil_keys[] = {{name##_pub_key, &name##_pub_key_len}};

#if defined(MCUBOOT_SIGN_ED25519)
KEY_OF(ed25519)
#elif defined(MCUBOOT_SIGN_EC384)
KEY_OF(ecdsap384)
#else
KEY_OF(ecdsa)
#endif
const int bootutil_key_cnt = 1;

static uint8_t *image;
static uint32_t image_size;

/* Behind the image, flash is erased. */
int flash_area_read(const struct flash_area *area, uint32_t offset, void *out, uint32_t size)
{
    uint8_t *bytes = out;
    if (offset > area->fa_size || size > area->fa_size - offset) {
        return -1;
    }
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = offset + i < image_size ? image[offset + i] : 0xff;
    }
    return 0;
}

/* Whether MCUboot takes the image, in a slot of its own size with room for a trailer. */
static int is_taken(uint8_t *part)
{
    const struct flash_area area = {.fa_size = image_size + 0x1000};
    struct image_header header;
    fih_ret valid = FIH_FAILURE;
    if (flash_area_read(&area, 0, &header, sizeof header) != 0 || header.ih_magic != IMAGE_MAGIC ||
        header.ih_img_size >= area.fa_size) {
        return 0; /* as MCUboot does, before it validates */
    }
    FIH_CALL(bootutil_img_validate, valid, NULL, &header, &area, part, PART, NULL, 0, NULL);
    return FIH_EQ(valid, FIH_SUCCESS);
}

int main(int count, char **words)
{
    static const uint8_t change[] = {0x01, 0x10, 0x80, 0xff};
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    uint8_t *part = malloc(PART);
    unsigned tried = 0, taken = 0;
    if (file == NULL || part == NULL) {
        printf("no such file\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    image_size = (uint32_t)ftell(file);
    rewind(file);
    image = malloc(image_size);
    if (image == NULL || fread(image, 1, image_size, file) != image_size || !is_taken(part)) {
        printf("the image itself is refused\n");
        return 1;
    }
    for (uint32_t at = 0; at < image_size; at++) {
        for (size_t i = 0; i < sizeof change; i++) {
            image[at] ^= change[i];
            tried++;
            if (is_taken(part)) {
                taken++;
                printf("taken with byte %u changed by 0x%02x\n", (unsigned)at, change[i]);
            }
            image[at] ^= change[i];
        }
    }
    printf("%u tried, %u taken\n", tried, taken);
    free(image);
    free(part);
    fclose(file);
    return taken != 0;
}
