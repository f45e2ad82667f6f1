/* Examples for the API pages of X25519 and X448, in the name of the first.
 * tools/docs/docs_examples.py puts in the other name and sizes. */
#include "ecfit.h"

/* shown once */
static int fill(void *context, uint8_t *out, size_t size); /* your random generator; 0: it worked */
static const ecfit_rng rng = {fill, NULL};
static uint8_t private_key[32], public_key[32], peer_public_key[32], shared_secret[32];

static int example(void)
{
    if (ecfit_x25519(shared_secret, private_key, peer_public_key) != ECFIT_OK)
        return -1; /* derive keys from the secret, for instance with HKDF */
    return 0;
}

static int example_public_key(void)
{
    if (ecfit_x25519_public_key(public_key, private_key) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_keygen(void)
{
    if (ecfit_x25519_keygen(public_key, private_key, &rng) != ECFIT_OK)
        return -1; /* no random numbers */
    return 0;
}
