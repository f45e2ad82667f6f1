/* adapter.c (pinol) - the operations of bench_op.h on Piñol's code for Contiki.
 *
 * Its numbers are words of 16 or 32 bits, the least significant first. They stand in memory of the
 * adapter, so that its stack is that of the library's function and a few registers. */
#include "bench_op.h"
#include "ecc.h"
#include "random.h"

#define N BENCH_N
#define MESSAGE 32

static ecc_point_a point;
static u_word key[NUMWORDS], r[NUMWORDS], s[NUMWORDS];
static int exhausted;

/* The generator of Contiki: 16 bits. */
unsigned short random_rand(void)
{
    uint8_t drawn[2] = {0, 0};
    exhausted |= bench_random(drawn, sizeof drawn);
    return (unsigned short)(drawn[0] | drawn[1] << 8);
}

static void to_words(u_word *out, const uint8_t *in)
{
    for (unsigned i = 0; i < NUMWORDS; i++)
        out[i] = 0;
    for (unsigned i = 0; i < N; i++)
        out[i / WORD_LEN_BYTES] |= (u_word)((u_word)in[N - 1 - i] << (i % WORD_LEN_BYTES * 8));
}

static void to_bytes(uint8_t *out, const u_word *in)
{
    for (unsigned i = 0; i < N; i++)
        out[N - 1 - i] = (uint8_t)(in[i / WORD_LEN_BYTES] >> (i % WORD_LEN_BYTES * 8));
}

static int to_point(const uint8_t *in)
{
    to_words(point.x, in + 1);
    to_words(point.y, in + 1 + N);
    return in[0] != 4;
}

/* The parameters of the curve are set up once. */
static int prepared(void)
{
    new_ecc_init();
    exhausted = 0;
    return 0;
}

int bench_prepare_keygen(const uint8_t *in)
{
    (void)in;
    return prepared();
}

int bench_prepare_ecdh(const uint8_t *in)
{
    (void)in;
    return prepared();
}

int bench_prepare_sign_message(const uint8_t *in);
int bench_prepare_sign_message(const uint8_t *in)
{
    (void)in;
    return prepared();
}

int bench_prepare_verify_message(const uint8_t *in);
int bench_prepare_verify_message(const uint8_t *in)
{
    (void)in;
    return prepared();
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    ecc_generate_private_key(key);
    ecc_generate_public_key(key, &point);
    to_bytes(out, key);
    out[N] = 4;
    to_bytes(out + N + 1, point.x);
    to_bytes(out + N + 1 + N, point.y);
    return exhausted;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    to_words(key, in);
    if (to_point(in + N) || !ecc_generate_shared_key(r, key, &point))
        return 1;
    to_bytes(out, r);
    return 0;
}

int bench_sign_message(uint8_t *out, const uint8_t *in)
{
    to_words(key, in);
    ecc_generate_signature(key, in + N, MESSAGE, s, r);
    to_bytes(out, r);
    to_bytes(out + N, s);
    return exhausted;
}

int bench_verify_message(uint8_t *out, const uint8_t *in)
{
    uint8_t *message = (uint8_t *)in + 4 * N + 1;
    (void)out;
    to_words(r, in);
    to_words(s, in + N);
    return to_point(in + 2 * N) || !ecc_check_signature(&point, message, MESSAGE, s, r);
}
