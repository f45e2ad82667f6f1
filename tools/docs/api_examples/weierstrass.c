/* Examples for the API page of each short Weierstrass curve, in the name of secp256r1.
 * tools/docs/docs_examples.py puts in the other names and sizes. */
#include <string.h>

#include "ecfit.h"

/* shown once */
static int fill(void *context, uint8_t *out, size_t size); /* your random generator; 0: it worked */
static const ecfit_rng rng = {fill, NULL};
static uint8_t private_key[32], public_key[65], peer_public_key[65], shared_secret[32];
static uint8_t recoverable[65]; /* a signature, and its recovery id */
static uint8_t compressed[33], signature[64], der[ECFIT_DER_MAX(32)], hash[32]; /* of a message */
static const uint8_t message[] = "21 degrees";
static size_t der_size;
static ecfit_secp256r1_task task;                        /* or a work area */
static ecfit_secp256r1_spake2p_context prover, verifier; /* on two devices */
static uint8_t halves[80], w0[32], w1[32], record[65];   /* of the hashed password */
static uint8_t share[65], peer_share[65], confirmation[32], peer_confirmation[32], shared_key[32];
static const ecfit_bytes names[3] = {{message, 2}, {NULL, 0}, {NULL, 0}};

static int example_keygen(void)
{
    if (ecfit_secp256r1_keygen(public_key, private_key, &rng) != ECFIT_OK)
        return -1; /* no random numbers */
    return 0;
}

static int example_public_key(void)
{
    if (ecfit_secp256r1_public_key(public_key, private_key, &rng) != ECFIT_OK)
        return -1; /* not a private key of this curve */
    return 0;
}

static int example_ecdh(void)
{
    if (ecfit_secp256r1_ecdh(shared_secret, private_key, peer_public_key, &rng) != ECFIT_OK)
        return -1;
    ecfit_bytes secret = {shared_secret, sizeof shared_secret};
    ecfit_sha256(hash, &secret, 1); /* derive keys from it, with a hash at least */
    return 0;
}

