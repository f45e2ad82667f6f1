/* adapter_ecfit_parts.c - the operations verify_parts and sign_parts of bench_op.h on this library,
 * for EdDSA; beside the adapter of the others. */
#include "adapter_ecfit.h"

#define PART 16

int bench_verify_parts(uint8_t *out, const uint8_t *in)
{
    CURVE(_verify_context) context;
    const uint8_t *message = in + 3 * N;
    (void)out;
    CURVE(_verify_start)(&context, in, in + 2 * N);
    CURVE(_verify_update)(&context, message, PART);
    CURVE(_verify_update)(&context, message + PART, PART);
    return (int)CURVE(_verify_finish)(&context);
}

static int copy(void *context, uint8_t *out, uint64_t offset, size_t size)
{
    const uint8_t *message = (const uint8_t *)context + offset;
    while (size-- > 0) {
        out[size] = message[size];
    }
    return 0;
}

int bench_sign_parts(uint8_t *out, const uint8_t *in)
{
    const ecfit_reader reader = {copy, (void *)(uintptr_t)(in + 2 * N)};
    return (int)CURVE(_sign_parts)(out, in, 2 * PART, &reader);
}

/* Against faults, tools/faults/faults.py: two verifications that share no context. */
int bench_verify_parts_twice(uint8_t *out, const uint8_t *in);
int bench_verify_parts_twice(uint8_t *out, const uint8_t *in)
{
    CURVE(_verify_context) first, second;
    const uint8_t *message = in + 3 * N;
    (void)out;
    CURVE(_verify_start)(&first, in, in + 2 * N);
    CURVE(_verify_start)(&second, in, in + 2 * N);
    for (size_t at = 0; at < 2 * PART; at += PART) {
        CURVE(_verify_update)(&first, message + at, PART);
        CURVE(_verify_update)(&second, message + at, PART);
    }
    return (int)(CURVE(_verify_finish)(&first) | CURVE(_verify_finish)(&second));
}
