/* ecfit_msg.h - signed readings: what a sensor measured, in bytes that prove who sent them
 *
 *   JSS        JSON with a signature in it, readable by any JSON parser           jss.c
 *   COSE       CBOR with a signature around it: COSE_Sign1 (RFC 9052, 4.2)        cose.c
 *   recovery   a signature from which the reading is computed:
 *              Pintsov-Vanstone signatures                                        recovery.c
 *
 * Each function writes a whole message into a buffer of the caller's, or nothing: where it returns
 * anything but ECFIT_MSG_OK the buffer is all zero and the size 0. Nothing is allocated,
 * no global changes. What may leak of the private key is what ecfit.h says of the operation
 * that is called: all else here works on bytes that are sent.
 *
 * docs/telemetry.md says what the bytes are, and what the receiver must check.
 */
#ifndef ECFIT_MSG_H
#define ECFIT_MSG_H

#include "ecfit.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How writing a message ended. */
typedef enum ecfit_msg_status {
    /** Done. */
    ECFIT_MSG_OK = 0,
    /** The buffer is too small. */
    ECFIT_MSG_FULL = 1,
    /** Members that cannot be written: a name that is empty, has other characters than
     * printable ASCII without `"` and `\`, begins with "jss." or is there twice;
     * a label that is there twice; a value beyond ECFIT_MSG_VALUE_MAX; a message without any. */
    ECFIT_MSG_BAD_MEMBERS = 2,
    /** The signature was not made: private key out of range, or no random numbers. */
    ECFIT_MSG_NOT_SIGNED = 3
} ecfit_msg_status;

/** The largest integer, of either sign, that JSON numbers hold exactly (RFC 8785, 3.2.2.3). */
#define ECFIT_MSG_VALUE_MAX INT64_C(9007199254740991)

/** Bytes of the largest signature of those below: ES512. */
#define ECFIT_MSG_SIGNATURE_MAX 132

/**
 * A member of a reading: what is measured, and the integer.
 *
 * JSON takes the name, CBOR the name or, where name is NULL, the label.
 * Members may be in any order: what is written is sorted.
 */
typedef struct ecfit_msg_member {
    const char *name;
    int32_t label;
    int64_t value;
} ecfit_msg_member;

/**
 * The member that tells one boot of a sensor from another: the boot epoch.
 *
 * A receiver names a reading by key, boot epoch and measurement id. A sensor that starts counting
 * again therefore needs a new boot epoch, or its readings are refused as known.
 * Any number that no earlier boot has used will do: a count in flash, or random bits.
 */
#define ECFIT_MSG_EPOCH_NAME "boot_epoch"
/** The same where labels take the place of names. */
#define ECFIT_MSG_EPOCH_LABEL (-24)

/**
 * A boot epoch of 53 random bits, to be drawn once after a reset, for the first of the members.
 *
 * For a sensor that cannot write to flash. Two of a million boots have the same epoch with
 * a probability of 1 in 18,000. Set `name` to NULL to write the label.
 * Errors: ECFIT_MSG_NOT_SIGNED without random numbers; then the member stays as it is.
 */
ECFIT_CHECK ecfit_msg_status ecfit_msg_boot_epoch(ecfit_msg_member *member, const ecfit_rng *rng);

/** A signature algorithm. Those below are one object each: the linker takes what is named.
 *
 * Their numbers are those that all readers know. RFC 9864 has replaced -7, -35, -36 and -8 in COSE
 * by -9, -51, -52 and -19, which many readers refuse yet: copy the object and set its `number`
 * where yours does not. */
typedef struct ecfit_msg_signer {
    const char *name; /**< of JOSE (RFC 7518, 3.1; RFC 8812; RFC 8037), ES192 of the JSS paper */
    int32_t number;   /**< of COSE (RFC 9053, 2; RFC 8812) */
    size_t size;      /**< bytes of a signature: r || s */
    ecfit_status (*sign)(uint8_t *signature, const uint8_t *private_key, const uint8_t *message,
                         size_t size, const ecfit_rng *rng);
} ecfit_msg_signer;

/** ECDSA on secp192r1 with SHA-256. COSE has no number for it: -65537, of those for private use. */
extern const ecfit_msg_signer ecfit_msg_es192;
/** ECDSA on secp256r1 with SHA-256. */
extern const ecfit_msg_signer ecfit_msg_es256;
/** ECDSA on secp256k1 with SHA-256. */
extern const ecfit_msg_signer ecfit_msg_es256k;
/** ECDSA on secp384r1 with SHA-384. */
extern const ecfit_msg_signer ecfit_msg_es384;
/** ECDSA on secp521r1 with SHA-512. */
extern const ecfit_msg_signer ecfit_msg_es512;
/** Ed25519. */
extern const ecfit_msg_signer ecfit_msg_eddsa;

