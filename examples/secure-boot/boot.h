/* boot.h - what the boot loader finds in a slot, and what it says of it.
 *
 * An image is as imgtool makes it, the signing tool of MCUboot [MCUBOOT]: a header of 32 bytes and
 * its padding, the program, a protected area of entries (type, length, value) that is signed with
 * them, an area of entries that is not. All numbers are little-endian.
 *
 * BOOT_SLOT, BOOT_SLOT_SIZE: the slot in flash. BOOT_MINIMUM: a page of flash that begins with a
 * boot_minimum; the program raises it when it has proved itself, as its chip writes flash. Each
 * function has these addresses from its own code: a fault in one call does not reach the next.
 *
 * The algorithm is in algorithm.h: HASH_TYPE, HASH_SIZE, SIGNATURE_TYPE, SIGNATURE_MIN,
 * SIGNATURE_MAX, and names for check_*.c; with BOOT_SECOND, SECOND_TYPE and SECOND_SIZE of another
 * signature, which must hold too. */
#ifndef BOOT_H
#define BOOT_H

#include "algorithm.h"
#include <stddef.h>
#include <stdint.h>

/* What is added up, and what the sum must be, for a program to be started:
 * of boot_verify twice, and of boot_age twice. With one of them missing or another number in its
 * place, the sum leads to an address where no memory is. */
#define BOOT_VERIFIED 0xa53c965au
#define BOOT_AGE_1 0x3ca5695au
#define BOOT_AGE_2 0x695ac33cu
#if defined(BOOT_SECOND)
#define BOOT_SECOND_VERIFIED 0x5ac3369cu
#define BOOT_SIGNED (BOOT_VERIFIED + BOOT_SECOND_VERIFIED) /* of boot_verify */
#else
#define BOOT_SIGNED BOOT_VERIFIED
#endif
#define BOOT_GENUINE (2 * BOOT_SIGNED + BOOT_AGE_1 + BOOT_AGE_2)

/* Bytes of the header and its padding: the program is linked to stand behind as many. */
#define BOOT_HEADER 0x200u

#define BOOT_PARSED 0u /* of boot_parse: all parts are there */

/* Why a slot is refused. The numbers are part of the interface: the port shows them. */
#define BOOT_NO_IMAGE 1u /* no image begins here: the slot is empty */
#define BOOT_BAD_HEADER \
    2u /* sizes that do not fit the slot, or a kind that is not booted:
                                    encrypted, compressed, for RAM, not bootable */
#define BOOT_BAD_TRAILER \
    3u                        /* the entries behind the program are cut short, contradict their
                                    lengths, stand there twice, or one that must be is not;
                                    or something stands behind them */
#define BOOT_UNKNOWN_ENTRY 4u /* an entry of a type that this loader does not obey */
#define BOOT_WRONG_KEY 5u     /* made for another public key */
#define BOOT_ALTERED 6u       /* what is signed is not what was hashed when it was signed */
#define BOOT_BAD_SIGNATURE 7u /* the signature is not one of this image and key */
#define BOOT_DOWNGRADE 8u     /* older than the oldest that may run */
#define BOOT_BAD_VECTORS 9u   /* genuine, but not a program for this slot */

/* An image whose lengths all fit; nothing of it is known to be genuine. Places are offsets in the
 * slot. */
typedef struct {
    size_t program_size; /* at least 8 */
    size_t signed_size;  /* from the beginning of the slot: header, program, protected area */
    size_t size;         /* with the area that is not signed */
    uint32_t counter;    /* 4 bytes: the security counter; 0 where there is none */
    uint32_t hash;       /* HASH_SIZE bytes */
    uint32_t key_hash;   /* HASH_SIZE bytes */
    uint32_t signature;  /* of SIGNATURE_MIN to SIGNATURE_MAX bytes */
    size_t signature_size;
#if defined(BOOT_SECOND)
    uint32_t second; /* SECOND_SIZE bytes */
#endif
} boot_image;

#define BOOT_VERSION 20u /* place of 8 bytes: major, minor, revision (16 bits), build (32 bits) */

/* What one verification works with. Both have their own. */
typedef struct {
    boot_image image;
    uint8_t hash[HASH_SIZE]; /* of what is signed, as it was computed */
    uint8_t signature[SIGNATURE_MAX];
#if defined(BOOT_SECOND)
    uint8_t second[SECOND_SIZE];
#endif
} boot_pass;

/* The oldest that may run, as it stands in flash: a version and a security counter, 12 bytes.
 * Erased flash is the newest of all, so that a device without a record runs nothing. */
typedef struct {
    uint8_t version[8];
    uint8_t counter[4];
} boot_minimum;

/* The public key and the hash of its SubjectPublicKeyInfo, as imgtool writes it; from key.c,
 * which make_key of secureboot.py writes. */
extern const uint8_t boot_key[];
extern const uint8_t boot_key_hash[HASH_SIZE];
#if defined(BOOT_SECOND)
extern const uint8_t boot_second_key[]; /* which no part of an image names */
#endif

/* Finds the parts of an image in a slot of `size` bytes. Every length is checked before it is used,
 * no byte outside the slot is read, no order of entries is relied on.
 * In: slot, any bytes. Out: *image where the result is BOOT_PARSED. Else the reason:
 * BOOT_NO_IMAGE to BOOT_UNKNOWN_ENTRY.   CT: no, public data */
uint32_t boot_parse(boot_image *image, const uint8_t *slot, size_t size);

/* Whether the image in the slot is whole, of the owner of the key, and a program for this slot.
 * To be called twice, with a pass for each. *pass is poisoned when it begins and when it ends: a
 * fault finds nothing there of another verification, also not of one before a reset.
 * Out: BOOT_SIGNED, or the reason: any but BOOT_DOWNGRADE.   CT: no, public data */
uint32_t boot_verify(boot_pass *pass);

/* `word` where the image in the slot is not older than the oldest that may run; else another
 * number. To be called behind boot_verify: what it reads must be genuine.   CT: no, public data */
uint32_t boot_age(uint32_t word);

/* A little-endian number. */
static inline uint32_t boot_le16(const uint8_t *in)
{
    return (uint32_t)(in[0] | in[1] << 8);
}

static inline uint32_t boot_le32(const uint8_t *in)
{
    return boot_le16(in) | boot_le16(in + 2) << 16;
}

#endif
