/* run.c - runs one of psa-arch-tests: HEADER and LIST are its names. What its `val` would do with a
 * dispatcher, flash and a watchdog is a line here. Exit code: 0 passed, 1 failed. */
#include <stdarg.h>
#include <stdio.h>

#include "val_interfaces.h"
/* Names `val`, the test's own. */
#include HEADER

int ecfit_psa_random(void *context, uint8_t *out, size_t size)
{
    FILE *file = fopen("/dev/urandom", "rb");
    const size_t found = file == NULL ? 0 : fread(out, 1, size, file);
    (void)context;
    if (file != NULL)
        fclose(file);
    return found != size;
}

static val_status_t print(print_verbosity_t verbosity, const char *string, int32_t data)
{
    (void)verbosity;
    printf(string, data);
    return VAL_STATUS_SUCCESS;
}

static val_status_t check(uint32_t checkpoint, val_status_t status)
{
    if (VAL_ERROR(status))
        printf("failed at checkpoint %u\n", (unsigned)checkpoint);
    return status;
}

static val_status_t no_watchdog(wd_timeout_type_t timeout)
{
    (void)timeout;
    return VAL_STATUS_SUCCESS;
}

#define ARG(type) va_arg(list, type)
#define KEY ARG(psa_key_id_t)
#define ALG ARG(psa_algorithm_t)
#define IN ARG(const uint8_t *)
#define OUT ARG(uint8_t *)
#define SIZE ARG(size_t)
#define LENGTH ARG(size_t *)
#define ATTRIBUTES ARG(psa_key_attributes_t *)
#define OPERATION ARG(psa_hash_operation_t *)

