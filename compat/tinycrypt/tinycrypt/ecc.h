/* tinycrypt/ecc.h - P-256 as TinyCrypt offers it, computed by ecfit
 *
 * The functions are those of ../../uecc/uECC.h, from which TinyCrypt has its own: it says what they
 * take and return. Here is what TinyCrypt changed. Some copies of TinyCrypt put tc_ before the
 * names; both are there. docs/from-micro-ecc.md has the command for the configuration.
 */
#ifndef ECFIT_COMPAT_TINYCRYPT_ECC_H
#define ECFIT_COMPAT_TINYCRYPT_ECC_H

/* TinyCrypt has this one curve, and no compressed keys. */
#ifndef uECC_SUPPORT_COMPRESSED_POINT
#define uECC_SUPPORT_COMPRESSED_POINT 0
#endif

#include "uECC.h"

#if !uECC_SUPPORTS_secp256r1
#error "tinycrypt/ecc.h of ecfit: `ecfit config --curve secp256r1`"
#endif

/** Bytes of a coordinate and of a private key. */
#define NUM_ECC_BYTES 32

/** 0 if both coordinates are below p and the point is on the curve, else negative: not as of
 * micro-ecc, which returns 1 for a valid key. */
static inline int tc_uECC_valid_public_key(const uint8_t *public_key, uECC_Curve curve)
{
    return uECC_valid_public_key(public_key, curve) == 1 ? 0 : -3;
}
#define uECC_valid_public_key tc_uECC_valid_public_key

typedef uECC_Curve tc_uECC_Curve;
typedef uECC_RNG_Function tc_uECC_RNG_Function;
#define tc_uECC_secp256r1 uECC_secp256r1
#define tc_uECC_set_rng uECC_set_rng
#define tc_uECC_get_rng uECC_get_rng
#define tc_uECC_curve_private_key_size uECC_curve_private_key_size
#define tc_uECC_curve_public_key_size uECC_curve_public_key_size
#define tc_uECC_compute_public_key uECC_compute_public_key

#endif
