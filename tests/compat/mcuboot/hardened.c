/* hardened.c - what MCUboot has around bootutil_verify_sig, for a test: a key, and FIH's numbers */
#include <string.h>

#include "bootutil/fault_injection_hardening.h"
#include "bootutil/sign_key.h"

fih_ret FIH_SUCCESS = 0x1aaaaaaa, FIH_FAILURE = 0x15555555;
int fih_returned;
static uint8_t key[128];
static unsigned int key_size;
const struct bootutil_key bootutil_keys[] = {{key, &key_size}};

void choose_key(const uint8_t *bytes, unsigned int size);

void choose_key(const uint8_t *bytes, unsigned int size)
{
    key_size = size;
    memcpy(key, bytes, size);
}
