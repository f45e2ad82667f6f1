/* enc_key.h - stands for that of MCUboot: keys of encrypted images */
#ifndef BOOTUTIL_ENC_KEY_H
#define BOOTUTIL_ENC_KEY_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bootutil/sign_key.h"

#if defined(MCUBOOT_AES_256)
#define BOOT_ENC_KEY_SIZE 32
#else
#define BOOT_ENC_KEY_SIZE 16
#endif
#if defined(MCUBOOT_ENCRYPT_EC256)
#define EC_TAG_INDEX 65
#else
#define EC_TAG_INDEX 32
#endif
#define EC_CIPHERKEY_INDEX (EC_TAG_INDEX + 32)
#define BOOT_ENC_TLV_SIZE (EC_CIPHERKEY_INDEX + BOOT_ENC_KEY_SIZE)
#define BOOT_ENC_TLV 0x32
#define BOOT_NUM_SLOTS 2

struct enc_key_data {
    uint8_t valid;
    bootutil_aes_ctr_context aes_ctr;
};
struct image_header;
struct flash_area;
struct boot_loader_state;
struct boot_status;

int boot_enc_retrieve_private_key(struct bootutil_key **key);
int boot_decrypt_key(const uint8_t *buf, uint8_t *enckey);
int boot_enc_load(struct boot_loader_state *state, int slot, const struct image_header *hdr,
                  const struct flash_area *fap, struct boot_status *bs);
int boot_enc_init(struct enc_key_data *enc);
int boot_enc_drop(struct enc_key_data *enc);
int boot_enc_set_key(struct enc_key_data *enc, const uint8_t *key);
bool boot_enc_valid(const struct enc_key_data *enc);
void boot_enc_encrypt(struct enc_key_data *enc, uint32_t off, uint32_t sz, uint32_t blk_off,
                      uint8_t *buf);
void boot_enc_decrypt(struct enc_key_data *enc, uint32_t off, uint32_t sz, uint32_t blk_off,
                      uint8_t *buf);
void boot_enc_zeroize(struct enc_key_data *enc);

#endif
