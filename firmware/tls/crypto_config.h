/* crypto_config.h - the mechanisms of PSA Crypto that the client's connection needs (config.h).
 *
 * With CLIENT_ECC_DRIVER everything about elliptic curves is accelerated by a driver (ours,
 * lib/psa), so that Mbed TLS leaves its own code out; its p256-m says so by itself. */
#ifndef CLIENT_CRYPTO_CONFIG_H
#define CLIENT_CRYPTO_CONFIG_H

#if defined(CLIENT_PSK)
#define PSA_WANT_ALG_CCM 1
#define PSA_WANT_ALG_TLS12_PSK_TO_MS 1
#else
#define PSA_WANT_ALG_GCM 1
#endif
#define PSA_WANT_KEY_TYPE_AES 1
#define PSA_WANT_ALG_SHA_256 1
#define PSA_WANT_ALG_HMAC 1
#define PSA_WANT_KEY_TYPE_HMAC 1
#define PSA_WANT_KEY_TYPE_DERIVE 1
#define PSA_WANT_KEY_TYPE_RAW_DATA 1
#if defined(CLIENT_TLS12)
#define PSA_WANT_ALG_TLS12_PRF 1
#else
#define PSA_WANT_ALG_HKDF_EXTRACT 1
#define PSA_WANT_ALG_HKDF_EXPAND 1
#endif
#if defined(CLIENT_SHA512)
#define PSA_WANT_ALG_SHA_384 1
#define PSA_WANT_ALG_SHA_512 1
#endif

#if !defined(CLIENT_PSK)
#define PSA_WANT_ALG_ECDH 1
#define PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_EXPORT 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE 1
#if !defined(CLIENT_RSA) || defined(CLIENT_AUTHENTICATES) || defined(CLIENT_WEB)
#define PSA_WANT_ALG_ECDSA 1
#endif
#endif
#if defined(CLIENT_RSA)
#define PSA_WANT_ALG_RSA_PKCS1V15_SIGN 1
#define PSA_WANT_ALG_RSA_PSS 1
#define PSA_WANT_KEY_TYPE_RSA_PUBLIC_KEY 1
#endif

#if defined(CLIENT_ECC_DRIVER)
#define MBEDTLS_PSA_ACCEL_ALG_ECDH 1
#define MBEDTLS_PSA_ACCEL_ALG_ECDSA 1
#define MBEDTLS_PSA_ACCEL_KEY_TYPE_ECC_PUBLIC_KEY 1
#define MBEDTLS_PSA_ACCEL_KEY_TYPE_ECC_KEY_PAIR_BASIC 1
#define MBEDTLS_PSA_ACCEL_KEY_TYPE_ECC_KEY_PAIR_IMPORT 1
#define MBEDTLS_PSA_ACCEL_KEY_TYPE_ECC_KEY_PAIR_EXPORT 1
#define MBEDTLS_PSA_ACCEL_KEY_TYPE_ECC_KEY_PAIR_GENERATE 1
#endif

#endif
