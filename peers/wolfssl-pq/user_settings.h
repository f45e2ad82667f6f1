/* user_settings.h - the configuration of wolfCrypt: ML-KEM and ML-DSA alone, no system below.
 * The parameter set comes from peer.toml. */
#ifndef BENCH_WOLFSSL_PQ_H
#define BENCH_WOLFSSL_PQ_H

#ifndef __ASSEMBLER__
#include <stddef.h>

void *bench_calloc(size_t count, size_t size);
void bench_free(void *block);
int bench_random(unsigned char *out, size_t size);
int bench_wolf_random(unsigned char *out, unsigned size);
#endif

#define XMALLOC_OVERRIDE
#define XMALLOC(size, heap, type) bench_calloc(1, (size))
#define XFREE(block, heap, type) bench_free(block)
#define XREALLOC(block, size, heap, type) NULL

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define NO_ERROR_STRINGS
#define NO_ASN
#define NO_ASN_TIME
#define NO_RSA
#define NO_DH
#define NO_DSA
#define NO_AES
#define NO_DES3
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_SHA
#define NO_SHA256
#define NO_HMAC
#define NO_PWDBASED
#define NO_SIG_WRAPPER
#define NO_DEV_RANDOM
#define CUSTOM_RAND_GENERATE_BLOCK bench_wolf_random

#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256
#ifdef BENCH_WOLF_KEM
#define WOLFSSL_HAVE_MLKEM
#else
#define WOLFSSL_HAVE_MLDSA
#define WOLFSSL_MLDSA_NO_ASN1
#endif

/* Assembly of Keccak and of ML-KEM. */
#if defined(BENCH_WOLF_ARMASM) && defined(__thumb2__)
#define WOLFSSL_ARMASM
#define WOLFSSL_ARMASM_THUMB2
#define WOLFSSL_ARMASM_NO_NEON
#define WOLFSSL_ARMASM_NO_HW_CRYPTO
#if defined(__ARM_ARCH_7M__)
#define WOLFSSL_ARM_ARCH_7M
#endif
#endif

#endif
