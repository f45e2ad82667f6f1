/* check_mldsa.c - ML-DSA-44 of mldsa-native (FIPS 204), pure: the message is the hash, the context
 * is empty. It computes once, and its verdict is a branch, which both verifications take. */
#include "check.h"
#include "mldsa_native.h"

uint32_t check_second(const uint8_t signature[SECOND_SIZE], const uint8_t hash[HASH_SIZE])
{
    return mldsa_verify(signature, hash, HASH_SIZE, NULL, 0, boot_second_key) == 0
               ? BOOT_SECOND_VERIFIED
               : 0;
}

_Static_assert(SECOND_SIZE == MLDSA_BYTES(MLD_CONFIG_PARAMETER_SET), "FIPS 204, table 2");
