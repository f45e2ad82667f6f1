/* ct.c - every operation on secrets, with the secrets undefined for valgrind:
 * a branch or an address that depends on one is reported
 *
 * usage: ct COUNT OPERATION.., under `valgrind --error-exitcode=..`.
 * The curve is CT_CURVE with private keys of CT_SIZE bytes.
 * The operations planted_branch and planted_index leak on purpose: they must be reported.
 */
#if !defined(CT_CURVE)
#define CT_CURVE secp256r1
#define CT_SIZE 32
#endif
#include "ct_program.h"
#include "ecfit_config.h"

#define JOIN(curve, verb) ecfit_##curve##verb
#define CALL(curve, verb) JOIN(curve, verb)

static void secret_key(uint8_t key[CT_SIZE])
{
    secret_bytes(key, CT_SIZE);
    key[0] &= CT_SIZE == 66 ? 0 : 0x7F; /* below n */
}

static int run_keygen(void)
{
    uint8_t private_key[CT_SIZE], public_key[2 * CT_SIZE + 1];
    ecfit_status status = CALL(CT_CURVE, _keygen)(public_key, private_key, &rng);
    return finish(status, public_key, sizeof public_key);
}

static int run_public_key(void)
{
    uint8_t private_key[CT_SIZE], public_key[2 * CT_SIZE + 1];
    ecfit_status status;
    secret_key(private_key);
    status = CALL(CT_CURVE, _public_key)(public_key, private_key, &rng);
    return finish(status, public_key, sizeof public_key);
}

static int run_ecdh(void)
{
    uint8_t private_key[CT_SIZE], public_key[2 * CT_SIZE + 1], shared[CT_SIZE];
    ecfit_status status;
    secret_key(private_key);
    status = CALL(CT_CURVE, _public_key)(public_key, private_key, &rng);
    if (!finish(status, public_key, sizeof public_key)) {
        return 0;
    }
    secret_key(private_key);
    status = CALL(CT_CURVE, _ecdh)(shared, private_key, public_key, &rng);
    return finish(status, shared, sizeof shared);
}

static int run_sign(void)
{
    uint8_t private_key[CT_SIZE], hash[32], signature[2 * CT_SIZE];
    ecfit_status status;
    secret_key(private_key);
    next_bytes(hash, sizeof hash);
    status = CALL(CT_CURVE, _ecdsa_sign)(signature, private_key, hash, sizeof hash, &rng);
    return finish(status, signature, sizeof signature);
}

#if !defined(ECFIT_SHA256_IS_NONE)
static int run_sign_message(void)
{
    uint8_t private_key[CT_SIZE], message[100], signature[2 * CT_SIZE];
    ecfit_status status;
    secret_key(private_key);
    next_bytes(message, sizeof message);
    status =
        CALL(CT_CURVE, _ecdsa_sign_message)(signature, private_key, message, sizeof message, &rng);
    return finish(status, signature, sizeof signature);
}
#endif

static const ct_operation operations[] = {
#if !defined(ECFIT_SHA256_IS_NONE)
    {"sign_message", run_sign_message},
#endif
    {"keygen", run_keygen},
    {"public_key", run_public_key},
    {"ecdh", run_ecdh},
    {"sign", run_sign},
    {"planted_branch", run_planted_branch},
    {"planted_index", run_planted_index},
};

int main(int argc, char **argv)
{
    return ct_main(operations, sizeof operations / sizeof operations[0], argc, argv);
}
