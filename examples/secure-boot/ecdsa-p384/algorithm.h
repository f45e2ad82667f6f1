/* algorithm.h - ECDSA on P-384 with SHA-384. Types: TLV_VALUES of imgtool. */
#ifndef ALGORITHM_H
#define ALGORITHM_H

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

#endif
