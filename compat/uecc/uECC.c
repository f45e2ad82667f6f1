/* uECC.c - the interface of micro-ecc, on that of ecfit
 *
 * Private keys and nonces pass through as bytes: nothing here branches on them.
 * A nonce of the caller's choice comes to the library as what its generator draws
 * (NONCE = random), so there is one way to sign.
 *
 * An operation that the configuration leaves out is an undefined symbol of ecfit if it is called.
 */
#include "uECC.h"

#include <stddef.h>

#include "ecfit.h"
#include "uECC_curves.h"

/* Says that x, which was computed from secrets, may be known: a label for `ecfit ct`, as in the
 * library's ct.h. */
#if !defined(ECFIT_DECLASSIFY) && defined(__ELF__) && \
    (defined(__arm__) || defined(__riscv) || defined(__AVR__))
#define ECFIT_DECLASSIFY(x) __asm__ volatile("ecfit_public.%=.%0.%c1:" : "+r"(x) : "i"(sizeof(x)))
#elif !defined(ECFIT_DECLASSIFY) && defined(__GNUC__)
#define ECFIT_DECLASSIFY(x) __asm__ volatile(" " : "+r"(x))
#elif !defined(ECFIT_DECLASSIFY)
#define ECFIT_DECLASSIFY(x) ((void)0)
#endif

static void copy(uint8_t *out, const uint8_t *in, size_t size)
{
    while (size-- > 0) {
        out[size] = in[size];
    }
}

static void clear(void *out, size_t size)
{
    volatile uint8_t *bytes = out;
    while (size-- > 0) {
        bytes[size] = 0;
    }
}

/* ---- the generator --------------------------------------------------------------------------- */

#if defined(__unix__) || defined(__linux__) || defined(__APPLE__) || defined(uECC_POSIX)
#include <stdio.h>

static int system_random(uint8_t *dest, unsigned size)
{
    FILE *file = fopen("/dev/urandom", "rb");
    size_t found;
    if (file == NULL) {
        return 0;
    }
    setvbuf(file, NULL, _IONBF, 0);
    found = fread(dest, 1, size, file);
    fclose(file);
    return found == size;
}
static uECC_RNG_Function random_function = system_random;
#else
static uECC_RNG_Function random_function;
#endif

void uECC_set_rng(uECC_RNG_Function rng_function)
{
    random_function = rng_function;
}

uECC_RNG_Function uECC_get_rng(void)
{
    return random_function;
}

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return random_function == NULL || random_function(out, (unsigned)size) != 1;
}

#if IS_BLINDED
/* For operations that need random numbers for BLIND alone: without a generator it gives the number
 * 1, by which nothing is blinded. So does micro-ecc, whose callers may take their generator away
 * and ignore what uECC_shared_secret() returns: an error would leave them a secret of zeros. */
static int fill_to_blind(void *context, uint8_t *out, size_t size)
{
    if (random_function != NULL) {
        return fill(context, out, size);
    }
    clear(out, size);
    out[size - 1] = 1;
    return 0;
}
#else
#define fill_to_blind fill
#endif

/* ---- keys ------------------------------------------------------------------------------------ */

int uECC_curve_private_key_size(uECC_Curve curve)
{
    return curve->order;
}

int uECC_curve_public_key_size(uECC_Curve curve)
{
    return 2 * curve->field;
}

int uECC_make_key(uint8_t *public_key, uint8_t *private_key, uECC_Curve curve)
{
    const ecfit_rng rng = {fill, NULL};
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
    CALL(keygen, (point, private_key, &rng))
    copy(public_key, point + 1, 2u * curve->field);
    return status == ECFIT_OK;
}

int uECC_compute_public_key(const uint8_t *private_key, uint8_t *public_key, uECC_Curve curve)
{
    const ecfit_rng rng = {fill_to_blind, NULL};
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
    CALL(public_key, (point, private_key, &rng))
    copy(public_key, point + 1, 2u * curve->field);
    return status == ECFIT_OK;
}

/* point = the public key with its lead byte. */
static void lead(uint8_t *point, const uint8_t *public_key, uECC_Curve curve)
{
    point[0] = 4;
    copy(point + 1, public_key, 2u * curve->field);
}

int uECC_shared_secret(const uint8_t *public_key, const uint8_t *private_key, uint8_t *secret,
                       uECC_Curve curve)
{
    const ecfit_rng rng = {fill_to_blind, NULL};
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
    lead(point, public_key, curve);
    CALL(ecdh, (secret, private_key, point, &rng))
    return status == ECFIT_OK;
}

int uECC_valid_public_key(const uint8_t *public_key, uECC_Curve curve)
{
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
    lead(point, public_key, curve);
    CALL(public_key_check, (point))
    return status == ECFIT_OK;
}

