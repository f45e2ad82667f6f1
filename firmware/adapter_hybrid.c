/* adapter_hybrid.c - the operations of a hybrid group on those of two other adapters, of a curve
 * and of a KEM, whose functions have the names bench_<curve>_<op> here.
 *
 * Shares and secrets have the order of draft-ietf-tls-ecdhe-mlkem: with KEM_FIRST the KEM's half is
 * in front. A private key is the curve's, then the decapsulation key. Other adapters want their
 * input in one piece, so some bytes are moved; a client passes pointers. */
#include "bench_op.h"

#define NAMED_(half, op) bench_##half##_##op
#define NAMED(half, op) NAMED_(half, op)
#define CURVE(op) NAMED(HYBRID_CURVE, op)
#define KEM(op) NAMED(HYBRID_KEM, op)

#define KEM_N (BENCH_N - CURVE_N)
#define KEM_P (BENCH_P - CURVE_P)
#define KEM_C (BENCH_C - CURVE_P)
#define KEM_F (BENCH_F - CURVE_F)

int CURVE(keygen)(uint8_t *out, const uint8_t *in);
int CURVE(ecdh)(uint8_t *out, const uint8_t *in);
int KEM(keygen)(uint8_t *out, const uint8_t *in);
int KEM(encaps)(uint8_t *out, const uint8_t *in);
int KEM(decaps)(uint8_t *out, const uint8_t *in);

/* Both may overlap. */
static void move(uint8_t *to, const uint8_t *from, size_t size)
{
    if (to < from) {
        for (size_t i = 0; i < size; i++)
            to[i] = from[i];
    } else {
        while (size-- > 0)
            to[size] = from[size];
    }
}

/* Where the halves of something begin that has `kem` bytes of the KEM and `curve` of the curve. */
#define OF_KEM(curve) (KEM_FIRST ? 0 : (curve))
#define OF_CURVE(kem) (KEM_FIRST ? (kem) : 0)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    uint8_t pair[CURVE_N + CURVE_P];
    uint8_t *share = out + BENCH_N;
    if (KEM(keygen)(out + CURVE_N, in) != 0 || CURVE(keygen)(pair, in) != 0)
        return -1;
    move(out, pair, CURVE_N);
    move(share + OF_KEM(CURVE_P), share, KEM_P);
    move(share + OF_CURVE(KEM_P), pair + CURVE_N, CURVE_P);
    return 0;
}

int bench_encaps(uint8_t *out, const uint8_t *in)
{
    uint8_t pair[CURVE_N + CURVE_P];
    uint8_t *cipher = out + OF_KEM(CURVE_P), *secret = out + BENCH_C;
    if (KEM(encaps)(cipher, in + OF_KEM(CURVE_P)) != 0 || CURVE(keygen)(pair, in) != 0)
        return -1;
    move(secret + OF_KEM(CURVE_F), cipher + KEM_C, KEM_F);
    move(out + OF_CURVE(KEM_C), pair + CURVE_N, CURVE_P);
    move(pair + CURVE_N, in + OF_CURVE(KEM_P), CURVE_P);
    return CURVE(ecdh)(secret + OF_CURVE(KEM_F), pair);
}

int bench_decaps(uint8_t *out, const uint8_t *in)
{
    uint8_t pair[CURVE_N + CURVE_P];
    uint8_t *key = (uint8_t *)(uintptr_t)in + CURVE_N; /* the harness writes its input each time */
    move(pair, in, CURVE_N);
    move(pair + CURVE_N, in + BENCH_N + OF_CURVE(KEM_C), CURVE_P);
    move(key + OF_KEM(CURVE_P), key, KEM_N);
    if (KEM(decaps)(out + OF_KEM(CURVE_F), key + OF_KEM(CURVE_P)) != 0)
        return -1;
    return CURVE(ecdh)(out + OF_CURVE(KEM_F), pair);
}