static int example_ecdsa_sign(void)
{
    ecfit_bytes bytes = {message, sizeof message};
    ecfit_sha256(hash, &bytes, 1);
    if (ecfit_secp256r1_ecdsa_sign(signature, private_key, hash, sizeof hash, &rng) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_sign_recoverable(void)
{
    if (ecfit_secp256r1_ecdsa_sign_recoverable(recoverable, private_key, hash, sizeof hash, &rng) !=
        ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_recover(void)
{
    if (ecfit_secp256r1_ecdsa_recover(peer_public_key, recoverable, hash, sizeof hash) != ECFIT_OK)
        return -1;
    if (memcmp(peer_public_key, public_key, sizeof public_key) != 0)
        return -1; /* another one signed */
    return 0;
}

static int example_ecdsa_sign_message(void)
{
    if (ecfit_secp256r1_ecdsa_sign_message(signature, private_key, message, sizeof message, &rng) !=
        ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_verify(void)
{
    ecfit_bytes bytes = {message, sizeof message};
    ecfit_sha256(hash, &bytes, 1);
    if (ecfit_secp256r1_ecdsa_verify(signature, public_key, hash, sizeof hash) != ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}

static int example_ecdsa_verify_hardened(void)
{
    volatile uint32_t verdict;
    verdict = ecfit_secp256r1_ecdsa_verify_hardened(signature, public_key, hash, sizeof hash);
    if (verdict != ECFIT_VERIFIED)
        return -1;
    if (verdict != ECFIT_VERIFIED) /* a fault can skip one comparison */
        return -1;
    return 0;
}

static int example_ecdsa_verify_message(void)
{
    if (ecfit_secp256r1_ecdsa_verify_message(signature, public_key, message, sizeof message) !=
        ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}

static int example_public_key_check(void)
{
    if (ecfit_secp256r1_public_key_check(public_key) != ECFIT_OK)
        return -1; /* do not keep it */
    return 0;
}

static int example_compress(void)
{
    if (ecfit_secp256r1_compress(compressed, public_key) != ECFIT_OK)
        return -1; /* not a point of the curve */
    return 0;
}

static int example_decompress(void)
{
    if (ecfit_secp256r1_decompress(public_key, compressed) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_signature_to_der(void)
{
    if (ecfit_secp256r1_signature_to_der(der, &der_size, signature) != ECFIT_OK)
        return -1;
    /* send der_size bytes of der */
    return 0;
}

static int example_signature_from_der(void)
{
    if (ecfit_secp256r1_signature_from_der(signature, der, der_size) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_keygen_start(void)
{
    if (ecfit_secp256r1_keygen_start(&task, &rng) != ECFIT_MORE)
        return -1;
    /* go on with ecfit_secp256r1_step */
    return 0;
}

static int example_ecdh_start(void)
{
    if (ecfit_secp256r1_ecdh_start(&task, private_key, peer_public_key, &rng) != ECFIT_MORE)
        return -1;
    /* go on with ecfit_secp256r1_step */
    return 0;
}

static int example_ecdsa_sign_start(void)
{
    if (ecfit_secp256r1_ecdsa_sign_start(&task, private_key, hash, sizeof hash, &rng) != ECFIT_MORE)
        return -1;
    /* go on with ecfit_secp256r1_step */
    return 0;
}

static int example_schnorr_sign(void)
{
    if (ecfit_secp256r1_schnorr_sign(signature, private_key, hash, sizeof hash, &rng) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_schnorr_verify(void)
{
    uint8_t own[65];
    if (ecfit_secp256r1_public_key(own, private_key, &rng) != ECFIT_OK)
        return -1;
    if (ecfit_secp256r1_schnorr_verify(signature, own + 1, hash, sizeof hash) != ECFIT_OK)
        return -1; /* not signed with this key */
    return 0;
}

static int example_spake2p_scalars(void)
{
    memset(halves, 7, sizeof halves); /* in the place of PBKDF2 */
    if (ecfit_secp256r1_spake2p_scalars(w0, w1, halves) != ECFIT_OK)
        return -1; /* never met */
    if (ecfit_secp256r1_public_key(record, w1, &rng) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_spake2p_prover_start(void)
{
    if (ecfit_secp256r1_spake2p_prover_start(&prover, share, w0, &rng) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_spake2p_verifier_start(void)
{
    /* share: of the prover */
    if (ecfit_secp256r1_spake2p_verifier_start(&verifier, peer_share, peer_confirmation, w0, record,
                                               share, names, 0, &rng) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_spake2p_prover_finish(void)
{
    /* peer_share, peer_confirmation: of the verifier */
    if (ecfit_secp256r1_spake2p_prover_finish(shared_key, confirmation, &prover, w1, peer_share,
                                              peer_confirmation, names, 0, &rng) != ECFIT_OK)
        return -1; /* not the same password */
    return 0;
}

static int example_spake2p_verifier_finish(void)
{
    if (ecfit_secp256r1_spake2p_verifier_finish(shared_key, &verifier, confirmation) != ECFIT_OK)
        return -1; /* not the same password */
    return 0;
}

static int example_ecdsa_verify_start(void)
{
    if (ecfit_secp256r1_ecdsa_verify_start(&task, signature, public_key, hash, sizeof hash) !=
        ECFIT_MORE)
        return -1;
    /* go on with ecfit_secp256r1_step */
    return 0;
}

static int example_step(void)
{
    ecfit_status status;
    do {
        /* serve the watchdog or the radio here */
        status = ecfit_secp256r1_step(&task, 10);
    } while (status == ECFIT_MORE);
    if (status != ECFIT_OK)
        return -1;
    return 0;
}

static int example_abort(void)
{
    ecfit_secp256r1_abort(&task); /* for instance when the connection is gone */
    return 0;
}

static int example_keygen_finish(void)
{
    if (ecfit_secp256r1_keygen_finish(public_key, private_key, &task) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdh_finish(void)
{
    if (ecfit_secp256r1_ecdh_finish(shared_secret, &task) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_sign_finish(void)
{
    if (ecfit_secp256r1_ecdsa_sign_finish(signature, &task) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_verify_finish(void)
{
    if (ecfit_secp256r1_ecdsa_verify_finish(&task) != ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}

static int example_keygen_in(void)
{
    if (ecfit_secp256r1_keygen_in(public_key, private_key, &rng, &task) != ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdh_in(void)
{
    if (ecfit_secp256r1_ecdh_in(shared_secret, private_key, peer_public_key, &rng, &task) !=
        ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_sign_in(void)
{
    if (ecfit_secp256r1_ecdsa_sign_in(signature, private_key, hash, sizeof hash, &rng, &task) !=
        ECFIT_OK)
        return -1;
    return 0;
}

static int example_ecdsa_verify_in(void)
{
    if (ecfit_secp256r1_ecdsa_verify_in(signature, public_key, hash, sizeof hash, &task) !=
        ECFIT_OK)
        return -1; /* do not use the message */
    return 0;
}
