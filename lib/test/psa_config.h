/* psa_config.h - Mbed TLS with elliptic curves alone, for psa_calls.c. */
#ifndef PSA_TEST_CONFIG_H
#define PSA_TEST_CONFIG_H

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_CRYPTO_CONFIG
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#define MBEDTLS_PSA_ASSUME_EXCLUSIVE_BUFFERS
#define MBEDTLS_ECP_NIST_OPTIM

#endif
