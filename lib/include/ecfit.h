/* ecfit.h - elliptic-curve key exchange and signatures for constrained devices
 *
 * Bytes in, bytes out; outputs come first. Every size is in bytes and stands in the prototype.
 *
 *   private key    N        big-endian integer d, 1 <= d <= n-1                 (SEC 1 v2, 3.2.1)
 *   public key     1 + 2F   uncompressed point 0x04 || x || y, big-endian       (SEC 1 v2, 2.3.3)
 *   shared secret  F        x coordinate of d*Q, big-endian                     (SEC 1 v2, 3.3.1; SP 800-56A r3, 5.7.1.2)
 *   signature      2N       r || s, each big-endian                             (FIPS 186-5, 6.4)
 *
 * F is the size of a field element, N that of a scalar: both 32 for secp256r1.
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
    ECFIT_BAD_PRIVATE_KEY =
        1, /* zero, or not below the order n                                        */
    ECFIT_BAD_PUBLIC_KEY =
        2, /* wrong lead byte, coordinate not below p, or not on the curve           */
    ECFIT_BAD_SIGNATURE =
        3, /* r or s out of range, or the signature is not one of this hash and key  */
    ECFIT_RNG_FAILED =
        4,           /* no generator given where one is needed, it failed, or it is stuck      */
    ECFIT_MORE = 5,  /* of operations in pieces: there is more to do, call step again          */
    ECFIT_MISUSE = 6 /* of operations in pieces: not begun, ended before, or another one       */
} ecfit_status;

/* The caller's source of random bytes. fill() writes `size` uniformly random bytes to `out` and returns 0; any other
 * value is a failure and ends the operation with ECFIT_RNG_FAILED. `context` is handed through to fill(). */
typedef struct ecfit_rng {
    int (*fill)(void *context, uint8_t *out, size_t size);
    void *context;
} ecfit_rng;

