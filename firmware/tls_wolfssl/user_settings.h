/* user_settings.h - wolfSSL as the client has it (client.c): what one connection needs, as config.h
 * of firmware/tls says it for Mbed TLS. The build says which:
 *
 *   CLIENT_TLS12            TLS 1.2; else 1.3
 *   CLIENT_RSA              the server's certificates are RSA; else ECDSA
 *   CLIENT_AUTHENTICATES    the client has a certificate and a key of its own
 *   CLIENT_SHA512           SHA-384 and SHA-512 are there, too
 *   HAVE_ECC384             P-384 instead of P-256
 *   CLIENT_MLKEM            ML-KEM-768 is there, too, and its key exchange hybrid
 *   CLIENT_SHA3             SHA-3, for the ML-KEM of wolfSSL itself
 *   CLIENT_ARMASM           assembly for Armv7-M: for the files of ML-KEM and Keccak alone, because
 *                           one switch is of all assembly, and nothing else shall differ by it
 *   CLIENT_GROUP            what is offered (client.c)
 *
 * Where it chooses freely it takes what the library's own template for embedded devices does
 * (examples/configs/user_settings_embedded.h); arithmetic comes from peers/wolfssl/peer.toml. */
#ifndef CLIENT_USER_SETTINGS_H
#define CLIENT_USER_SETTINGS_H

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>
#include <time.h>

void *port_calloc(size_t count, size_t size);
void port_free(void *block);
int client_random(unsigned char *out, unsigned int size);
time_t client_time(time_t *out);
struct tm *client_gmtime(const time_t *time, struct tm *out);
#endif

/* The platform: memory, time and randomness are the port's. */
#define XMALLOC_OVERRIDE
#define XMALLOC(size, heap, type) port_calloc(1, (size))
#define XFREE(block, heap, type) port_free(block)
#define XREALLOC(block, size, heap, type) NULL
#define NO_WOLFSSL_MEMORY
#define TIME_OVERRIDES
#define HAVE_TIME_T_TYPE
#define HAVE_TM_TYPE
#define XTIME client_time
#define XGMTIME client_gmtime
#define NO_DEV_RANDOM
#define CUSTOM_RAND_GENERATE_BLOCK client_random
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define WOLFSSL_USER_IO
#define WOLFSSL_NO_SOCK
#define WOLFSSL_SMALL_STACK

/* What a client of this connection does not need. */
#define NO_WOLFSSL_SERVER
#define NO_ERROR_STRINGS
#define NO_SESSION_CACHE
#define WC_NO_ASYNC_THREADING
#define NO_DH
#define NO_DSA
#define NO_DES3
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_SHA
#define NO_PWDBASED
#define NO_PSK
#define NO_OLD_TLS
#define NO_CODING /* no PEM */
#define WOLFSSL_NO_PEM
#define NO_SIG_WRAPPER
#define NO_WOLFSSL_STUB

#define HAVE_TLS_EXTENSIONS
#define HAVE_SUPPORTED_CURVES
#define HAVE_SNI
#define HAVE_EXTENDED_MASTER
#if defined(CLIENT_TLS12)
#define WOLFSSL_AEAD_ONLY
#else
#define WOLFSSL_TLS13
#define WOLFSSL_NO_TLS12
#define HAVE_HKDF
#define WOLFSSL_AEAD_ONLY
#endif

#define HAVE_AESGCM
#define GCM_TABLE_4BIT
#define NO_AES_CBC
#define NO_AES_192
#define NO_AES_256
#define WOLFSSL_AES_SMALL_TABLES
#define WOLFSSL_AES_NO_UNROLL

#if defined(CLIENT_SHA512)
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#endif

#if defined(CLIENT_RSA)
#define WC_RSA_BLINDING
#define WOLFSSL_RSA_PUBLIC_ONLY
#define WOLFSSL_RSA_VERIFY_INLINE
#if !defined(CLIENT_TLS12)
#define WC_RSA_PSS
#endif
#else
#define NO_RSA
#endif

#if defined(CLIENT_MLKEM)
#define WOLFSSL_HAVE_MLKEM
#define WOLFSSL_MLKEM_NO_ENCAPSULATE
#define WOLFSSL_TLS_NO_MLKEM_STANDALONE
#define WOLFSSL_TLSX_PQC_MLKEM_STORE_OBJ /* takes the least memory, and saves its encoding */
#define WOLFSSL_PQC_HYBRIDS
#endif
#if defined(CLIENT_SHA3)
#define WOLFSSL_SHA3
#define WOLFSSL_NOSHA3_224
#define WOLFSSL_NOSHA3_384
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256
#endif
#if defined(CLIENT_ARMASM) && defined(__thumb2__)
#define WOLFSSL_ARMASM
#define WOLFSSL_ARMASM_THUMB2
#define WOLFSSL_ARMASM_NO_NEON
#define WOLFSSL_ARMASM_NO_HW_CRYPTO
#if defined(__ARM_ARCH_7M__)
#define WOLFSSL_ARM_ARCH_7M
#endif
#endif

#define ECC_USER_CURVES /* P-256, and those that the build names: HAVE_ECC384 */
#if defined(HAVE_ECC384)
#define NO_ECC256
#define WOLFSSL_SP_384
#define WOLFSSL_SP_NO_256
#endif
#define ECC_TIMING_RESISTANT
#define ECC_SHAMIR
#define WOLFSSL_SP_MATH_ALL
#if defined(BENCH_WOLF_ASM) && defined(__thumb2__)
#define WOLFSSL_SP_ARM_CORTEX_M_ASM
#elif defined(BENCH_WOLF_ASM) && defined(__thumb__)
#define WOLFSSL_SP_ARM_THUMB_ASM
#endif

#endif
