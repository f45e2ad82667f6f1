/* Examples for the API pages of Ed25519 and Ed448, in the name of the first.
 * tools/docs/docs_examples.py puts in the other name and sizes. */
#include "ecfit.h"

/* shown once */
static int fill(void *context, uint8_t *out, size_t size); /* your random generator; 0: it worked */
static const ecfit_rng rng = {fill, NULL};
static uint8_t private_key[32], public_key[32], key_pair[96], signature[64];
static uint8_t digest[64];                 /* of a message */
static ecfit_ed25519_verify_context begun; /* of a message in parts */
static const uint8_t message[] = "21 degrees", context[] = {'l', 'o', 'g'};
static int read_flash(void *chip, uint8_t *out, uint64_t offset, size_t size); /* yours; 0: read */
static const ecfit_reader reader = {read_flash, NULL};

static int example_public_key(void)
{
    if (ecfit_ed25519_public_key(public_key, private_key) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_keygen(void)
{
    if (ecfit_ed25519_keygen(public_key, private_key, &rng) != ECFIT_OK)
        return -1; /* no random numbers */
    return 0;
}

static int example_sign(void)
{
    if (ecfit_ed25519_sign(signature, private_key, message, sizeof message) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_sign_ctx(void)
{
    if (ecfit_ed25519_sign_ctx(signature, private_key, message, sizeof message, context,
                               sizeof context) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_sign_ph(void)
{
    if (ecfit_ed25519_sign_ph(signature, private_key, digest, context, sizeof context) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_sign_hedged(void)
{
    if (ecfit_ed25519_sign_hedged(signature, private_key, message, sizeof message, &rng) !=
        ECFIT_OK)
        return -1;
    return 0;
}

static int example_key_pair(void)
{
    if (ecfit_ed25519_key_pair(key_pair, private_key) != ECFIT_OK) /* once; keep it secret */
        return -1;
    return 0;
}

static int example_sign_pair(void)
{
    if (ecfit_ed25519_sign_pair(signature, key_pair, message, sizeof message) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_sign_parts(void)
{
    if (ecfit_ed25519_sign_parts(signature, private_key, sizeof message, &reader) != ECFIT_OK)
        return -1; /* not read, or changed */
    return 0;
}

static int example_sign_parts_ctx(void)
{
    if (ecfit_ed25519_sign_parts_ctx(signature, private_key, sizeof message, &reader, context,
                                     sizeof context) != ECFIT_OK)
        return -1; /* not read, or changed */
    return 0;
}

static int example_verify(void)
{
    if (ecfit_ed25519_verify(signature, public_key, message, sizeof message) != ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}

static int example_verify_start(void)
{
    ecfit_ed25519_verify_start(&begun, signature, public_key);
    return 0;
}

static int example_verify_update(void)
{
    ecfit_ed25519_verify_update(&begun, message, 4); /* as it comes */
    ecfit_ed25519_verify_update(&begun, message + 4, sizeof message - 4);
    return 0;
}

static int example_verify_finish(void)
{
    if (ecfit_ed25519_verify_finish(&begun) != ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}

static int example_verify_start_ctx(void)
{
    ecfit_ed25519_verify_start_ctx(&begun, signature, public_key, context, sizeof context);
    return 0;
}

static int example_verify_hardened(void)
{
    volatile uint32_t verdict;
    verdict = ecfit_ed25519_verify_hardened(signature, public_key, message, sizeof message);
    if (verdict != ECFIT_VERIFIED)
        return -1;
    if (verdict != ECFIT_VERIFIED) /* a fault can skip one comparison */
        return -1;
    return 0;
}

static int example_verify_ctx(void)
{
    if (ecfit_ed25519_verify_ctx(signature, public_key, message, sizeof message, context,
                                 sizeof context) != ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}

static int example_verify_ph(void)
{
    if (ecfit_ed25519_verify_ph(signature, public_key, digest, context, sizeof context) != ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}
