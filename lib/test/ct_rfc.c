/* ct_rfc.c - as ct.c, for X25519, X448, Ed25519, Ed448: every operation on secrets, with the secrets undefined for valgrind
 *
 * usage: ct_rfc OPERATION COUNT; the curve is CT_CURVE with strings of CT_SIZE bytes, CT_FORM is exchange or signature. Operations
 * that another form has fail. planted_branch and planted_index leak on purpose: they must be reported.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ct_valgrind.h"
#include "ecfit.h"

#define JOIN(curve, verb) ecfit_##curve##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define RUN_(form, verb) form##_##verb
#define RUN(form, verb) RUN_(form, verb)

static uint64_t sequence = 0x9E3779B97F4A7C15;

static void next_bytes(uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        sequence ^= sequence << 13;
        sequence ^= sequence >> 7;
        sequence ^= sequence << 17;
        out[i] = (uint8_t)(sequence >> 32);
    }
}

static void secret_bytes(uint8_t *out, size_t size)
{
    next_bytes(out, size);
    VALGRIND_MAKE_MEM_UNDEFINED(out, size);
}

static int fill_secret(void *context, uint8_t *out, size_t size)
{
    (void)context;
    secret_bytes(out, size);
    return 0;
}

static const ecfit_rng rng = {fill_secret, NULL};

/* The status and what a call put out are public: this is where they leave the library. */
static int finish(ecfit_status status, uint8_t *out, size_t size)
{
    VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
    VALGRIND_MAKE_MEM_DEFINED(out, size);
    return status == ECFIT_OK;
}

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
    return finish(CALL(CT_CURVE, _public_key)(public_key, private_key), public_key, sizeof public_key);
}

#include CT_FORM

static int run_planted_branch(void)
{
    uint8_t key[CT_SIZE];
    volatile int seen = 0;
    secret_bytes(key, sizeof key);
    if (key[CT_SIZE - 1] & 1) {
        seen = 1;
    }
    (void)seen;
    return 1;
}

static int run_planted_index(void)
{
    static const uint8_t table[256] = {1, 2, 3};
    uint8_t key[CT_SIZE];
    volatile uint8_t seen;
    secret_bytes(key, sizeof key);
    seen = table[key[CT_SIZE - 1]];
    (void)seen;
    return 1;
}

static const struct {
    const char *name;
    int (*run)(void);
} operations[] = {
    {"keygen", run_keygen},
    {"public_key", run_public_key},
    CT_OPERATIONS,
    {"planted_branch", run_planted_branch},
    {"planted_index", run_planted_index},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof operations / sizeof operations[0]; i++) {
        if (strcmp(argv[1], operations[i].name) == 0) {
            for (int count = atoi(argv[2]); count > 0; count--) {
                if (!operations[i].run()) {
                    fprintf(stderr, "ct_rfc: %s failed\n", argv[1]);
                    return 1;
                }
            }
            return 0;
        }
    }
    fprintf(stderr, "usage: ct_rfc OPERATION COUNT\n");
    return 2;
}
