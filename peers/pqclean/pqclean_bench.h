/* pqclean_bench.h - included before each source of the library: where its memory comes from, and
 * what `ecfit ct` has to know.
 *
 * The seed of the public matrix is public, also where a key pair is made and the seed comes out of
 * a hash of a secret. That is said only in the images that `ecfit ct` follows, which define
 * ECFIT_DECLASSIFY, and only where there is a key generation: the library is measured as it is.
 * What is public in signing says randombytes.h. */
#ifndef PQCLEAN_BENCH_H
#define PQCLEAN_BENCH_H

#define malloc bench_malloc
#define free bench_free
#define exit bench_out_of_memory

#if defined(ECFIT_DECLASSIFY)
#define PQCLEAN_JOIN(set, rest) PQCLEAN_##set##_CLEAN_##rest
#define PQCLEAN_NAME(set, rest) PQCLEAN_JOIN(set, rest)

#include <stddef.h>

void bench_public(const void *bytes, size_t size);
#endif

#if defined(ECFIT_DECLASSIFY) && !defined(BENCH_NO_KEYGEN)
#ifdef PQCLEAN_HASHES /* ML-KEM */
#include PQCLEAN_HASHES

#undef xof_absorb
#define xof_absorb(state, seed, x, y) \
    (bench_public(seed, KYBER_SYMBYTES), \
     PQCLEAN_NAME(PQCLEAN_SET, kyber_shake128_absorb)(state, seed, x, y))
#else
#include PQCLEAN_STREAMS

#undef stream128_init
#define stream128_init(state, seed, nonce) \
    (bench_public(seed, SEEDBYTES), \
     PQCLEAN_NAME(PQCLEAN_SET, dilithium_shake128_stream_init)(state, seed, nonce))
#endif
#endif
#endif
