/* check_eddsa.c - Ed25519 of ecfit: the verification for secure boot, computed twice.
 * The message is the hash, as imgtool signs it. */
#include "check.h"
#include "ecfit.h"

void check_start(void) {}

void check_hash(uint8_t hash[HASH_SIZE], const uint8_t *data, size_t size)
{
    const ecfit_bytes piece = {data, size};
    ecfit_sha512(hash, &piece, 1);
}

uint32_t check_signature(const uint8_t *signature, size_t size, const uint8_t hash[HASH_SIZE])
{
    (void)size; /* SIGNATURE_MIN is SIGNATURE_MAX */
    return ecfit_ed25519_verify_hardened(signature, boot_key, hash, HASH_SIZE);
}

_Static_assert(BOOT_VERIFIED == ECFIT_VERIFIED, "what ecfit returns is handed on as it is");