/* ---- short Weierstrass curves: ECDH and ECDSA --------------------------------------------------------------------
 *
 * ECFIT_WEIERSTRASS(curve, F, N) declares the functions of one curve; F and N are the bytes of a field element and of a scalar. Those that
 * the configuration leaves out are not defined.
 *
 * ecfit_<curve>_keygen        Draws a private key (FIPS 186-5, A.2.2: rejection sampling) and computes its public key.
 *                             Errors: ECFIT_RNG_FAILED, also when many draws in a row were out of range (a stuck generator).
 * ecfit_<curve>_public_key    The public key d*G of a private key. rng: used only when BLIND is not none, else may be NULL.
 *                             Errors: ECFIT_BAD_PRIVATE_KEY, ECFIT_RNG_FAILED.
 * ecfit_<curve>_ecdh          ECDH (SP 800-56A r3, 5.7.1.2) with full validation of the peer's public key (5.6.2.3.3). rng: as above.
 *                             Errors: ECFIT_BAD_PRIVATE_KEY, ECFIT_BAD_PUBLIC_KEY, ECFIT_RNG_FAILED.
 * ecfit_<curve>_ecdsa_sign    ECDSA signature of a hash (FIPS 186-5, 6.4.1). Of `hash` the leftmost bits count, as many as the order has; a shorter one
 *                             is taken as the integer that it spells. The nonce comes from the slot NONCE:
 *                               deterministic  RFC 6979 with HMAC and the curve's hash; rng may be NULL (it is used only when BLIND is not none)
 *                               hedged         the same with 32 bytes of rng as additional data (RFC 6979, 3.6); rng NULL: ECFIT_RNG_FAILED
 *                               random         drawn from rng (FIPS 186-5, A.3.2); rng NULL: ECFIT_RNG_FAILED
 *                             Errors: ECFIT_BAD_PRIVATE_KEY, ECFIT_RNG_FAILED.
 * ecfit_<curve>_ecdsa_verify  ECDSA verification (FIPS 186-5, 6.4.2) with full validation of the public key. Needs no random numbers.
 *                             Errors: ECFIT_BAD_PUBLIC_KEY, ECFIT_BAD_SIGNATURE.
 * ecfit_<curve>_ecdsa_verify_hardened   The same for secure boot (VERIFY = hardened): returns ECFIT_VERIFIED for a valid signature, any other number for what is not one or
 *                             is not valid input. It computes twice, in different ways, and no single skipped instruction in it makes it succeed; compare
 *                             its result with ECFIT_VERIFIED twice, since the caller's own branch can be skipped as well.
 * ecfit_<curve>_prepare       With MULG = comb_ram: builds the table of the base point, as the first key generation, signature or verification would. The
 *                             library's one variable is that table. Call it before several threads use the curve; interrupting tasks of one processor need not.
 * ecfit_<curve>_compress      Point compression and decompression (SEC 1 v2, 2.3.3 and 2.3.4): 0x02 or 0x03 || x. Both check the point.
 * ecfit_<curve>_decompress    Errors: ECFIT_BAD_PUBLIC_KEY.
 * ecfit_<curve>_signature_to_der    The signature as DER, ECDSA-Sig-Value of RFC 3279, 2.2.3; *der_size: its size, at most ECFIT_DER_MAX(N), 0 on errors.
 * ecfit_<curve>_signature_from_der  The signature in der_size bytes of DER. Only the one encoding that DER allows is taken: shortest lengths and integers, nothing
 *                             behind; and 1 <= r, s < n.   Errors of both: ECFIT_BAD_SIGNATURE.
 *
 * Operations in pieces (RESUME = steps), for a watchdog or a radio that does not wait. The caller owns a task; start checks the inputs and copies what it needs of
 * them, but for the generator, which must stay; step does `units` units of work and returns ECFIT_MORE until it is done; finish writes the outputs and clears the task, and
 * so does abort, at any time. No start, unit or finish takes more than ECFIT_UNIT_PRODUCTS field multiplications; one unit of a signature hashes
 * in their place, two dozen blocks or so, where the nonce is not random. Results and errors are those of the one-shot functions, errors as soon as they are known, and again
 * from finish. A task that was never begun must be all zero. Errors beside those: ECFIT_MISUSE (step or finish of a task that was not begun, was
 * finished, or is another operation's), ECFIT_MORE (finish before the end: the task is cleared, as after abort).
 *
 * ecfit_<curve>_keygen_in and so on (WORK = caller): the whole operation with its state in a task of the caller, any memory that is free meanwhile, ECFIT_WORK_BYTES(F)
 * aligned as a uint64_t, in place of the stack. It is cleared at the end.
 */
#define ECFIT_WORK_BYTES(F) (8 * ECFIT_TASK_BLOCKS(F))
#define ECFIT_UNIT_PRODUCTS 60
#define ECFIT_TASK_BLOCKS(F) (15 * (((F) + 7) / 8) + 30) /* 64-bit blocks of a task */
#define ECFIT_VERIFIED 0xa53c965au                       /* 16 bits from zero and from all ones */
#define ECFIT_HARDENED_HASH_MIN \
    28 /* bytes: SHA-224; ecfit_<curve>_ecdsa_verify_hardened refuses less */
#define ECFIT_DER_MAX(N) \
    (2 * (N) + 9) /* tags, lengths and leading zeros beside two scalars of N bytes */
