/* pqclean_bench.h - included before each source of the library: where its memory comes from, and
 * what `ecfit ct` has to know.
 *
 * The seed of the public matrix is public, also where a key pair is made and the seed comes out of
 * a hash of a secret. That is marked where there is a key generation.
 * What is public in signing says randombytes.h. */
#ifndef PQCLEAN_BENCH_H
#define PQCLEAN_BENCH_H

#define malloc bench_malloc
#define free bench_free
#define exit bench_out_of_memory

#include "bench_mark.h"

#define PQCLEAN_JOIN(set, rest) PQCLEAN_##set##_CLEAN_##rest
#define PQCLEAN_NAME(set, rest) PQCLEAN_JOIN(set, rest)

#if !defined(BENCH_NO_KEYGEN)
#ifdef PQCLEAN_HASHES /* ML-KEM */
#include PQCLEAN_HASHES

#undef xof_absorb
#define xof_absorb(state, seed, x, y) \
    __extension__({ \
        BENCH_MARK(seed, KYBER_SYMBYTES); \
        PQCLEAN_NAME(PQCLEAN_SET, kyber_shake128_absorb)(state, seed, x, y); \
    })
#else
#include PQCLEAN_STREAMS

#undef stream128_init
#define stream128_init(state, seed, nonce) \
    __extension__({ \
        BENCH_MARK(seed, SEEDBYTES); \
        PQCLEAN_NAME(PQCLEAN_SET, dilithium_shake128_stream_init)(state, seed, nonce); \
    })
#endif
#endif
#endif
