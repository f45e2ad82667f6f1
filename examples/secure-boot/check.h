/* check.h - what the boot loader asks of a library: a hash and a signature.
 * check_ecdsa.c and check_eddsa.c have it of ecfit, check_mbedtls.c of Mbed TLS, and check_mldsa.c
 * the second signature of mldsa-native. */
#ifndef CHECK_H
#define CHECK_H

#include "boot.h"

/* Called once, before the others. */
void check_start(void);

/* The hash of the algorithm of `size` bytes. */
void check_hash(uint8_t hash[HASH_SIZE], const uint8_t *data, size_t size);

/* BOOT_VERIFIED where the signature of `size` bytes, SIGNATURE_MIN to SIGNATURE_MAX, is one
 * of the hash and of boot_key; else another number. Any bytes may stand in it.
 * CT: no, public data */
uint32_t check_signature(const uint8_t *signature, size_t size, const uint8_t hash[HASH_SIZE]);

#if defined(BOOT_SECOND)
/* BOOT_SECOND_VERIFIED where the signature is one of the hash and of boot_second_key; else another
 * number. Any bytes may stand in it.   CT: no, public data */
uint32_t check_second(const uint8_t signature[SECOND_SIZE], const uint8_t hash[HASH_SIZE]);
#endif

#endif
