/* ecfit.h - elliptic-curve key exchange and signatures for constrained devices
 *
 * Bytes in, bytes out; outputs come first. Every size is in bytes and stands in the prototype.
 * The functions of a curve, each with its contract, are in ecfit/<curve>.h, included below:
 *
 *   short Weierstrass curves    ECDH, ECDSA                       ecfit/secp256r1.h and so on
 *   Curve25519, Curve448        key exchange (RFC 7748)           ecfit/x25519.h, ecfit/x448.h
 *   edwards25519, edwards448    signatures (RFC 8032)             ecfit/ed25519.h, ecfit/ed448.h
 *
 * What holds for all of them:
 *
 * Every input is checked. When a function returns anything but ECFIT_OK its outputs are all zero.
 * Nothing is allocated. No global changes and every function is reentrant.
 *
 * Private keys, nonces and all that is computed from them never decide a branch, an address
 * or an operand of a variable-time instruction: this is what CT says of an argument.
 * Verification and the checks of public values run on public data and may take variable time.
 *
 * What becomes an output is written when it is complete: nothing else ever stands there
 * that nobody may see. (The private key of a new pair is drawn into its place.)
 *
 * Where a function takes a private key, its output may overlap its inputs: they have been read
 * for the last time when it is written. Elsewhere inputs and outputs of one call may not overlap,
 * nor may two outputs, a task or a work area with anything. Inputs must not change during a call.
 *
 * Of the stack, what an operation with a private key used is cleared before it returns where the
 * knob WIPE is stack. With none, words of keys, of nonces and of values from which keys follow
 * stay below the stack pointer until something else is written there: whoever can read that
 * memory has them. Of the registers that a call may change, all are cleared there but that of the
 * result, on Arm, RISC-V and AVR. What the caller's generator, reader or hash leaves is not.
 */
#ifndef ECFIT_H
#define ECFIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library: major.minor.patch; docs/stability.md says what a step means. */
#define ECFIT_VERSION "0.3.0"

/** The same as a number, to compare: 0x010203 is 1.2.3. */
#define ECFIT_VERSION_NUMBER 0x000300

/* A result that must be looked at. */
#if defined(__GNUC__)
#define ECFIT_CHECK __attribute__((warn_unused_result))
#else
#define ECFIT_CHECK
#endif

/** How an operation ended. */
typedef enum ecfit_status {
    /** Done. */
    ECFIT_OK = 0,
    /** Zero, or not below the order n. */
    ECFIT_BAD_PRIVATE_KEY = 1,
    /** Wrong lead byte, coordinate not below p, or not on the curve. */
    ECFIT_BAD_PUBLIC_KEY = 2,
    /** r or s out of range, or the signature is not one of this hash and key. */
    ECFIT_BAD_SIGNATURE = 3,
    /** No generator given where one is needed (NULL, or fill is NULL), it failed, or it is stuck:
     * all bytes of a draw are the same, or many draws in a row were out of range. */
    ECFIT_RNG_FAILED = 4,
    /** Of operations in pieces: there is more to do, call step again. */
    ECFIT_MORE = 5,
    /** Of operations in pieces: not begun, ended before, or another's: operation or curve. */
    ECFIT_MISUSE = 6,
    /** Of signing with CHECK = verify: the signature did not verify. Something went wrong
     * in its computation, and nothing of it is given out. */
    ECFIT_FAULT = 7,
    /** Of ECDSA: the hash is shorter than ECFIT_HASH_MIN bytes or longer than ECFIT_HASH_MAX,
     * or the integer that it spells is 0 modulo n, as that of a buffer which nobody filled. */
    ECFIT_BAD_HASH = 8,
    /** Of signing with a reader: there is none, it failed, or the message was another one when it
     * was read again. */
    ECFIT_READ_FAILED = 9
} ecfit_status;

/** What a status means, in a few words. Only where the knob STATUS_TEXT is not none. */
const char *ecfit_status_text(ecfit_status status);

