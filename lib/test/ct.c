/* ct.c - every operation on secrets, with the secrets undefined for valgrind: a branch or an address that depends on one is reported
 *
 * usage: ct OPERATION COUNT, under `valgrind --error-exitcode=..`. The operations planted_branch and planted_index leak on
 * purpose: they must be reported. Inputs come from a fixed sequence, so that a run can be repeated.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ct_valgrind.h"
#include "ecfit.h"

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

static int fill_secret(void *context, uint8_t *out, size_t size)
{
    (void)context;
    next_bytes(out, size);
    VALGRIND_MAKE_MEM_UNDEFINED(out, size);
    return 0;
}

static const ecfit_rng rng = {fill_secret, NULL};

static void secret_key(uint8_t key[32])
{
    next_bytes(key, 32);
    key[0] &= 0x7F; /* below n */
    VALGRIND_MAKE_MEM_UNDEFINED(key, 32);
}

/* The status and what a call put out are public: this is where they leave the library. */
static int finish(ecfit_status status, uint8_t *out, size_t size)
{
    VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
    VALGRIND_MAKE_MEM_DEFINED(out, size);
    return status == ECFIT_OK;
}

static int run_keygen(void)
{
    uint8_t private_key[32], public_key[65];
    ecfit_status status = ecfit_secp256r1_keygen(public_key, private_key, &rng);
    return finish(status, public_key, sizeof public_key);
}

static int run_public_key(void)
{
    uint8_t private_key[32], public_key[65];
    ecfit_status status;
    secret_key(private_key);
    status = ecfit_secp256r1_public_key(public_key, private_key, &rng);
    return finish(status, public_key, sizeof public_key);
}

static int run_ecdh(void)
{
    uint8_t private_key[32], public_key[65], shared[32];
    ecfit_status status;
    secret_key(private_key);
    status = ecfit_secp256r1_public_key(public_key, private_key, &rng);
    if (!finish(status, public_key, sizeof public_key)) {
        return 0;
    }
    secret_key(private_key);
    status = ecfit_secp256r1_ecdh(shared, private_key, public_key, &rng);
    return finish(status, shared, sizeof shared);
}

static int run_sign(void)
{
    uint8_t private_key[32], hash[32], signature[64];
    ecfit_status status;
    secret_key(private_key);
    next_bytes(hash, sizeof hash);
    status = ecfit_secp256r1_ecdsa_sign(signature, private_key, hash, sizeof hash, &rng);
    return finish(status, signature, sizeof signature);
}

static int run_planted_branch(void)
{
    uint8_t key[32];
    volatile int seen = 0;
    secret_key(key);
    if (key[31] & 1) {
        seen = 1;
    }
    (void)seen;
    return 1;
}

static int run_planted_index(void)
{
    static const uint8_t table[256] = {1, 2, 3};
    uint8_t key[32];
    volatile uint8_t seen;
    secret_key(key);
    seen = table[key[31]];
    (void)seen;
    return 1;
}

static const struct {
    const char *name;
    int (*run)(void);
} operations[] = {
    {"keygen", run_keygen}, {"public_key", run_public_key},         {"ecdh", run_ecdh},
    {"sign", run_sign},     {"planted_branch", run_planted_branch}, {"planted_index", run_planted_index},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof operations / sizeof operations[0]; i++) {
        if (strcmp(argv[1], operations[i].name) == 0) {
            for (int count = atoi(argv[2]); count > 0; count--) {
                if (!operations[i].run()) {
                    fprintf(stderr, "ct: %s failed\n", argv[1]);
                    return 1;
                }
            }
            return 0;
        }
    }
    fprintf(stderr, "usage: ct OPERATION COUNT\n");
    return 2;
}
