/* stack_left.c - runs an operation on a stack of its own and says what it left there
 *
 * stack_left OP HEX..: for each string of bytes, how many times 8 bytes of it stand on the stack.
 * The generator gives 1, 2, 3 .. (keygen), and for the rest the same from 101 on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecfit.h"

#define STACK (256 * 1024)
#define WINDOW 8

static uint8_t stack[STACK] __attribute__((aligned(4096)));
static uint8_t out[256], key[64], peer[80], hash[32];
static const char *op;
static int status;

static int fill(void *context, uint8_t *bytes, size_t size)
{
    (void)context;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(i + (op[0] == 'k' ? 1 : 101));
    }
    return 0;
}

static const ecfit_rng rng = {fill, NULL};

/* A signature in pieces, with the task on the stack, as a caller may have it. */
static ecfit_status pieces(void)
{
    ecfit_secp256r1_task task;
    ecfit_status answer = ecfit_secp256r1_ecdsa_sign_start(&task, key, hash, 32, &rng);
    while (answer == ECFIT_MORE) {
        answer = ecfit_secp256r1_step(&task, 1000);
    }
    return ecfit_secp256r1_ecdsa_sign_finish(out, &task);
}

/* A signature in pieces that is given up. */
static ecfit_status given_up(void)
{
    ecfit_secp256r1_task task;
    ecfit_status answer = ecfit_secp256r1_ecdsa_sign_start(&task, key, hash, 32, &rng);
    answer = answer == ECFIT_MORE ? ecfit_secp256r1_step(&task, 100) : answer;
    ecfit_secp256r1_abort(&task);
    return answer == ECFIT_MORE ? ECFIT_OK : answer;
}

static void *run(void *argument)
{
    (void)argument;
    if (strcmp(op, "keygen") == 0) {
        status = (int)ecfit_secp256r1_keygen(out, key, &rng);
    } else if (strcmp(op, "public") == 0) {
        status = (int)ecfit_secp256r1_public_key(out, key, &rng);
    } else if (strcmp(op, "ecdh") == 0) {
        status = (int)ecfit_secp256r1_ecdh(out, key, peer, &rng);
    } else if (strcmp(op, "sign") == 0) {
        status = (int)ecfit_secp256r1_ecdsa_sign(out, key, hash, 32, &rng);
    } else if (strcmp(op, "pieces") == 0) {
        status = (int)pieces();
    } else {
        status = (int)given_up();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_attr_t attributes;
    op = argv[1];
    fill(NULL, hash, sizeof hash);
    for (size_t i = 0; i < 32 && op[0] != 'k'; i++) {
        key[i] = (uint8_t)(i + 1);
    }
    if (ecfit_secp256r1_public_key(peer, hash, &rng) != ECFIT_OK ||
        pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, STACK) ||
        pthread_create(&thread, &attributes, run, NULL) || pthread_join(thread, NULL) || status) {
        printf("failed: %d\n", status);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        uint8_t bytes[64];
        size_t size = strlen(argv[i]) / 2, found = 0;
        for (size_t j = 0; j < size; j++) {
            const char digits[] = {argv[i][2 * j], argv[i][2 * j + 1], 0};
            bytes[j] = (uint8_t)strtoul(digits, NULL, 16);
        }
        for (size_t at = 0; at + WINDOW <= STACK; at++) {
            for (size_t j = 0; j + WINDOW <= size; j++) {
                found += memcmp(stack + at, bytes + j, WINDOW) == 0;
            }
        }
        printf("%zu\n", found);
    }
    return 0;
}
