/* randombytes.h - PQClean's own; and marks of what may be known when ML-DSA signs. Of the library,
 * only the file that signs includes it, after the declarations.
 *
 * The challenge of each attempt is public. So are the two vectors that the hints are made from: by
 * then z is part of the signature, and they can be computed from it and t0. */
#include_next <randombytes.h>

#if defined(PQCLEAN_STREAMS) && !defined(PQCLEAN_BENCH_MARKS)
#define PQCLEAN_BENCH_MARKS

static inline void mark_challenge(poly *c, const uint8_t *seed)
{
    BENCH_MARK(seed, CTILDEBYTES);
    PQCLEAN_NAME(PQCLEAN_SET, poly_challenge)(c, seed);
}

static inline unsigned int mark_hint(polyveck *h, const polyveck *v0, const polyveck *v1)
{
    BENCH_MARK(v0, sizeof *v0);
    BENCH_MARK(v1, sizeof *v1);
    return PQCLEAN_NAME(PQCLEAN_SET, polyveck_make_hint)(h, v0, v1);
}

#define PQCLEAN_MLDSA44_CLEAN_poly_challenge mark_challenge
#define PQCLEAN_MLDSA65_CLEAN_poly_challenge mark_challenge
#define PQCLEAN_MLDSA87_CLEAN_poly_challenge mark_challenge
#define PQCLEAN_MLDSA44_CLEAN_polyveck_make_hint mark_hint
#define PQCLEAN_MLDSA65_CLEAN_polyveck_make_hint mark_hint
#define PQCLEAN_MLDSA87_CLEAN_polyveck_make_hint mark_hint
#endif
