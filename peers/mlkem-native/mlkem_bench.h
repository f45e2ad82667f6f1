/* mlkem_bench.h - the configuration of mlkem-native (MLK_CONFIG_FILE): its defaults, AWS-LC's
 * Keccak, and the bench's random bytes. */
#ifndef MLKEM_BENCH_H
#define MLKEM_BENCH_H

#define MLK_CONFIG_NAMESPACE_PREFIX mlkem
#define MLK_CONFIG_FIPS202_CUSTOM_HEADER "../fips202_glue.h"
#define MLK_CONFIG_FIPS202X4_CUSTOM_HEADER "../fips202x4_glue.h"
#define MLK_CONFIG_CUSTOM_RANDOMBYTES
#define MLK_CONFIG_CT_TESTING_ENABLED /* marks: valgrind/memcheck.h */

#ifdef MLK_BUILD_INTERNAL
#include <stddef.h>
#include <stdint.h>

int bench_random(uint8_t *out, size_t size);

static inline int mlk_randombytes(uint8_t *out, size_t size)
{
    return bench_random(out, size);
}
#endif
#endif
