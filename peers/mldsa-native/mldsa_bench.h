/* mldsa_bench.h - the configuration of mldsa-native (MLD_CONFIG_FILE): its defaults, AWS-LC's
 * Keccak, and the bench's random bytes. */
#ifndef MLDSA_BENCH_H
#define MLDSA_BENCH_H

#define MLD_CONFIG_NAMESPACE_PREFIX mldsa
#define MLD_CONFIG_FIPS202_CUSTOM_HEADER "../fips202_glue.h"
#define MLD_CONFIG_FIPS202X4_CUSTOM_HEADER "../fips202x4_glue.h"
#define MLD_CONFIG_CUSTOM_RANDOMBYTES
#define MLD_CONFIG_CT_TESTING_ENABLED /* marks: valgrind/memcheck.h */

#ifdef MLD_BUILD_INTERNAL
#include <stddef.h>
#include <stdint.h>

int bench_random(uint8_t *out, size_t size);

static inline int mld_randombytes(uint8_t *out, size_t size)
{
    return bench_random(out, size);
}
#endif
#endif
