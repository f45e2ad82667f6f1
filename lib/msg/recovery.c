/* recovery.c - signatures with message recovery: Pintsov-Vanstone [PV00], with an integrity
 * that is proved where redundancy is long enough [BJ01]
 *
 *   k, R        a nonce and its point k G                         drawn for this signature
 *   z           redundancy zero bytes || message
 *   c           z xor SHA-256("PV1 stream" || i || R) ..          i = 0, 1, .. one byte
 *   h           SHA-256("PV1 hash" || c)                          a big-endian integer
 *               SHA-256("PV1 data" || m || c || visible)          m: bytes of the message, in one
 *   s           k + h d mod n
 *
 * Without m, bytes could move between c and visible: c with the first byte of visible at its end
 * has the same h, so the same R, and one more byte of a message that nobody signed.
 *
 * The receiver computes R = s G - h Q and so the stream, and takes the message
 * where z begins with the zeros. That is all that tells a signature from any other bytes:
 * 2^(8 redundancy) trials of c find one that some message, not of the forger's choice, fits,
 * so that redundancy has half as many bits as the order. */
#include "writer.h"

#define WORDS 8
#define SCALAR 32
#define DIGEST 32
#define POINT_MAX 65

static const uint8_t stream_name[] = {'P', 'V', '1', ' ', 's', 't', 'r', 'e', 'a', 'm'};
static const uint8_t hash_name[] = {'P', 'V', '1', ' ', 'h', 'a', 's', 'h'};
static const uint8_t data_name[] = {'P', 'V', '1', ' ', 'd', 'a', 't', 'a'};

static void load(uint32_t *words, const uint8_t *bytes)
{
    for (unsigned i = 0; i < WORDS; i++, bytes += 4) {
        words[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                   (uint32_t)bytes[3] << 24;
    }
}

/* a = a + b mod n.   in: below n; b may be a.   CT: a, b */
static void add_mod(uint32_t *a, const uint32_t *b, const uint32_t *n)
{
    uint32_t sum[WORDS], carry = 0, borrow = 0, keep;
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t half = a[i] + carry;
        carry = (uint32_t)(half < carry);
        sum[i] = half + b[i];
        carry |= (uint32_t)(sum[i] < half);
    }
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t half = sum[i] - borrow;
        borrow = (uint32_t)(half > sum[i]);
        a[i] = half - n[i];
        borrow |= (uint32_t)(a[i] > half);
    }
    keep = 0 - (borrow & (carry ^ 1)); /* the sum was below n */
    for (unsigned i = 0; i < WORDS; i++) {
        a[i] ^= (a[i] ^ sum[i]) & keep;
    }
}

/* s = k + h d mod n, a bit of h at a time: h is public, and no core multiplies in constant time
 * that much faster.   in: k, d below n, the least byte first   CT: k, d */
static void respond(uint8_t *s, const uint8_t *k, const uint8_t *h, const uint8_t *d,
                    const uint8_t *order)
{
    uint32_t sum[WORDS] = {0}, addend[WORDS], n[WORDS];
    load(addend, d);
    load(n, order);
    for (unsigned bit = 0; bit < 8 * DIGEST; bit++) {
        add_mod(sum, sum, n);
        if (h[bit / 8] >> (7 - bit % 8) & 1) {
            add_mod(sum, addend, n);
        }
    }
    load(addend, k);
    add_mod(sum, addend, n);
    for (unsigned i = 0; i < SCALAR; i++) {
        s[i] = (uint8_t)(sum[i / 4] >> 8 * (i % 4));
    }
    ecfit_msg_zero(addend, sizeof addend);
    ecfit_msg_zero(sum, sizeof sum);
}

/* z xor the key stream, in place. */
static void mask(uint8_t *z, size_t size, const uint8_t *point, size_t point_size)
{
    uint8_t block[DIGEST], number = 0;
    const ecfit_bytes pieces[] = {
        {stream_name, sizeof stream_name}, {&number, 1}, {point, point_size}};
    for (size_t at = 0; at < size; at++) {
        if (at % DIGEST == 0) {
            ecfit_sha256(block, pieces, 3);
            number++;
        }
        z[at] ^= block[at % DIGEST];
    }
}

ecfit_msg_status ecfit_recovery_sign(uint8_t *out, size_t capacity, size_t *size,
                                     const ecfit_msg_recovery *group, const uint8_t *private_key,
                                     const uint8_t *message, size_t message_size,
                                     const uint8_t *visible, size_t visible_size,
                                     const ecfit_rng *rng)
{
    writer w = {out, capacity, 0, 0};
    uint8_t k[SCALAR] = {0}, d[SCALAR] = {0}, s[SCALAR], digest[DIGEST], point[POINT_MAX];
    ecfit_msg_status status = ECFIT_MSG_NOT_SIGNED;
    if (message_size > ECFIT_MSG_RECOVERED_MAX) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_BAD_MEMBERS);
    }
    for (size_t i = 0; i < group->redundancy; i++) {
        ecfit_msg_byte(&w, 0);
    }
    ecfit_msg_bytes(&w, message, message_size);
    if (w.full || group->scalar > w.capacity - w.size) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_FULL); /* before the work */
    }
    if (group->secret(d, private_key) && rng != NULL && rng->fill != NULL &&
        group->draw(k, point, rng) == ECFIT_OK) {
        const uint8_t length = (uint8_t)message_size; /* ECFIT_MSG_RECOVERED_MAX is below 256 */
        const ecfit_bytes pieces[] = {{visible_size != 0 ? data_name : hash_name, sizeof hash_name},
                                      {&length, visible_size != 0},
                                      {out, w.size},
                                      {visible, visible_size}};
        mask(out, w.size, point, group->public_key);
        ecfit_sha256(digest, pieces, 4);
        respond(s, k, digest, d, group->order);
        for (size_t i = 0; i < group->scalar; i++) {
            ecfit_msg_byte(&w, s[group->reversed ? group->scalar - 1 - i : i]);
        }
        status = ECFIT_MSG_OK;
    }
    ecfit_msg_zero(k, sizeof k);
    ecfit_msg_zero(d, sizeof d);
    return ecfit_msg_end(&w, size, status);
}
