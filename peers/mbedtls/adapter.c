/* adapter.c (Mbed TLS) - the operations of bench_op.h on Mbed TLS 2.28 and 3.6,
 * for any of its curves.
 *
 * The layer below PSA and TLS: a group, numbers and points of the caller's, everything freed
 * at the end; but for the group, with BENCH_GROUP_KEPT. Multiplication checks its point, in ECDH
 * and in verification. Montgomery curves have their numbers with the least significant byte
 * first. */
#include "bench_op.h"
#include "mbedtls/ecdh.h"
#include "mbedtls/ecdsa.h"
#include "mbedtls/ecp.h"

#define F BENCH_F
#define N BENCH_N
#define IS_MONTGOMERY \
    (BENCH_MBEDTLS_ID == MBEDTLS_ECP_DP_CURVE25519 || BENCH_MBEDTLS_ID == MBEDTLS_ECP_DP_CURVE448)
#define POINT (IS_MONTGOMERY ? F : 1 + 2 * F)
#define TRY(call) \
    if (result == 0) \
    result = (call)

/* What an operation works with; `group` is its own, or the one that is kept. */
typedef struct {
    mbedtls_ecp_group *group;
    mbedtls_ecp_group own;
    mbedtls_ecp_point point;
    mbedtls_mpi private;
    mbedtls_mpi a;
    mbedtls_mpi b;
} work;

static int random_bytes(void *context, unsigned char *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

#ifdef BENCH_GROUP_KEPT

static mbedtls_ecp_group *kept; /* on the heap; not before it is set up */

/* Loads the group, and multiplies its base point once, since Mbed TLS 2.28 then keeps a table. */
static int set_up(void)
{
    mbedtls_ecp_point point;
    mbedtls_mpi two;
    kept = bench_calloc(1, sizeof *kept);
    if (kept == NULL)
        return 1;
    mbedtls_ecp_group_init(kept);
    mbedtls_ecp_point_init(&point);
    mbedtls_mpi_init(&two);
    int result = mbedtls_ecp_group_load(kept, BENCH_MBEDTLS_ID);
    if (!IS_MONTGOMERY) {
        TRY(mbedtls_mpi_lset(&two, 2));
        TRY(mbedtls_ecp_mul(kept, &point, &two, &kept->G, random_bytes, NULL));
    }
    mbedtls_mpi_free(&two);
    mbedtls_ecp_point_free(&point);
    return result;
}

int bench_prepare_keygen(const uint8_t *in)
{
    (void)in;
    return set_up();
}

int bench_prepare_ecdh(const uint8_t *in)
{
    (void)in;
    return set_up();
}

int bench_prepare_sign(const uint8_t *in)
{
    (void)in;
    return set_up();
}

int bench_prepare_verify(const uint8_t *in)
{
    (void)in;
    return set_up();
}

#endif

static int begin(work *w)
{
    mbedtls_ecp_group_init(&w->own);
    mbedtls_ecp_point_init(&w->point);
    mbedtls_mpi_init(&w->private);
    mbedtls_mpi_init(&w->a);
    mbedtls_mpi_init(&w->b);
#ifdef BENCH_GROUP_KEPT
    w->group = kept;
    return 0;
#else
    w->group = &w->own;
    return mbedtls_ecp_group_load(w->group, BENCH_MBEDTLS_ID);
#endif
}

static int end(work *w, int result)
{
    mbedtls_mpi_free(&w->b);
    mbedtls_mpi_free(&w->a);
    mbedtls_mpi_free(&w->private);
    mbedtls_ecp_point_free(&w->point);
    mbedtls_ecp_group_free(&w->own);
    return result;
}

/* A number of `size` bytes, in the order of the curve. */
static int read_number(mbedtls_mpi *x, const uint8_t *in, size_t size)
{
    return IS_MONTGOMERY ? mbedtls_mpi_read_binary_le(x, in, size)
                         : mbedtls_mpi_read_binary(x, in, size);
}

static int write_number(const mbedtls_mpi *x, uint8_t *out, size_t size)
{
    return IS_MONTGOMERY ? mbedtls_mpi_write_binary_le(x, out, size)
                         : mbedtls_mpi_write_binary(x, out, size);
}

/* A private key; of X25519 and X448 with the bits set that RFC 7748, 5, sets. */
static int read_private(work *w, const uint8_t *in)
{
    if (!IS_MONTGOMERY)
        return read_number(&w->private, in, N);
    int result = read_number(&w->private, in, N);
    for (size_t i = 0; i < (F == 32 ? 3 : 2); i++)
        TRY(mbedtls_mpi_set_bit(&w->private, i, 0));
    if (F == 32)
        TRY(mbedtls_mpi_set_bit(&w->private, 255, 0));
    TRY(mbedtls_mpi_set_bit(&w->private, F == 32 ? 254 : 447, 1));
    return result;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    work w;
    size_t size;
    (void)in;
    int result = begin(&w);
    TRY(mbedtls_ecp_gen_keypair(w.group, &w.private, &w.point, random_bytes, NULL));
    TRY(write_number(&w.private, out, N));
    TRY(mbedtls_ecp_point_write_binary(w.group, &w.point, MBEDTLS_ECP_PF_UNCOMPRESSED, &size,
                                       out + N, POINT));
    return end(&w, result);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    work w;
    int result = begin(&w);
    TRY(read_private(&w, in));
    TRY(mbedtls_ecp_point_read_binary(w.group, &w.point, in + N, POINT));
    TRY(mbedtls_ecdh_compute_shared(w.group, &w.a, &w.point, &w.private, random_bytes, NULL));
    TRY(write_number(&w.a, out, F));
    return end(&w, result);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    work w;
    int result = begin(&w);
    TRY(read_private(&w, in));
    TRY(mbedtls_ecdsa_sign(w.group, &w.a, &w.b, &w.private, in + N, 32, random_bytes, NULL));
    TRY(write_number(&w.a, out, N));
    TRY(write_number(&w.b, out + N, N));
    return end(&w, result);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    work w;
    (void)out;
    int result = begin(&w);
    TRY(read_number(&w.a, in, N));
    TRY(read_number(&w.b, in + N, N));
    TRY(mbedtls_ecp_point_read_binary(w.group, &w.point, in + 2 * N, POINT));
    TRY(mbedtls_ecdsa_verify(w.group, in + 2 * N + POINT, 32, &w.point, &w.a, &w.b));
    return end(&w, result);
}
