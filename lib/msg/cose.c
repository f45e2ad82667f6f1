/* cose.c - CBOR readings, and COSE_Sign1 around them (RFC 9052, 4.2 and 4.4)
 *
 *   message     d2 84   protected  a0  payload  signature     tag 18, an array of four
 *   signed      84 6a "Signature1"  protected  40  payload    an array of four: Sig_structure
 *
 * What is signed is written first, in the same buffer: from `protected` to the end of `payload`
 * the two differ in one byte, and the rest moves down. */
#include "writer.h"

#define UNSIGNED 0x00 /* major types, RFC 8949, 3.1 */
#define NEGATIVE 0x20
#define BYTES 0x40
#define TEXT 0x60
#define MAP 0xa0

static const uint8_t context[] = {0x84, 0x6a, 'S', 'i', 'g', 'n', 'a', 't', 'u', 'r', 'e', '1'};
static const uint8_t lead[] = {0xd2, 0x84};

/* How many bytes of a number follow the first byte of an item: 0, 1, 2, 4 or 8. */
static unsigned head_bytes(uint64_t n)
{
    return n < 24 ? 0 : n <= 0xff ? 1 : n <= 0xffff ? 2 : n <= 0xffffffff ? 4 : 8;
}

/* The shortest head of an item. */
static void head(writer *w, uint8_t major, uint64_t n)
{
    static const uint8_t codes[] = {0, 24, 25, 0, 26, 0, 0, 0, 27};
    unsigned bytes = head_bytes(n);
    ecfit_msg_byte(w, (uint8_t)(major | (bytes == 0 ? (uint8_t)n : codes[bytes])));
    while (bytes-- > 0) {
        ecfit_msg_byte(w, (uint8_t)(n >> 8 * bytes));
    }
}

/* -1 - n is how CBOR has a negative number. */
static void integer(writer *w, int64_t value)
{
    head(w, value < 0 ? NEGATIVE : UNSIGNED, (uint64_t)(value < 0 ? -(value + 1) : value));
}

static size_t integer_size(int64_t value)
{
    return 1 + head_bytes((uint64_t)(value < 0 ? -(value + 1) : value));
}

static void key(writer *w, const ecfit_msg_member *member)
{
    if (member->name == NULL) {
        integer(w, member->label);
    } else {
        size_t size = ecfit_msg_length(member->name);
        head(w, TEXT, size);
        ecfit_msg_bytes(w, member->name, size);
    }
}

/* By the bytes of the encoded keys (RFC 8949, 4.2.1): labels from 0 up, then from -1 down,
 * then names, shorter ones first. */
static int by_key(const ecfit_msg_member *a, const ecfit_msg_member *b)
{
    if (a->name == NULL || b->name == NULL) {
        int64_t x = a->label, y = b->label;
        if (a->name != NULL || b->name != NULL) {
            return a->name == NULL ? -1 : 1;
        }
        if ((x < 0) != (y < 0)) {
            return x < 0 ? 1 : -1;
        }
        return x == y ? 0 : (x < y) == (x >= 0) ? -1 : 1;
    }
    size_t m = ecfit_msg_length(a->name), n = ecfit_msg_length(b->name);
    if (m != n) {
        return m < n ? -1 : 1;
    }
    for (size_t i = 0; i < m; i++) {
        if (a->name[i] != b->name[i]) {
            return a->name[i] < b->name[i] ? -1 : 1;
        }
    }
    return 0;
}

static void map(writer *w, const ecfit_msg_member *members, size_t count)
{
    const ecfit_msg_member *one = NULL;
    head(w, MAP, count);
    while ((one = ecfit_msg_next(members, count, one, by_key)) != NULL) {
        key(w, one);
        integer(w, one->value);
    }
}

ecfit_msg_status ecfit_cbor_write(uint8_t *out, size_t capacity, size_t *size,
                                  const ecfit_msg_member *members, size_t count)
{
    writer w = {out, capacity, 0, 0};
    ecfit_msg_status status = ECFIT_MSG_BAD_MEMBERS;
    if (ecfit_msg_members_ok(members, count, by_key, 0)) {
        map(&w, members, count);
        status = ECFIT_MSG_OK;
    }
    return ecfit_msg_end(&w, size, status);
}

/* The map as a byte string: its head is known when its size is. */
static void payload(writer *w, const ecfit_msg_member *members, size_t count)
{
    size_t at = w->size, size;
    writer before;
    map(w, members, count);
    size = w->size - at;
    ecfit_msg_open(w, at, 1 + head_bytes(size));
    if (!w->full) {
        before = *w;
        before.size = at;
        head(&before, BYTES, size);
    }
}

ecfit_msg_status ecfit_cose_sign1(uint8_t *out, size_t capacity, size_t *size,
                                  const ecfit_msg_signer *signer, const uint8_t *private_key,
                                  const ecfit_msg_member *members, size_t count,
                                  const ecfit_rng *rng)
{
    writer w = {out, capacity, 0, 0};
    uint8_t signature[ECFIT_MSG_SIGNATURE_MAX];
    size_t between;
    if (!ecfit_msg_members_ok(members, count, by_key, 0)) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_BAD_MEMBERS);
    }
    ecfit_msg_bytes(&w, context, sizeof context);
    head(&w, BYTES, 2 + integer_size(signer->number));
    head(&w, MAP, 1);
    integer(&w, 1); /* alg: RFC 9052, 3.1 */
    integer(&w, signer->number);
    between = w.size;
    head(&w, BYTES, 0); /* no external data */
    payload(&w, members, count);
    if (w.full || 2 + signer->size > w.capacity - w.size + sizeof context - sizeof lead) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_FULL); /* before the work */
    }
    if (signer->sign(signature, private_key, w.out, w.size, rng) != ECFIT_OK) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_NOT_SIGNED);
    }
    w.out[between] = MAP;
    for (size_t i = sizeof context; i < w.size; i++) {
        w.out[i - sizeof context + sizeof lead] = w.out[i];
    }
    w.size -= sizeof context - sizeof lead;
    w.out[0] = lead[0];
    w.out[1] = lead[1];
    head(&w, BYTES, signer->size);
    ecfit_msg_bytes(&w, signature, signer->size);
    return ecfit_msg_end(&w, size, ECFIT_MSG_OK);
}
