/* bootutil_priv.h - stands for that of MCUboot: a flash of one TLV, which a test writes */
#ifndef BOOTUTIL_PRIV_H
#define BOOTUTIL_PRIV_H

#include "bootutil/enc_key.h"

struct boot_loader_state {
    struct enc_key_data enc[BOOT_NUM_SLOTS];
};
struct boot_status {
    uint8_t enckey[BOOT_NUM_SLOTS][BOOT_ENC_KEY_SIZE];
};
struct image_tlv_iter {
    int left;
};
#define BOOT_CURR_ENC_SLOT(state, slot) (&(state)->enc[slot])

int bootutil_tlv_iter_begin(struct image_tlv_iter *it, const struct image_header *hdr,
                            const struct flash_area *fap, uint16_t type, bool prot);
int bootutil_tlv_iter_next(struct image_tlv_iter *it, uint32_t *off, uint16_t *len, uint16_t *type);
int flash_area_read(const struct flash_area *fap, uint32_t off, void *dst, uint32_t len);
void bootutil_wipe_memory(void *p, size_t n);

#endif
