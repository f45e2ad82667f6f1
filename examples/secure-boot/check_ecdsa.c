/* check_ecdsa.c - ECDSA of ecfit: the verification for secure boot, computed twice. */
#include "check.h"
#include "ecfit.h"

void check_start(void) {}

void check_hash(uint8_t hash[HASH_SIZE], const uint8_t *data, size_t size)
{
    const ecfit_bytes piece = {data, size};
    ECFIT_HASH(hash, &piece, 1);
}

uint32_t check_signature(const uint8_t *signature, size_t size, const uint8_t hash[HASH_SIZE])
{
    uint8_t numbers[2 * ECFIT_SCALAR];
    if (ECFIT_CURVE(signature_from_der)(numbers, signature, size) != ECFIT_OK)
        return 0;
    return ECFIT_CURVE(ecdsa_verify_hardened)(numbers, boot_key, hash, HASH_SIZE);
}

_Static_assert(BOOT_VERIFIED == ECFIT_VERIFIED, "what ecfit returns is handed on as it is");
