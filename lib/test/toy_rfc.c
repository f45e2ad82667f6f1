/* toy_rfc.c - the library, and curves of a field of 8 bits through its templates
 * for Ed25519 and X25519
 *
 * toy_rfc.inc is made by the test: parameters, and the last lines of a curve file.
 * Words have 8 bits, so that a field element is one word.
 */
#include "ecfit.c"

/* The first bytes of SHA-512. */
ECFIT_STATIC void toy_hash(uint8_t *digest, size_t size, const ecfit_bytes *pieces, size_t count)
{
    uint8_t whole[64];
    ecfit_sha512(whole, pieces, count);
    bytes_copy(digest, whole, size);
}

#include "toy_rfc.inc"
