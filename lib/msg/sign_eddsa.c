/* sign_eddsa.c - ecfit_msg.h: EdDSA on edwards25519 */
#include "ecfit_msg.h"

static ecfit_status sign(uint8_t *signature, const uint8_t *private_key, const uint8_t *message,
                         size_t size, const ecfit_rng *rng)
{
    (void)rng;
    return ecfit_ed25519_sign(signature, private_key, message, size);
}

const ecfit_msg_signer ecfit_msg_eddsa = {"EdDSA", -8, 64, sign};