#define ECFIT_WEIERSTRASS(curve, F, N) \
    ecfit_status ecfit_##curve##_keygen(uint8_t public_key[1 + 2 * F], uint8_t private_key[N], \
                                        const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_public_key(uint8_t public_key[1 + 2 * F], \
                                            const uint8_t private_key[N], const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_ecdh(uint8_t shared_secret[F], const uint8_t private_key[N], \
                                      const uint8_t public_key[1 + 2 * F], const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_ecdsa_sign(uint8_t signature[2 * N], \
                                            const uint8_t private_key[N], const uint8_t *hash, \
                                            size_t hash_size, const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_ecdsa_verify(const uint8_t signature[2 * N], \
                                              const uint8_t public_key[1 + 2 * F], \
                                              const uint8_t *hash, size_t hash_size); \
    uint32_t ecfit_##curve##_ecdsa_verify_hardened(const uint8_t signature[2 * N], \
                                                   const uint8_t public_key[1 + 2 * F], \
                                                   const uint8_t *hash, size_t hash_size); \
    void ecfit_##curve##_prepare(void); \
    ecfit_status ecfit_##curve##_compress(uint8_t compressed[1 + F], \
                                          const uint8_t public_key[1 + 2 * F]); \
    ecfit_status ecfit_##curve##_decompress(uint8_t public_key[1 + 2 * F], \
                                            const uint8_t compressed[1 + F]); \
    ecfit_status ecfit_##curve##_signature_to_der(uint8_t der[ECFIT_DER_MAX(N)], size_t *der_size, \
                                                  const uint8_t signature[2 * N]); \
    ecfit_status ecfit_##curve##_signature_from_der(uint8_t signature[2 * N], const uint8_t *der, \
                                                    size_t der_size); \
    typedef struct ecfit_##curve##_task { \
        uint64_t blocks[ECFIT_TASK_BLOCKS(F)]; \
    } ecfit_##curve##_task; \
    ecfit_status ecfit_##curve##_keygen_start(ecfit_##curve##_task *task, const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_ecdh_start( \
        ecfit_##curve##_task *task, const uint8_t private_key[N], \
        const uint8_t public_key[1 + 2 * F], const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_ecdsa_sign_start( \
        ecfit_##curve##_task *task, const uint8_t private_key[N], const uint8_t *hash, \
        size_t hash_size, const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_ecdsa_verify_start( \
        ecfit_##curve##_task *task, const uint8_t signature[2 * N], \
        const uint8_t public_key[1 + 2 * F], const uint8_t *hash, size_t hash_size); \
    ecfit_status ecfit_##curve##_step(ecfit_##curve##_task *task, unsigned units); \
    void ecfit_##curve##_abort(ecfit_##curve##_task *task); \
    ecfit_status ecfit_##curve##_keygen_finish( \
        uint8_t public_key[1 + 2 * F], uint8_t private_key[N], ecfit_##curve##_task *task); \
    ecfit_status ecfit_##curve##_ecdh_finish(uint8_t shared_secret[F], \
                                             ecfit_##curve##_task *task); \
    ecfit_status ecfit_##curve##_ecdsa_sign_finish(uint8_t signature[2 * N], \
                                                   ecfit_##curve##_task *task); \
    ecfit_status ecfit_##curve##_ecdsa_verify_finish(ecfit_##curve##_task *task); \
    ecfit_status ecfit_##curve##_keygen_in(uint8_t public_key[1 + 2 * F], uint8_t private_key[N], \
                                           const ecfit_rng *rng, ecfit_##curve##_task *work); \
    ecfit_status ecfit_##curve##_ecdh_in(uint8_t shared_secret[F], const uint8_t private_key[N], \
                                         const uint8_t public_key[1 + 2 * F], \
                                         const ecfit_rng *rng, ecfit_##curve##_task *work); \
    ecfit_status ecfit_##curve##_ecdsa_sign_in( \
        uint8_t signature[2 * N], const uint8_t private_key[N], const uint8_t *hash, \
        size_t hash_size, const ecfit_rng *rng, ecfit_##curve##_task *work); \
    ecfit_status ecfit_##curve##_ecdsa_verify_in( \
        const uint8_t signature[2 * N], const uint8_t public_key[1 + 2 * F], const uint8_t *hash, \
        size_t hash_size, ecfit_##curve##_task *work)

ECFIT_WEIERSTRASS(secp128r1, 16,
                  16); /* SEC 2 v1, 2.2.1; legacy, off unless asked for                 */
ECFIT_WEIERSTRASS(secp160r1, 20,
                  21); /* SEC 2 v1, 2.4.2; legacy; its order has 161 bits               */
ECFIT_WEIERSTRASS(secp192r1, 24,
                  24); /* NIST P-192: FIPS 186-4, D.1.2.1; legacy                       */
ECFIT_WEIERSTRASS(secp224r1, 28,
                  28); /* NIST P-224: SP 800-186, 3.2.1.2                               */
ECFIT_WEIERSTRASS(secp256r1, 32,
                  32); /* NIST P-256: SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2              */
ECFIT_WEIERSTRASS(secp384r1, 48,
                  48); /* NIST P-384: SP 800-186, 3.2.1.4; hash of the nonce: SHA-384   */
ECFIT_WEIERSTRASS(secp521r1, 66,
                  66); /* NIST P-521: SP 800-186, 3.2.1.5; hash of the nonce: SHA-512   */
ECFIT_WEIERSTRASS(secp256k1, 32,
                  32); /* SP 800-186, 3.2.2; SEC 2 v2, 2.4.1                            */
ECFIT_WEIERSTRASS(brainpoolP256r1, 32,
                  32); /* RFC 5639, 3.4                                                 */
ECFIT_WEIERSTRASS(brainpoolP384r1, 48,
                  48); /* RFC 5639, 3.6; hash of the nonce: SHA-384                     */
ECFIT_WEIERSTRASS(brainpoolP512r1, 64,
                  64); /* RFC 5639, 3.7; hash of the nonce: SHA-512                     */

/* ---- Curve25519 and Curve448: key exchange (RFC 7748) --------------------------------------------------------------
 *
 * Every string is little-endian; all private keys are valid. ECFIT_MONTGOMERY(curve, F) declares the functions of one curve.
 *
 * ecfit_<curve>             The function X25519 or X448: private key times public key. Bits of the public key beyond the field are ignored, values from p
 *                           on are taken modulo p, as the RFC says. An all-zero result (a public key of small order) is refused (6.1, 6.2).
 *                           Errors: ECFIT_BAD_PUBLIC_KEY.
 * ecfit_<curve>_public_key  The public key of a private key. Errors: none.
 * ecfit_<curve>_keygen      Draws a private key and computes its public key. Errors: ECFIT_RNG_FAILED, also for bytes that are all the same.
 */
#define ECFIT_MONTGOMERY(curve, F) \
    ecfit_status ecfit_##curve(uint8_t shared_secret[F], const uint8_t private_key[F], \
                               const uint8_t public_key[F]); \
    ecfit_status ecfit_##curve##_public_key(uint8_t public_key[F], const uint8_t private_key[F]); \
    ecfit_status ecfit_##curve##_keygen(uint8_t public_key[F], uint8_t private_key[F], \
                                        const ecfit_rng *rng)

