/* Three curves in one image. The program chooses one when it runs: to interoperate with all
 * peers, it signs on the curve that the peer supports. */
#include "board.h"
#include "ecfit.h"

#define MOST 66 /* bytes of a scalar or coordinate: secp521r1 */

/* What differs between the curves; every function of one kind has the same type. */
typedef struct {
    const char *name;
    size_t size;
    ecfit_status (*keygen)(uint8_t *public_key, uint8_t *private_key, const ecfit_rng *rng);
    ecfit_status (*sign)(uint8_t *signature, const uint8_t *private_key, const uint8_t *message,
                         size_t message_size, const ecfit_rng *rng);
} curve;

static const curve curves[] = {
    {"secp256r1", 32, ecfit_secp256r1_keygen, ecfit_secp256r1_ecdsa_sign_message},
    {"secp384r1", 48, ecfit_secp384r1_keygen, ecfit_secp384r1_ecdsa_sign_message},
    {"secp521r1", 66, ecfit_secp521r1_keygen, ecfit_secp521r1_ecdsa_sign_message},
};

/* Each curve hashes with its own: SHA-256, SHA-384, SHA-512. */
static ecfit_status sign_once(const curve *one)
{
    static const uint8_t message[] = "three curves";
    const ecfit_rng rng = {board_random, NULL};
    uint8_t public_key[2 * MOST + 1], private_key[MOST], signature[2 * MOST];
    ecfit_status status = one->keygen(public_key, private_key, &rng);
    if (status == ECFIT_OK)
        status = one->sign(signature, private_key, message, sizeof message - 1, &rng);
    if (status == ECFIT_OK) {
        board_say("curve: ");
        board_say(one->name);
        board_say("\n");
        board_say_bytes("public key", public_key, 2 * one->size + 1);
        board_say_bytes("signature", signature, 2 * one->size);
    }
    return status;
}

int main(void)
{
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (sign_once(&curves[i]) != ECFIT_OK) {
            board_say("no signature\n");
            return 1;
        }
    return 0;
}
