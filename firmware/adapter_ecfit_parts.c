/* adapter_ecfit_parts.c - the operation verify_parts of bench_op.h on this library, for Ed25519;
 * beside the adapter of the others. */
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