/**
 * A reading without a signature: a JSON object in the canonical form of RFC 8785.
 *
 * size: out: characters written. There is no 0 behind them.
 * Errors: ECFIT_MSG_FULL, ECFIT_MSG_BAD_MEMBERS.
 */
ECFIT_CHECK ecfit_msg_status ecfit_json_write(char *out, size_t capacity, size_t *size,
                                              const ecfit_msg_member *members, size_t count);

/**
 * The same with the members jss.protected and jss.signature, signed (docs/telemetry.md).
 *
 * rng: as of the signer's operation in ecfit.h.
 * Errors: ECFIT_MSG_FULL, ECFIT_MSG_BAD_MEMBERS, ECFIT_MSG_NOT_SIGNED.
 * CT: private_key
 */
ECFIT_CHECK ecfit_msg_status ecfit_jss_sign(char *out, size_t capacity, size_t *size,
                                            const ecfit_msg_signer *signer,
                                            const uint8_t *private_key,
                                            const ecfit_msg_member *members, size_t count,
                                            const ecfit_rng *rng);

/**
 * A reading without a signature: a CBOR map in the core deterministic encoding of RFC 8949, 4.2.1.
 *
 * Errors: ECFIT_MSG_FULL, ECFIT_MSG_BAD_MEMBERS.
 */
ECFIT_CHECK ecfit_msg_status ecfit_cbor_write(uint8_t *out, size_t capacity, size_t *size,
                                              const ecfit_msg_member *members, size_t count);

/**
 * The same as the payload of a COSE_Sign1 (RFC 9052, 4.2) with its tag. The protected header holds
 * the algorithm; the unprotected header and the external data are empty.
 *
 * rng: as of the signer's operation in ecfit.h.
 * Errors: ECFIT_MSG_FULL, ECFIT_MSG_BAD_MEMBERS, ECFIT_MSG_NOT_SIGNED.
 * CT: private_key
 */
ECFIT_CHECK ecfit_msg_status ecfit_cose_sign1(uint8_t *out, size_t capacity, size_t *size,
                                              const ecfit_msg_signer *signer,
                                              const uint8_t *private_key,
                                              const ecfit_msg_member *members, size_t count,
                                              const ecfit_rng *rng);

/** A group for signatures with message recovery. Those below are one object each. */
typedef struct ecfit_msg_recovery {
    size_t scalar;     /**< bytes of s */
    size_t public_key; /**< bytes of a public key, uncompressed */
    size_t redundancy; /**< zero bytes before the message: half of the bits of the order */
    uint8_t order[32]; /**< of the group, the least byte first */
    uint8_t reversed;  /**< 1: scalars are written with the least byte last */
    /** A nonce below the order, the least byte first, and its point. */
    ecfit_status (*draw)(uint8_t *nonce, uint8_t *point, const ecfit_rng *rng);
    /** The private key as a number below the order, the least byte first. 0 when it is none. */
    int (*secret)(uint8_t *number, const uint8_t *private_key);
} ecfit_msg_recovery;

extern const ecfit_msg_recovery ecfit_msg_recovery_secp192r1;
extern const ecfit_msg_recovery ecfit_msg_recovery_secp256r1;
extern const ecfit_msg_recovery ecfit_msg_recovery_ed25519;

/** Bytes that can be recovered, at most: one block of the key stream less the redundancy. */
#define ECFIT_MSG_RECOVERED_MAX 240

/**
 * A signature with message recovery (Pintsov-Vanstone, docs/telemetry.md): c || s, which are
 * redundancy + message_size + scalar bytes.
 *
 * visible: what is signed beside it and sent apart, or known to the receiver anyway: who sends,
 *          to whom. It may be empty.
 * rng: each signature draws a new nonce from it, and may not be NULL: two signatures with the same
 *      nonce give the private key away.
 * Errors: ECFIT_MSG_FULL, ECFIT_MSG_NOT_SIGNED, and ECFIT_MSG_BAD_MEMBERS for a message of more
 * than ECFIT_MSG_RECOVERED_MAX bytes.
 * CT: private_key, nonce
 */
ECFIT_CHECK ecfit_msg_status ecfit_recovery_sign(uint8_t *out, size_t capacity, size_t *size,
                                                 const ecfit_msg_recovery *group,
                                                 const uint8_t *private_key, const uint8_t *message,
                                                 size_t message_size, const uint8_t *visible,
                                                 size_t visible_size, const ecfit_rng *rng);

#ifdef __cplusplus
}
#endif

#endif
