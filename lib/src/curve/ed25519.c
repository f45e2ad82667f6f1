/* curve/ed25519.c - Ed25519 on edwards25519 (RFC 8032, 5.1; FIPS 186-5, 7): -x^2 + y^2 = 1 + d x^2 y^2, cofactor 8 */
#define CURVE ed25519
#define CURVE_CAPS ED25519
#define CURVE_A minus1
#define PRIME p25519
#define PRIME_INVERT P25519_INVERT
#define PRIME_ROOT P25519_ROOT
#define FIELD_BITS 255
#define LIMBS (256 / MP_BITS)
#define TOP_MASK (MP_ALL >> 1)
#define COFACTOR 8
#define HASH_BYTES 64
#define HASH_SUM ecfit_sha512
#include "curve/ed25519_params.inc"

ECFIT_INLINE void N(pt_constant)(mp_word *r)
{
    mp_copy(r, N(d2), LIMBS);
}

#define PURE_DOM(pieces) N(sc_no_dom)(pieces)
#include "curve/edwards.inc"
