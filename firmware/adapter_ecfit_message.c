/* adapter_ecfit_message.c - the operations of bench_op.h that are in an image only where they are
 * named, on this library, for any of its Weierstrass curves; beside the adapter of the others. */
#include "adapter_ecfit.h"

int bench_sign_message(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_sign_message)(out, in, in + N, 32, &rng);
}

int bench_verify_message(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_ecdsa_verify_message)(in, in + 2 * N, in + 2 * N + P, 32);
}

int bench_sign_recoverable(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_sign_recoverable)(out, in, in + N, 32, &rng);
}

int bench_recover_key(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_recover)(out, in, in + 2 * N + 1, 32);
}

/* Of secp256k1 alone, whose header has the contracts. */
ecfit_status CURVE(_schnorr_sign)(uint8_t signature[2 * N], const uint8_t private_key[N],
                                  const uint8_t *message, size_t message_size,
                                  const ecfit_rng *source);
ecfit_status CURVE(_schnorr_verify)(const uint8_t signature[2 * N], const uint8_t public_x[N],
                                    const uint8_t *message, size_t message_size);

int bench_sign_schnorr(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_schnorr_sign)(out, in, in + N, 32, &rng);
}

int bench_verify_schnorr(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_schnorr_verify)(in, in + 2 * N, in + 3 * N, 32);
}

/* Of secp256r1 alone, whose header has the contracts. */
typedef struct CURVE(_spake2p_context) run;
ecfit_status CURVE(_spake2p_prover_start)(run *context, uint8_t share[P], const uint8_t w0[N],
                                          const ecfit_rng *source);
ecfit_status CURVE(_spake2p_prover_finish)(uint8_t shared_key[32], uint8_t confirmation[32],
                                           run *context, const uint8_t w1[N],
                                           const uint8_t peer_share[P],
                                           const uint8_t peer_confirmation[32],
                                           const ecfit_bytes names[3], int matter,
                                           const ecfit_rng *source);
ecfit_status CURVE(_spake2p_verifier_start)(run *context, uint8_t share[P],
                                            uint8_t confirmation[32], const uint8_t w0[N],
                                            const uint8_t record[P], const uint8_t peer_share[P],
                                            const ecfit_bytes names[3], int matter,
                                            const ecfit_rng *source);
ecfit_status CURVE(_spake2p_verifier_finish)(uint8_t shared_key[32], run *context,
                                             const uint8_t peer_confirmation[32]);

static const ecfit_bytes names[3] = {
    {(const uint8_t *)"bench", 5}, {(const uint8_t *)"client", 6}, {(const uint8_t *)"server", 6}};

int bench_spake2p_prover(uint8_t *out, const uint8_t *in)
{
    uint64_t blocks[17];
    run *own = (run *)(void *)blocks; /* of other curves there is no such type */
    ecfit_status status = CURVE(_spake2p_prover_start)(own, out, in, &rng);
    if (status != ECFIT_OK) {
        return (int)status;
    }
    return (int)CURVE(_spake2p_prover_finish)(out + P + 32, out + P, own, in + N, in + 2 * N,
                                              in + 2 * N + P, names, 0, &rng);
}

int bench_spake2p_verifier(uint8_t *out, const uint8_t *in)
{
    uint64_t blocks[17];
    run *own = (run *)(void *)blocks; /* of other curves there is no such type */
    ecfit_status status =
        CURVE(_spake2p_verifier_start)(own, out, out + P, in, in + N, in + N + P, names, 0, &rng);
    if (status != ECFIT_OK) {
        return (int)status;
    }
    return (int)CURVE(_spake2p_verifier_finish)(out + P + 32, own, in + N + 2 * P);
}
