/* mbedtls_boot.h - the configuration of Mbed TLS 3.6: one curve, one hash, its own allocator.
 * The curve, the hash, and what trades size for time come from secureboot.py. */
#ifndef MBEDTLS_BOOT_H
#define MBEDTLS_BOOT_H

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_PLATFORM_EXIT_MACRO boot_exit /* of the allocator, where its heap is damaged */

void boot_exit(int code);

#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_NIST_OPTIM
#define MBEDTLS_ECDSA_C
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_HAVE_ASM

#endif
