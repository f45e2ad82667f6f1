/* ecfit.h - elliptic-curve key exchange and signatures for constrained devices
 *
 * Bytes in, bytes out; outputs come first. Every size is in bytes and stands in the prototype.
 *
 *   private key   32   big-endian integer d, 1 <= d <= n-1                      (SEC 1 v2, 3.2.1)
 *   public key    65   uncompressed point 0x04 || x || y, big-endian            (SEC 1 v2, 2.3.3)
 *   shared secret 32   x coordinate of d*Q, big-endian                          (SEC 1 v2, 3.3.1; SP 800-56A r3, 5.7.1.2)
 *   signature     64   r || s, each big-endian                                  (FIPS 186-5, 6.4)
 *
 * Every input is checked. When a function returns anything but ECFIT_OK its outputs are all zero.
 * Nothing is allocated, no global changes, every function is reentrant. Private keys, nonces and all that is computed from
 * them never decide a branch, an address or an operand of a variable-time instruction; verification and the
 * checks of public values run on public data and may take variable time.
 *
 * Input and output of one call may not overlap unless a function says so.
 */
#ifndef ECFIT_H
#define ECFIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ecfit_status {
    ECFIT_OK = 0,
    ECFIT_BAD_PRIVATE_KEY = 1, /* zero, or not below the order n                                        */
    ECFIT_BAD_PUBLIC_KEY = 2,  /* wrong lead byte, coordinate not below p, or not on the curve           */
    ECFIT_BAD_SIGNATURE = 3,   /* r or s out of range, or the signature is not one of this hash and key  */
    ECFIT_RNG_FAILED = 4       /* no generator given where one is needed, it failed, or it is stuck      */
} ecfit_status;

/* The caller's source of random bytes. fill() writes `size` uniformly random bytes to `out` and returns 0; any other
 * value is a failure and ends the operation with ECFIT_RNG_FAILED. `context` is handed through to fill(). */
typedef struct ecfit_rng {
    int (*fill)(void *context, uint8_t *out, size_t size);
    void *context;
} ecfit_rng;

/* ---- secp256r1 (NIST P-256; SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2) ---------------------------------------------- */

/* Draws a private key (FIPS 186-5, A.2.2: rejection sampling) and computes its public key.
 * Errors: ECFIT_RNG_FAILED, also when several draws in a row were out of range (a stuck generator). */
ecfit_status ecfit_secp256r1_keygen(uint8_t public_key[65], uint8_t private_key[32], const ecfit_rng *rng);

/* Computes the public key d*G of a private key. rng: used only when BLIND is not none, else may be NULL.
 * Errors: ECFIT_BAD_PRIVATE_KEY, ECFIT_RNG_FAILED. */
ecfit_status ecfit_secp256r1_public_key(uint8_t public_key[65], const uint8_t private_key[32], const ecfit_rng *rng);

/* ECDH (SP 800-56A r3, 5.7.1.2) with full validation of the peer's public key (5.6.2.3.3).
 * rng: used only when BLIND is not none, else may be NULL.
 * Errors: ECFIT_BAD_PRIVATE_KEY, ECFIT_BAD_PUBLIC_KEY, ECFIT_RNG_FAILED. */
ecfit_status ecfit_secp256r1_ecdh(uint8_t shared_secret[32], const uint8_t private_key[32],
                                  const uint8_t public_key[65], const ecfit_rng *rng);

/* ECDSA signature of a hash (FIPS 186-5, 6.4.1). Of `hash` the leftmost 256 bits count; a shorter one is taken as the
 * integer that it spells. The nonce comes from the slot NONCE:
 *   deterministic  RFC 6979 with HMAC-SHA-256; rng may be NULL (it is used only when BLIND is not none)
 *   hedged         the same with 32 bytes of rng as additional data (RFC 6979, 3.6); rng NULL: ECFIT_RNG_FAILED
 *   random         drawn from rng (FIPS 186-5, A.3.2); rng NULL: ECFIT_RNG_FAILED
 * Errors: ECFIT_BAD_PRIVATE_KEY, ECFIT_RNG_FAILED. */
ecfit_status ecfit_secp256r1_ecdsa_sign(uint8_t signature[64], const uint8_t private_key[32], const uint8_t *hash,
                                        size_t hash_size, const ecfit_rng *rng);

/* ECDSA verification (FIPS 186-5, 6.4.2) with full validation of the public key. Needs no random numbers.
 * Errors: ECFIT_BAD_PUBLIC_KEY, ECFIT_BAD_SIGNATURE. */
ecfit_status ecfit_secp256r1_ecdsa_verify(const uint8_t signature[64], const uint8_t public_key[65],
                                          const uint8_t *hash, size_t hash_size);

/* Point compression and decompression (SEC 1 v2, 2.3.3 and 2.3.4): 0x02 or 0x03 || x. Both check the point.
 * Errors: ECFIT_BAD_PUBLIC_KEY. */
ecfit_status ecfit_secp256r1_compress(uint8_t compressed[33], const uint8_t public_key[65]);
ecfit_status ecfit_secp256r1_decompress(uint8_t public_key[65], const uint8_t compressed[33]);

/* ---- SHA-256 (FIPS 180-4) ------------------------------------------------------------------------------------------ */

/* A message in pieces, in order. */
typedef struct ecfit_bytes {
    const uint8_t *data;
    size_t size;
} ecfit_bytes;

/* SHA-256 of the concatenation of `count` pieces. The slot SHA256 chooses who provides it: `own` (in the library) or
 * `caller` (you define a function of this name, for instance around a hash accelerator). `digest` may overlap a piece. */
void ecfit_sha256(uint8_t digest[32], const ecfit_bytes *pieces, size_t count);

#ifdef __cplusplus
}
#endif

#endif