/**
 * The caller's source of random bytes.
 *
 * fill() writes `size` uniformly random bytes to `out` and returns 0;
 * any other value is a failure and ends the operation with ECFIT_RNG_FAILED.
 * `context` is handed through to fill().
 */
typedef struct ecfit_rng {
    int (*fill)(void *context, uint8_t *out, size_t size);
    void *context;
} ecfit_rng;

/**
 * The caller's source of a message that need not fit into RAM.
 *
 * read() writes the `size` bytes of the message from `offset` on to `out`, 1 to 64 of them, and
 * returns 0; any other value ends the operation with ECFIT_READ_FAILED, also where fewer are left:
 * bytes that come in shorter pieces are collected by read(). When it returns, nobody else writes to
 * `out`, so a DMA is over. The message is read from its begin to its end, then once more.
 * `context` is handed through to read().
 */
typedef struct ecfit_reader {
    int (*read)(void *context, uint8_t *out, uint64_t offset, size_t size);
    void *context;
} ecfit_reader;

/** A piece of a message. A message is an array of them, in order. */
typedef struct ecfit_bytes {
    const uint8_t *data;
    size_t size;
} ecfit_bytes;

/* ---- sizes and results that depend on F and N, the bytes of a field element and of a scalar -- */

/** Bytes of a signature in DER, at most: tags, lengths and leading zeros beside two scalars. */
#define ECFIT_DER_MAX(N) (2 * (N) + 9)

/** What ecfit_<curve>_ecdsa_verify_hardened and ecfit_<curve>_verify_hardened return
 * for a valid signature:
 * 16 bits from zero and from all ones. */
#define ECFIT_VERIFIED 0xa53c965au

/** Bytes of the shortest hash that ECDSA signs and verifies.
 * Anybody can make a signature of an empty one from the public key alone. */
#define ECFIT_HASH_MIN 16

/** Bytes of the longest one: SHA-512. */
#define ECFIT_HASH_MAX 64

/** Bytes of the shortest hash that ecfit_<curve>_ecdsa_verify_hardened takes: SHA-224. */
#define ECFIT_HARDENED_HASH_MIN 28

/** Bytes of the work area of ecfit_<curve>_keygen_in and so on. */
#define ECFIT_WORK_BYTES(F) (8 * ECFIT_TASK_BLOCKS(F))

/* ---- operations in pieces (RESUME = steps) ----------------------------------------------------
 *
 * Of ecfit_<curve>_keygen_start, ecfit_<curve>_step, ecfit_<curve>_keygen_finish and the like:
 *
 * start   checks the inputs and copies what it needs of them, not the generator: that must stay
 * step    does some units of work and returns ECFIT_MORE until it is done
 * finish  writes the outputs and clears the task
 *
 * A task begins with a tag of its curve. Given memory without it, such as zeros or the task of
 * another curve, step and finish return ECFIT_MISUSE. They and abort read nothing else there, and
 * change nothing. A task holds addresses: never take one from where others can write.
 *
 * Results, errors and CT are those of the whole operations: errors as soon as they are known,
 * and again from finish. No start, unit or finish takes more than ECFIT_UNIT_PRODUCTS
 * field multiplications; one unit of a signature hashes in their place,
 * two dozen blocks or so, where the nonce is not random.
 */

/** 64-bit blocks of a task. */
#define ECFIT_TASK_BLOCKS(F) (15 * (((F) + 7) / 8) + 30)

/** Field multiplications of a unit of work, at most. */
#define ECFIT_UNIT_PRODUCTS 60

/* ---- the functions of each curve ------------------------------------------------------------- */

