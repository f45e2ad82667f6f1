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