/* The functions of the subset. Arguments are taken in their order. */
static int32_t crypto(int function, ...)
{
    va_list list;
    int32_t status = PSA_SUCCESS;
    psa_key_attributes_t *attributes;
    psa_hash_operation_t *operation;
    psa_key_id_t key;
    psa_algorithm_t alg;
    const uint8_t *in, *more;
    uint8_t *out;
    size_t size, more_size;
    va_start(list, function);
    switch (function) {
    case VAL_CRYPTO_INIT: status = psa_crypto_init(); break;
    case VAL_CRYPTO_FREE: break;
    case VAL_CRYPTO_GENERATE_RANDOM:
        out = OUT, size = SIZE;
        status = psa_generate_random(out, size);
        break;
    case VAL_CRYPTO_RESET_KEY_ATTRIBUTES: psa_reset_key_attributes(ATTRIBUTES); break;
    case VAL_CRYPTO_SET_KEY_TYPE:
        attributes = ATTRIBUTES;
        psa_set_key_type(attributes, (psa_key_type_t)ARG(int));
        break;
    case VAL_CRYPTO_SET_KEY_BITS:
        attributes = ATTRIBUTES;
        psa_set_key_bits(attributes, SIZE);
        break;
    case VAL_CRYPTO_SET_KEY_USAGE_FLAGS:
        attributes = ATTRIBUTES;
        psa_set_key_usage_flags(attributes, ARG(psa_key_usage_t));
        break;
    case VAL_CRYPTO_SET_KEY_ALGORITHM:
        attributes = ATTRIBUTES;
        psa_set_key_algorithm(attributes, ALG);
        break;
    case VAL_CRYPTO_SET_KEY_ID:
        attributes = ATTRIBUTES;
        psa_set_key_id(attributes, KEY);
        break;
    case VAL_CRYPTO_SET_KEY_LIFETIME:
        attributes = ATTRIBUTES;
        psa_set_key_lifetime(attributes, ARG(psa_key_lifetime_t));
        break;
    case VAL_CRYPTO_GET_KEY_TYPE:
        attributes = ATTRIBUTES;
        *ARG(psa_key_type_t *) = psa_get_key_type(attributes);
        break;
    case VAL_CRYPTO_GET_KEY_BITS:
        attributes = ATTRIBUTES;
        *LENGTH = psa_get_key_bits(attributes);
        break;
    case VAL_CRYPTO_GET_KEY_USAGE_FLAGS:
        attributes = ATTRIBUTES;
        *ARG(psa_key_usage_t *) = psa_get_key_usage_flags(attributes);
        break;
    case VAL_CRYPTO_GET_KEY_ALGORITHM:
        attributes = ATTRIBUTES;
        *ARG(psa_algorithm_t *) = psa_get_key_algorithm(attributes);
        break;
    case VAL_CRYPTO_GET_KEY_ID:
        attributes = ATTRIBUTES;
        *ARG(psa_key_id_t *) = psa_get_key_id(attributes);
        break;
    case VAL_CRYPTO_GET_KEY_LIFETIME:
        attributes = ATTRIBUTES;
        *ARG(psa_key_lifetime_t *) = psa_get_key_lifetime(attributes);
        break;
    case VAL_CRYPTO_GET_KEY_ATTRIBUTES:
        key = KEY;
        status = psa_get_key_attributes(key, ATTRIBUTES);
        break;
    case VAL_CRYPTO_IMPORT_KEY:
        attributes = ATTRIBUTES, in = IN, size = SIZE;
        status = psa_import_key(attributes, in, size, ARG(psa_key_id_t *));
        break;
    case VAL_CRYPTO_GENERATE_KEY:
        attributes = ATTRIBUTES;
        status = psa_generate_key(attributes, ARG(psa_key_id_t *));
        break;
    case VAL_CRYPTO_DESTROY_KEY: status = psa_destroy_key(KEY); break;
    case VAL_CRYPTO_EXPORT_KEY:
        key = KEY, out = OUT, size = SIZE;
        status = psa_export_key(key, out, size, LENGTH);
        break;
    case VAL_CRYPTO_EXPORT_PUBLIC_KEY:
        key = KEY, out = OUT, size = SIZE;
        status = psa_export_public_key(key, out, size, LENGTH);
        break;
    case VAL_CRYPTO_SIGN_HASH:
    case VAL_CRYPTO_SIGN_MESSAGE:
        key = KEY, alg = ALG, in = IN, size = SIZE, out = OUT, more_size = SIZE;
        status = (function == VAL_CRYPTO_SIGN_HASH ? psa_sign_hash : psa_sign_message)(
            key, alg, in, size, out, more_size, LENGTH);
        break;
    case VAL_CRYPTO_VERIFY_HASH:
    case VAL_CRYPTO_VERIFY_MESSAGE:
        key = KEY, alg = ALG, in = IN, size = SIZE, more = IN;
        status = (function == VAL_CRYPTO_VERIFY_HASH ? psa_verify_hash : psa_verify_message)(
            key, alg, in, size, more, SIZE);
        break;
    case VAL_CRYPTO_RAW_KEY_AGREEMENT:
        alg = ALG, key = KEY, in = IN, size = SIZE, out = OUT, more_size = SIZE;
        status = psa_raw_key_agreement(alg, key, in, size, out, more_size, LENGTH);
        break;
    case VAL_CRYPTO_HASH_COMPUTE:
        alg = ALG, in = IN, size = SIZE, out = OUT, more_size = SIZE;
        status = psa_hash_compute(alg, in, size, out, more_size, LENGTH);
        break;
    case VAL_CRYPTO_HASH_COMPARE:
        alg = ALG, in = IN, size = SIZE, more = IN;
        status = psa_hash_compare(alg, in, size, more, SIZE);
        break;
    case VAL_CRYPTO_HASH_OPERATION_INIT: *OPERATION = psa_hash_operation_init(); break;
    case VAL_CRYPTO_HASH_SETUP:
        operation = OPERATION;
        status = psa_hash_setup(operation, ALG);
        break;
    case VAL_CRYPTO_HASH_UPDATE:
        operation = OPERATION, in = IN;
        status = psa_hash_update(operation, in, SIZE);
        break;
    case VAL_CRYPTO_HASH_FINISH:
        operation = OPERATION, out = OUT, size = SIZE;
        status = psa_hash_finish(operation, out, size, LENGTH);
        break;
    case VAL_CRYPTO_HASH_VERIFY:
        operation = OPERATION, in = IN;
        status = psa_hash_verify(operation, in, SIZE);
        break;
    case VAL_CRYPTO_HASH_ABORT: status = psa_hash_abort(OPERATION); break;
    case VAL_CRYPTO_HASH_CLONE:
        operation = OPERATION;
        status = psa_hash_clone(operation, OPERATION);
        break;
    default: printf("function %d is not in the subset\n", function); exit(3);
    }
    va_end(list);
    return status;
}

static val_api_t api = {
    .print = print,
    .err_check_set = check,
    .wd_reprogram_timer = no_watchdog,
    .crypto_function = crypto,
};
val_api_t *val = &api;
psa_api_t *psa;

int main(void)
{
    for (const client_test_t *test = LIST + 1; *test != NULL; test++) {
        const int32_t status = (*test)(CALLER_NONSECURE);
        if (status != VAL_STATUS_SUCCESS) {
            printf("status %d\n", (int)status);
            return 1;
        }
    }
    return 0;
}
