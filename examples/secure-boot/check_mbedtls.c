/* check_mbedtls.c - ECDSA of Mbed TLS, below its public-key layer: as small as it can be called.
 *
 * It computes once, and its verdict is a branch. Its numbers are on a heap: Mbed TLS's own
 * allocator in MBEDTLS_HEAP bytes, as boot loaders without an operating system use it. */
#include "check.h"
#include "mbedtls/ecdsa.h"
#include "mbedtls/memory_buffer_alloc.h"
#include "mbedtls/sha256.h"
#include "mbedtls/sha512.h"

static uint8_t heap[MBEDTLS_HEAP] __attribute__((aligned(8)));

void boot_exit(int code)
{
    (void)code;
    for (;;) {
    }
}

void check_start(void)
{
    mbedtls_memory_buffer_alloc_init(heap, sizeof heap);
}

void check_hash(uint8_t hash[HASH_SIZE], const uint8_t *data, size_t size)
{
    (void)MBEDTLS_HASH(data, size, hash, MBEDTLS_HASH_SHORTER);
}

uint32_t check_signature(const uint8_t *signature, size_t size, const uint8_t hash[HASH_SIZE])
{
    mbedtls_ecdsa_context key;
    mbedtls_ecdsa_init(&key);
    int failed = mbedtls_ecp_group_load(&key.MBEDTLS_PRIVATE(grp), MBEDTLS_GROUP);
    if (failed == 0)
        failed = mbedtls_ecp_point_read_binary(&key.MBEDTLS_PRIVATE(grp), &key.MBEDTLS_PRIVATE(Q),
                                               boot_key, MBEDTLS_POINT);
    if (failed == 0)
        failed = mbedtls_ecdsa_read_signature(&key, hash, HASH_SIZE, signature, size);
    mbedtls_ecdsa_free(&key);
    return failed == 0 ? BOOT_VERIFIED : 0;
}
