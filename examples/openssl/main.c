/* Signatures as r || s, which ecfit and COSE or JOSE have, and as DER, which OpenSSL, X.509 and TLS
 * have. from_openssl.h holds a public key and a signature in DER that openssl.sh made. */
#include "board.h"
#include "ecfit.h"
#include "from_openssl.h"

static const uint8_t message[] = MESSAGE;

/* Theirs: out of DER, then verified. Anything but the one encoding of DER is refused. */
static ecfit_status verify_theirs(const uint8_t *der, size_t size)
{
    uint8_t signature[64];
    const ecfit_status status = ecfit_secp256r1_signature_from_der(signature, der, size);
    if (status != ECFIT_OK)
        return status;
    return ecfit_secp256r1_ecdsa_verify_message(signature, openssl_key, message,
                                                sizeof message - 1);
}

/* Ours: signed, then put into DER. */
static ecfit_status sign_ours(uint8_t der[ECFIT_DER_MAX(32)], size_t *der_size)
{
    const ecfit_rng rng = {board_random, NULL};
    uint8_t public_key[65], private_key[32], signature[64];
    ecfit_status status = ecfit_secp256r1_keygen(public_key, private_key, &rng);
    if (status != ECFIT_OK)
        return status;
    status = ecfit_secp256r1_ecdsa_sign_message(signature, private_key, message, sizeof message - 1,
                                                &rng);
    if (status != ECFIT_OK)
        return status;
    board_say_bytes("public key", public_key, sizeof public_key);
    board_say_bytes("r || s", signature, sizeof signature);
    return ecfit_secp256r1_signature_to_der(der, der_size, signature);
}

int main(void)
{
    uint8_t der[ECFIT_DER_MAX(32)];
    size_t size;
    if (verify_theirs(openssl_signature, sizeof openssl_signature) != ECFIT_OK) {
        board_say("the signature of OpenSSL does not verify\n");
        return 1;
    }
    board_say("the signature of OpenSSL verifies\n");
    if (sign_ours(der, &size) != ECFIT_OK)
        return 1;
    board_say_bytes("DER", der, size);
    return 0;
}
