/* sign_key.h - stands for that of MCUboot */
#ifndef BOOTUTIL_SIGN_KEY_H
#define BOOTUTIL_SIGN_KEY_H

#include <stdint.h>

struct bootutil_key {
    const uint8_t *key;
    const unsigned int *len;
};
extern const struct bootutil_key bootutil_keys[];

#endif
