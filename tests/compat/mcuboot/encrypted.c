/* encrypted.c - what MCUboot has around encrypted images, for a test: a private key, one TLV in
 * flash */
#include "mcuboot_config/mcuboot_config.h"

#include <string.h>

#include "bootutil_priv.h"

void (*aes_block)(uint8_t *out, const uint8_t *key, const uint8_t *in);
static uint8_t own_key[256], flash[256];
static unsigned int own_size;
static uint16_t tlv_size;
const struct bootutil_key bootutil_enc_key = {own_key, &own_size};

void choose_enc_key(const uint8_t *bytes, unsigned int size);
void choose_tlv(const uint8_t *bytes, uint16_t size);
int load(uint8_t *enckey, int times);
void crypt(uint8_t *buf, uint32_t off, uint32_t sz, uint32_t blk_off, const uint8_t *key);

void choose_enc_key(const uint8_t *bytes, unsigned int size)
{
    own_size = size;
    memcpy(own_key, bytes, size);
}

/* size: 0 for an image without it */
void choose_tlv(const uint8_t *bytes, uint16_t size)
{
    tlv_size = size;
    memcpy(flash, bytes, size);
}

int bootutil_tlv_iter_begin(struct image_tlv_iter *it, const struct image_header *hdr,
                            const struct flash_area *fap, uint16_t type, bool prot)
{
    (void)hdr;
    (void)fap;
    it->left = tlv_size > 0 && type == BOOT_ENC_TLV && !prot;
    return 0;
}

int bootutil_tlv_iter_next(struct image_tlv_iter *it, uint32_t *off, uint16_t *len, uint16_t *type)
{
    (void)type;
    *off = 0;
    *len = tlv_size;
    return it->left-- > 0 ? 0 : 1;
}

int flash_area_read(const struct flash_area *fap, uint32_t off, void *dst, uint32_t len)
{
    (void)fap;
    memcpy(dst, flash + off, len);
    return 0;
}

void bootutil_wipe_memory(void *p, size_t n)
{
    memset(p, 0, n);
}

/* The answer of boot_enc_load the last of so many times, the key being set after each that is 0. */
int load(uint8_t *enckey, int times)
{
    struct boot_loader_state state;
    struct boot_status status;
    int answer = -1;
    memset(&state, 0, sizeof state);
    memset(&status, 0xee, sizeof status);
    while (times-- > 0) {
        answer = boot_enc_load(&state, 1, NULL, NULL, &status);
        if (answer == 0) {
            boot_enc_set_key(BOOT_CURR_ENC_SLOT(&state, 1), status.enckey[1]);
        }
    }
    memcpy(enckey, status.enckey[1], BOOT_ENC_KEY_SIZE);
    boot_enc_zeroize(state.enc);
    return boot_enc_valid(BOOT_CURR_ENC_SLOT(&state, 1)) ? -2 : answer;
}

/* A part of an image encrypted, decrypted at the same place, and encrypted again. */
void crypt(uint8_t *buf, uint32_t off, uint32_t sz, uint32_t blk_off, const uint8_t *key)
{
    struct enc_key_data enc;
    boot_enc_init(&enc);
    boot_enc_set_key(&enc, key);
    boot_enc_encrypt(&enc, off, sz, blk_off, buf);
    boot_enc_decrypt(&enc, off, sz, blk_off, buf);
    boot_enc_encrypt(&enc, off, sz, blk_off, buf);
    boot_enc_drop(&enc);
}
