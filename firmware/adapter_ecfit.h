/* adapter_ecfit.h - what the adapters of this library share: the names of a curve's functions
 * and types, and its generator of random bytes, which is the harness's. */
#ifndef ADAPTER_ECFIT_H
#define ADAPTER_ECFIT_H

#include "bench_op.h"
#include "ecfit.h"

#define ADAPTER_JOIN(curve, rest) ecfit_##curve##rest
#define ADAPTER_CALL(curve, rest) ADAPTER_JOIN(curve, rest)
/* The name that the public header gives to `rest` of this image's curve:
 * CURVE(_keygen) is ecfit_secp256r1_keygen. */
#define CURVE(rest) ADAPTER_CALL(BENCH_CURVE, rest)

#define N BENCH_N           /* bytes of a private key */
#define P (1 + 2 * BENCH_F) /* bytes of an uncompressed point */

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static const ecfit_rng rng = {fill, NULL};

#endif
