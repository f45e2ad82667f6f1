/* algorithm.h - the hash and the signatures. BOOT_ECDSA_P256, BOOT_ECDSA_P384 or BOOT_ED25519
 * chooses the first; BOOT_SECOND: a second one of the same hash, with ML-DSA-44. Types: TLV_VALUES
 * of imgtool; that of the second one is from the range that imgtool leaves to its users. */
#ifndef ALGORITHM_H
#define ALGORITHM_H

#if defined(BOOT_ECDSA_P256)
#define HASH_TYPE 0x10
#define HASH_SIZE 32
#define SIGNATURE_TYPE 0x22
#define SIGNATURE_MIN 8  /* DER of two numbers of a byte */
#define SIGNATURE_MAX 72 /* of two of 32 bytes with a leading zero each */

#define ECFIT_CURVE(name) ecfit_secp256r1_##name
#define ECFIT_HASH ecfit_sha256
#define ECFIT_SCALAR 32

#define MBEDTLS_GROUP MBEDTLS_ECP_DP_SECP256R1
#define MBEDTLS_POINT 65
#define MBEDTLS_HASH mbedtls_sha256
#define MBEDTLS_HASH_SHORTER 0 /* than the name of the function says: SHA-224, SHA-384 */

#elif defined(BOOT_ECDSA_P384)
#define HASH_TYPE 0x11
#define HASH_SIZE 48
#define SIGNATURE_TYPE 0x22
#define SIGNATURE_MIN 8   /* DER of two numbers of a byte */
#define SIGNATURE_MAX 104 /* of two of 48 bytes with a leading zero each */

#define ECFIT_CURVE(name) ecfit_secp384r1_##name
#define ECFIT_HASH ecfit_sha384
#define ECFIT_SCALAR 48

#define MBEDTLS_GROUP MBEDTLS_ECP_DP_SECP384R1
#define MBEDTLS_POINT 97
#define MBEDTLS_HASH mbedtls_sha512
#define MBEDTLS_HASH_SHORTER 1 /* than the name of the function says: SHA-224, SHA-384 */

#elif defined(BOOT_ED25519) /* and SHA-512 for the image (imgtool sign --sha 512): one hash */
#define HASH_TYPE 0x12
#define HASH_SIZE 64
#define SIGNATURE_TYPE 0x24
#define SIGNATURE_MIN 64
#define SIGNATURE_MAX 64

#else
#error "define BOOT_ECDSA_P256, BOOT_ECDSA_P384 or BOOT_ED25519"
#endif

#if defined(BOOT_SECOND)
#define SECOND_TYPE 0xa4
#define SECOND_SIZE 2420 /* FIPS 204, table 2 */
#endif

#endif
