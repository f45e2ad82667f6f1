/* randombytes.h - libsodium's own; and a mark of what may be known when ML-KEM makes a key pair:
 * the seed of the public matrix. Of the library, only the file that samples the matrix includes it
 * after these declarations. */
#include_next <randombytes.h>

#if defined(crypto_kem_mlkem768_H) && defined(crypto_xof_shake128_H) && \
    !defined(LIBSODIUM_BENCH_MARKS)
#define LIBSODIUM_BENCH_MARKS

#include "bench_mark.h"

static inline int mark_seed(crypto_xof_shake128_state *state, const unsigned char *in,
                            unsigned long long size)
{
    BENCH_MARK(in, 34); /* the seed, and a place in the matrix */
    return crypto_xof_shake128_update(state, in, size);
}

#define crypto_xof_shake128_update mark_seed
#endif
