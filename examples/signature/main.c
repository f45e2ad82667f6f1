/* A signature with keys from the hardware's random generator.
 *
 * The generator is board_random(), in ../board: microbit.c has that of an nRF51 or nRF52. The nonce
 * is hedged: it comes from the private key and the hash, with random bytes mixed in, so that
 * a generator that fails unnoticed does not give the key away. One that fails and says so, or
 * that repeats one byte for ever, is an error here: ECFIT_RNG_FAILED. */
#include "board.h"
#include "ecfit.h"

int main(void)
{
    static const uint8_t message[] = "meter 4711: 20953 kWh";
    const ecfit_rng rng = {board_random, NULL};
    uint8_t public_key[65], private_key[32], signature[64];

    /* Once, when the device is made; it keeps the private key where nobody reads it. */
    if (ecfit_secp256r1_keygen(public_key, private_key, &rng) != ECFIT_OK) {
        board_say("no key: the generator failed\n");
        return 1;
    }

    switch (ecfit_secp256r1_ecdsa_sign_message(signature, private_key, message, sizeof message - 1,
                                               &rng)) {
    case ECFIT_OK: break;
    case ECFIT_RNG_FAILED: board_say("no signature: the generator failed\n"); return 1;
    default: /* ECFIT_FAULT: something disturbed the computation */
        board_say("no signature\n");
        return 1;
    }

    board_say_bytes("message", message, sizeof message - 1);
    board_say_bytes("public key", public_key, sizeof public_key);
    board_say_bytes("signature", signature, sizeof signature);
    return 0;
}
