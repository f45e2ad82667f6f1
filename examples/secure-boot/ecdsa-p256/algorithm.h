/* algorithm.h - ECDSA on P-256 with SHA-256. Types: TLV_VALUES of imgtool. */
#ifndef ALGORITHM_H
#define ALGORITHM_H

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

#endif
