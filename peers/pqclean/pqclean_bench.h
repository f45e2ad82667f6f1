/* pqclean_bench.h - included before each source of the library: where its memory comes from, and
 * what `ecfit ct` has to know.
 *
 * The seed of the public matrix is public, also where a key pair is made and the seed comes out of
 * a hash of a secret. That is said only in the images that `ecfit ct` follows, which define
 * ECFIT_DECLASSIFY, and only where there is a key generation: the library is measured as it is. */
#ifndef PQCLEAN_BENCH_H
#define PQCLEAN_BENCH_H

#define malloc bench_malloc
#define free bench_free
#define exit bench_out_of_memory

#if defined(ECFIT_DECLASSIFY) && !defined(BENCH_NO_KEYGEN)
#include PQCLEAN_HASHES

#define PQCLEAN_JOIN(set, rest) PQCLEAN_##set##_CLEAN_##rest
#define PQCLEAN_NAME(set, rest) PQCLEAN_JOIN(set, rest)

void bench_public(const void *bytes, size_t size);

#undef xof_absorb
#define xof_absorb(state, seed, x, y) \
    (bench_public(seed, KYBER_SYMBYTES), \
     PQCLEAN_NAME(PQCLEAN_SET, kyber_shake128_absorb)(state, seed, x, y))
#endif
#endif
