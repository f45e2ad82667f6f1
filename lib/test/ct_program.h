/* ct_program.h - what ct.c and ct_rfc.c share: secrets that valgrind takes for undefined,
 * planted leaks, the command line
 *
 * needs CT_SIZE, bytes of a private key. Inputs come from a fixed sequence,
 * so that a run can be repeated.
 */
#ifndef CT_PROGRAM_H
#define CT_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ct_valgrind.h"
#include "ecfit.h"

/* An operation by name; `run` returns 1, or 0 where the library refused. */
typedef struct {
    const char *name;
    int (*run)(void);
} ct_operation;

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

/* Two leaks, which must be reported: a branch and an address. */
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

/* Runs an operation so often; returns an exit code. */
static int ct_run(const ct_operation *operations, size_t size, const char *name, int count)
{
    for (size_t i = 0; i < size; i++) {
        if (strcmp(name, operations[i].name) == 0) {
            for (; count > 0; count--) {
                if (!operations[i].run()) {
                    fprintf(stderr, "%s failed\n", name);
                    return 1;
                }
            }
            return 0;
        }
    }
    fprintf(stderr, "no operation: %s\n", name);
    return 2;
}

/* The program: COUNT OPERATION..; returns its exit code. */
static int ct_main(const ct_operation *operations, size_t size, int argc, char **argv)
{
    int code = argc < 3 ? 2 : 0;
    for (int i = 2; code == 0 && i < argc; i++) {
        code = ct_run(operations, size, argv[i], atoi(argv[1]));
    }
    return code;
}

#endif
