/* tinycrypt/sha256.h - SHA-256 as TinyCrypt offers it, computed by ecfit */
#ifndef ECFIT_COMPAT_TINYCRYPT_SHA256_H
#define ECFIT_COMPAT_TINYCRYPT_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "ecfit.h"
#include "ecfit_config.h"
#include "tinycrypt/constants.h"

#if !defined(ECFIT_HASH_STREAM_IS_OWN) || defined(ECFIT_SHA256_IS_NONE)
#error "tinycrypt/sha256.h of ecfit: `ecfit config --set HASH_STREAM=own,SHA256=own`"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TC_SHA256_BLOCK_SIZE 64
#define TC_SHA256_DIGEST_SIZE 32

/** A hash that comes in parts. Its member is not for callers. */
struct tc_sha256_state_struct {
    ecfit_sha256_context context;
};
typedef struct tc_sha256_state_struct *TCSha256State_t;

/** Begins a hash. TC_CRYPTO_FAIL for NULL. */
int tc_sha256_init(TCSha256State_t s);

/** Takes the next part. TC_CRYPTO_FAIL for NULL.   CT: data, not datalen */
int tc_sha256_update(TCSha256State_t s, const uint8_t *data, size_t datalen);

/** The 32 bytes of the digest; clears the state. TC_CRYPTO_FAIL for NULL. */
int tc_sha256_final(uint8_t *digest, TCSha256State_t s);

#ifdef __cplusplus
}
#endif

#endif
