/* ct_rfc.c - as ct.c, for X25519, X448, Ed25519, Ed448: every operation on secrets,
 * with the secrets undefined for valgrind
 *
 * usage: ct_rfc OPERATION COUNT; the curve is CT_CURVE with strings of CT_SIZE bytes,
 * CT_FORM is exchange or signature. Operations that another form has fail.
 * planted_branch and planted_index leak on purpose: they must be reported.
 */
#include "ct_program.h"

#define JOIN(curve, verb) ecfit_##curve##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define RUN_(form, verb) form##_##verb
#define RUN(form, verb) RUN_(form, verb)

static int run_keygen(void)
{
    uint8_t private_key[CT_SIZE], public_key[CT_SIZE];
    ecfit_status status = CALL(CT_CURVE, _keygen)(public_key, private_key, &rng);
    return finish(status, public_key, sizeof public_key);
}

static int run_public_key(void)
{
    uint8_t private_key[CT_SIZE], public_key[CT_SIZE];
    secret_bytes(private_key, sizeof private_key);
    return finish(CALL(CT_CURVE, _public_key)(public_key, private_key), public_key,
                  sizeof public_key);
}

#include CT_FORM

static const ct_operation operations[] = {
    {"keygen", run_keygen},
    {"public_key", run_public_key},
    CT_OPERATIONS,
    {"planted_branch", run_planted_branch},
    {"planted_index", run_planted_index},
};

int main(int argc, char **argv)
{
    return ct_main(operations, sizeof operations / sizeof operations[0], argc, argv);
}