#include "ecfit/secp128r1.h"
#include "ecfit/secp160r1.h"
#include "ecfit/secp192r1.h"
#include "ecfit/secp224r1.h"
#include "ecfit/secp256r1.h"
#include "ecfit/secp384r1.h"
#include "ecfit/secp521r1.h"
#include "ecfit/secp256k1.h"
#include "ecfit/brainpoolP256r1.h"
#include "ecfit/brainpoolP384r1.h"
#include "ecfit/brainpoolP512r1.h"
#include "ecfit/x25519.h"
#include "ecfit/x448.h"
#include "ecfit/ed25519.h"
#include "ecfit/ed448.h"

/* ---- SHA-2 (FIPS 180-4) and SHAKE256 (FIPS 202) ---------------------------------------------- */

/**
 * SHA-256 (FIPS 180-4) of the concatenation of `count` pieces, below 2^61 bytes in all.
 *
 * The knob SHA256 chooses who provides it: `own` (the library) or `caller`
 * (you define a function of this name, for instance around a hash accelerator).
 * `digest` may overlap a piece.
 */
void ecfit_sha256(uint8_t digest[32], const ecfit_bytes *pieces, size_t count);

/** SHA-384, as ecfit_sha256; the knob SHA512 chooses who provides it. */
void ecfit_sha384(uint8_t digest[48], const ecfit_bytes *pieces, size_t count);

/** SHA-512, as ecfit_sha256; the knob SHA512 chooses who provides it. */
void ecfit_sha512(uint8_t digest[64], const ecfit_bytes *pieces, size_t count);

/**
 * A SHA-256 of data that comes in parts, for instance from a flash that is not mapped.
 * Its members are the library's. A copy of it goes on from the same place.
 * The functions of such contexts are there where the knob HASH_STREAM is own.
 */
typedef struct ecfit_sha256_context {
    uint64_t size;
    uint32_t state[8], block[16];
} ecfit_sha256_context;

/** Begins a SHA-256. A context that was not begun, or is finished, gives a wrong digest. */
void ecfit_sha256_start(ecfit_sha256_context *context);

/**
 * Takes the next `size` bytes; below 2^61 bytes in all. `data` may be NULL if size is 0.
 *
 * CT: data, not size
 */
void ecfit_sha256_update(ecfit_sha256_context *context, const uint8_t *data, size_t size);

/** The digest of what came since ecfit_sha256_start; clears the context.   CT: the data */
void ecfit_sha256_finish(uint8_t digest[32], ecfit_sha256_context *context);

/** The same for SHA-384 and SHA-512, whatever the value of SHA512. It does not know which of the
 * two was begun: with the functions of the other one, the digest is wrong. */
typedef struct ecfit_sha512_context {
    uint64_t size;
    union {
        uint64_t whole[8];
        uint32_t halves[16];
    } state;
    union {
        uint64_t whole[16];
        uint32_t halves[32];
    } block;
} ecfit_sha512_context;

/** Begins a SHA-384, as ecfit_sha256_start. */
void ecfit_sha384_start(ecfit_sha512_context *context);

/**
 * As ecfit_sha256_update.
 *
 * Cost: with SHA512 = roots, each call that completes a block of 128 bytes computes the constants
 * again. Give such a hash its data at once, to ecfit_sha384.
 */
void ecfit_sha384_update(ecfit_sha512_context *context, const uint8_t *data, size_t size);

/** As ecfit_sha256_finish. */
void ecfit_sha384_finish(uint8_t digest[48], ecfit_sha512_context *context);

/** Begins a SHA-512, as ecfit_sha384_start. */
void ecfit_sha512_start(ecfit_sha512_context *context);

/** As ecfit_sha384_update. */
void ecfit_sha512_update(ecfit_sha512_context *context, const uint8_t *data, size_t size);

/** As ecfit_sha256_finish. */
void ecfit_sha512_finish(uint8_t digest[64], ecfit_sha512_context *context);

/** `digest_size` bytes of SHAKE256, as ecfit_sha256; the knob SHAKE256 chooses who provides it. */
void ecfit_shake256(uint8_t *digest, size_t digest_size, const ecfit_bytes *pieces, size_t count);

#ifdef __cplusplus
}
#endif

#endif