ECFIT_MONTGOMERY(x25519, 32);
ECFIT_MONTGOMERY(x448, 56);

/* ---- Ed25519 and Ed448: signatures (RFC 8032; FIPS 186-5, 7) --------------------------------------------------------
 *
 * A private key is any string of B bytes (the RFC's seed), a public key B bytes, a signature 2B: R || S. ECFIT_EDWARDS(curve, B) declares the functions of
 * one curve. A message is given whole: signing reads it twice. Signatures are deterministic and need no random numbers.
 *
 * ecfit_<curve>_public_key   The public key of a private key. Errors: none.
 * ecfit_<curve>_keygen       Draws a private key and computes its public key. Errors: ECFIT_RNG_FAILED, also for bytes that are all the same.
 * ecfit_<curve>_sign         Ed25519; Ed448 with an empty context. The public key, which is hashed too, is computed, at the cost of a second
 *                            multiplication: signing with one that does not belong to the private key would give that away. Errors: none.
 * ecfit_<curve>_sign_ctx     Ed25519ctx (the RFC asks for a context that is not empty); Ed448 with a context.
 * ecfit_<curve>_sign_ph      Ed25519ph, Ed448ph: of the message's digest, SHA-512 or the first 64 bytes of SHAKE256.
 *                            These two, and their verifications, only where SIGN and VERIFY are eddsa_all.
 * ecfit_<curve>_verify ..    Verification of each, on public data, in variable time. Strict: only the canonical encodings of A and R, S below the order,
 *                            the equation S B = R + k A without the cofactor, and no public key of small order, under which one signature
 *                            can hold for many messages. Errors: ECFIT_BAD_PUBLIC_KEY, ECFIT_BAD_SIGNATURE.
 */