#if uECC_SUPPORT_COMPRESSED_POINT
void uECC_compress(const uint8_t *public_key, uint8_t *compressed, uECC_Curve curve)
{
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
    lead(point, public_key, curve);
    CALL(compress, (compressed, point))
    (void)status; /* of a key that is not valid, compressed is zero */
}

void uECC_decompress(const uint8_t *compressed, uint8_t *public_key, uECC_Curve curve)
{
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
    CALL(decompress, (point, compressed))
    (void)status;
    copy(public_key, point + 1, 2u * curve->field);
}
#endif

/* ---- signatures ------------------------------------------------------------------------------ */

/* Signs with the nonces of `rng`. A signature of secp160r1 has r and s in 20 bytes each:
 * of 2^80 nonces, one gives a longer number, and an error. */
static int sign(const uint8_t *private_key, const uint8_t *message_hash, size_t hash_size,
                const ecfit_rng *rng, uint8_t *signature, uECC_Curve curve)
{
    ecfit_status status = NO_CURVE;
    uint8_t longer[2 * ORDER_MAX];
    uint8_t *out = IS_LONGER(curve) ? longer : signature, above;
    CALL(ecdsa_sign, (out, private_key, message_hash, hash_size, rng))
    if (IS_LONGER(curve)) {
        copy(signature, longer + 1, curve->field);
        copy(signature + curve->field, longer + curve->order + 1, curve->field);
        above = longer[0] | longer[curve->order];
        ECFIT_DECLASSIFY(above); /* of a signature, which is public */
        if (above != 0) {
            clear(signature, 2u * curve->field);
            return 0;
        }
    }
    return status == ECFIT_OK;
}

int uECC_sign(const uint8_t *private_key, const uint8_t *message_hash, unsigned hash_size,
              uint8_t *signature, uECC_Curve curve)
{
    const ecfit_rng rng = {fill, NULL};
    return sign(private_key, message_hash, hash_size, &rng, signature, curve);
}

int uECC_verify(const uint8_t *public_key, const uint8_t *message_hash, unsigned hash_size,
                const uint8_t *signature, uECC_Curve curve)
{
    ecfit_status status = NO_CURVE;
    uint8_t point[1 + 2 * FIELD_MAX];
#if uECC_SUPPORTS_secp160r1
    uint8_t longer[2 * ORDER_MAX];
    if (IS_LONGER(curve)) {
        longer[0] = longer[curve->order] = 0;
        copy(longer + 1, signature, curve->field);
        copy(longer + curve->order + 1, signature + curve->field, curve->field);
        signature = longer;
    }
#endif
    lead(point, public_key, curve);
    CALL(ecdsa_verify, (signature, point, message_hash, hash_size))
    return status == ECFIT_OK;
}

/* ---- nonces of the caller's choice ----------------------------------------------------------- */

#if uECC_SIGN_DETERMINISTIC

/* Gives out one number, big-endian, and fails when the library asks for another one. */
static int fill_once(void *context, uint8_t *out, size_t size)
{
    const uint8_t **number = context;
    if (*number == NULL) {
        return 1;
    }
    copy(out, *number, size);
    *number = NULL;
    return 0;
}

int uECC_sign_with_k(const uint8_t *private_key, const uint8_t *message_hash, unsigned hash_size,
                     const uint8_t *k, uint8_t *signature, uECC_Curve curve)
{
    ecfit_rng rng = {fill_once, NULL};
    rng.context = (void *)&k;
    return sign(private_key, message_hash, hash_size, &rng, signature, curve);
}

/* The generator of RFC 6979, 3.2, and what it is asked for. K and V are the first 2 * result_size
 * bytes of the caller's buffer, and behind them a block for HMAC. */
struct nonces {
    const uECC_HashContext *hash;
    uECC_Curve curve;
    int begun; /* whether a nonce was given out: before the next, K and V change */
};

/* The block of HMAC's key K, xor `pad` (RFC 2104). */
static void mac_block(const uECC_HashContext *h, uint8_t pad)
{
    uint8_t *block = h->tmp + 2 * h->result_size;
    for (unsigned i = 0; i < h->block_size; i++) {
        block[i] = (uint8_t)((i < h->result_size ? h->tmp[i] : 0) ^ pad);
    }
}

/* HMAC of K: begins, with V as the first part of the message. */
static void mac_start(const uECC_HashContext *h)
{
    mac_block(h, 0x36);
    h->init_hash(h);
    h->update_hash(h, h->tmp + 2 * h->result_size, h->block_size);
    h->update_hash(h, h->tmp + h->result_size, h->result_size);
}

/* out, which is K or V, = HMAC of what came. */
static void mac_finish(const uECC_HashContext *h, uint8_t *out)
{
    mac_block(h, 0x5c);
    h->finish_hash(h, out);
    h->init_hash(h);
    h->update_hash(h, h->tmp + 2 * h->result_size, h->block_size);
    h->update_hash(h, out, h->result_size);
    h->finish_hash(h, out);
}

