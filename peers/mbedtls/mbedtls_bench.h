/* mbedtls_bench.h - the configuration of Mbed TLS, 2.28 and 3.6: elliptic curves and what
 * they need. The curve, the window and so on come from peer.toml. The heap is the harness's,
 * so that it is counted. */
#ifndef MBEDTLS_BENCH_H
#define MBEDTLS_BENCH_H

#include <stddef.h>

void *bench_calloc(size_t count, size_t size);
void bench_free(void *block);

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO bench_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO bench_free

#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_NO_INTERNAL_RNG /* of 2.28: every call here brings its generator */
#define MBEDTLS_ECDH_C
#define MBEDTLS_ASN1_PARSE_C /* ECDSA asks for these two; the linker drops them */
#define MBEDTLS_ASN1_WRITE_C

#endif