#define ECFIT_EDWARDS(curve, B) \
    ecfit_status ecfit_##curve##_public_key(uint8_t public_key[B], const uint8_t private_key[B]); \
    ecfit_status ecfit_##curve##_keygen(uint8_t public_key[B], uint8_t private_key[B], \
                                        const ecfit_rng *rng); \
    ecfit_status ecfit_##curve##_sign(uint8_t signature[2 * B], const uint8_t private_key[B], \
                                      const uint8_t *message, size_t size); \
    ecfit_status ecfit_##curve##_sign_ctx(uint8_t signature[2 * B], const uint8_t private_key[B], \
                                          const uint8_t *message, size_t size, \
                                          const uint8_t *context, uint8_t context_size); \
    ecfit_status ecfit_##curve##_sign_ph(uint8_t signature[2 * B], const uint8_t private_key[B], \
                                         const uint8_t digest[64], const uint8_t *context, \
                                         uint8_t context_size); \
    ecfit_status ecfit_##curve##_verify(const uint8_t signature[2 * B], \
                                        const uint8_t public_key[B], const uint8_t *message, \
                                        size_t size); \
    uint32_t ecfit_##curve##_verify_hardened(const uint8_t signature[2 * B], \
                                             const uint8_t public_key[B], const uint8_t *message, \
                                             size_t size); \
    ecfit_status ecfit_##curve##_verify_ctx( \
        const uint8_t signature[2 * B], const uint8_t public_key[B], const uint8_t *message, \
        size_t size, const uint8_t *context, uint8_t context_size); \
    ecfit_status ecfit_##curve##_verify_ph(const uint8_t signature[2 * B], \
                                           const uint8_t public_key[B], const uint8_t digest[64], \
                                           const uint8_t *context, uint8_t context_size)

ECFIT_EDWARDS(ed25519, 32);
ECFIT_EDWARDS(ed448, 57);

/* ---- SHA-2 (FIPS 180-4) and SHAKE256 (FIPS 202) -------------------------------------------------------------------------------------------- */

/* A message in pieces, in order. */
typedef struct ecfit_bytes {
    const uint8_t *data;
    size_t size;
} ecfit_bytes;

/* The hash of the concatenation of `count` pieces, below 2^29 bytes in all. The slots SHA256 and SHA512 (for SHA-384 too) choose who provides it: `own` (the
 * library) or `caller` (you define a function of this name, for instance around a hash accelerator). `digest` may overlap a piece. */
void ecfit_sha256(uint8_t digest[32], const ecfit_bytes *pieces, size_t count);
void ecfit_sha384(uint8_t digest[48], const ecfit_bytes *pieces, size_t count);
void ecfit_sha512(uint8_t digest[64], const ecfit_bytes *pieces, size_t count);

/* SHAKE256 of the same, `digest_size` bytes; the slot SHAKE256 as above. */
void ecfit_shake256(uint8_t *digest, size_t digest_size, const ecfit_bytes *pieces, size_t count);

#ifdef __cplusplus
}
#endif

#endif