/* V = HMAC_K(V) */
static void next_v(const uECC_HashContext *h)
{
    mac_start(h);
    mac_finish(h, h->tmp + h->result_size);
}

/* K = HMAC_K(V || step || x || z), and the next V. */
static void next_k(const uECC_HashContext *h, uint8_t step, const ecfit_bytes *x,
                   const ecfit_bytes *z)
{
    mac_start(h);
    h->update_hash(h, &step, 1);
    if (x != NULL) {
        h->update_hash(h, x->data, (unsigned)x->size);
        h->update_hash(h, z->data, (unsigned)z->size);
    }
    mac_finish(h, h->tmp);
    next_v(h);
}

#if uECC_DETERMINISTIC_AS_MICRO_ECC

/* The first byte of V is the lowest of a nonce; the library drops the bits above the order. */
static void number(uint8_t *out, size_t size, unsigned spare)
{
    (void)spare;
    for (size_t i = 0; i < size / 2; i++) {
        uint8_t byte = out[i];
        out[i] = out[size - 1 - i];
        out[size - 1 - i] = byte;
    }
}

/* What is hashed of the hash: itself. Of a private key, as many bytes as a coordinate has. */
static ecfit_bytes hashed(uint8_t *room, ecfit_bytes hash, uECC_Curve curve)
{
    (void)room;
    (void)curve;
    return hash;
}
#define KEY_BYTES(curve) (curve)->field

#else

/* out = the leftmost bits: bits2int of RFC 6979, 2.3.2. */
static void number(uint8_t *out, size_t size, unsigned spare)
{
    for (; spare > 0; spare--) {
        for (size_t i = size - 1; i > 0; i--) {
            out[i] = (uint8_t)(out[i] >> 1 | out[i - 1] << 7);
        }
        out[0] >>= 1;
    }
}

/* The order of the curve, big-endian. */
static const uint8_t *order_of(uECC_Curve curve)
{
    switch (curve->id) {
        ORDER_160R1
        ORDER_192R1
        ORDER_224R1
        ORDER_256R1
        ORDER_256K1
    default: return NULL;
    }
}

/* out = a - b, if that is not below 0; returns whether it is not.   CT: no, public data */
static int less(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t size)
{
    unsigned borrow = 0;
    while (size-- > 0) {
        unsigned difference = 0x100u + a[size] - b[size] - borrow;
        out[size] = (uint8_t)difference;
        borrow = 1 - (difference >> 8);
    }
    return borrow == 0;
}

/* What is hashed of the hash, in `room`: bits2octets of RFC 6979, 2.3.4. CT: no, public data */
static ecfit_bytes hashed(uint8_t *room, ecfit_bytes hash, uECC_Curve curve)
{
    const ecfit_bytes whole = {room, curve->order};
    const uint8_t *n = order_of(curve);
    uint8_t difference[ORDER_MAX];
    size_t size = hash.size < whole.size ? hash.size : whole.size;
    clear(room, whole.size - size);
    copy(room + whole.size - size, hash.data, size);
    if (size == whole.size) {
        number(room, size, curve->spare);
    }
    if (less(difference, room, n, whole.size)) { /* it was below 2n */
        copy(room, difference, whole.size);
    }
    return whole;
}
#define KEY_BYTES(curve) (curve)->order

#endif

/* The next nonce: bytes of V, as a number. */
static int fill_nonce(void *context, uint8_t *out, size_t size)
{
    struct nonces *s = context;
    const uECC_HashContext *h = s->hash;
    if (s->begun) {
        next_k(h, 0, NULL, NULL);
    }
    s->begun = 1;
    for (size_t at = 0; at < size;) {
        next_v(h);
        for (unsigned i = 0; i < h->result_size && at < size; i++) {
            out[at++] = h->tmp[h->result_size + i];
        }
    }
    number(out, size, s->curve->spare);
    return 0;
}

int uECC_sign_deterministic(const uint8_t *private_key, const uint8_t *message_hash,
                            unsigned hash_size, const uECC_HashContext *hash_context,
                            uint8_t *signature, uECC_Curve curve)
{
    const uECC_HashContext *h = hash_context;
    struct nonces s = {h, curve, 0};
    const ecfit_rng rng = {fill_nonce, &s};
    uint8_t room[ORDER_MAX];
    const ecfit_bytes x = {private_key, KEY_BYTES(curve)}, hash = {message_hash, hash_size};
    const ecfit_bytes z = hashed(room, hash, curve);
    int done;
    for (unsigned i = 0; i < h->result_size; i++) {
        h->tmp[i] = 0;
        h->tmp[h->result_size + i] = 1;
    }
    next_k(h, 0, &x, &z);
    next_k(h, 1, &x, &z);
    done = sign(private_key, message_hash, hash_size, &rng, signature, curve);
    clear(h->tmp, 2 * h->result_size + h->block_size);
    return done;
}

#endif
