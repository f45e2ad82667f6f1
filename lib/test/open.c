/* open.c - the library with its insides in reach of a test:
 * words go in and out as bytes in the order of the host
 *
 * Every wrapper works on copies in buffers of its own,
 * so that a test of a function with its documented aliasing is one argument: alias 0:
 * r, a, b are three; 1: r is a; 2: r is b; 3: a is b.
 */
#include <string.h>

#include "ecfit.c"

#define OPEN_MAX (2 * MP_MAX_LIMBS + 2)

typedef struct open_args {
    mp_word r[OPEN_MAX], a[OPEN_MAX], b[OPEN_MAX];
    mp_word *rp;
    const mp_word *ap, *bp;
} open_args;

static void open_load(open_args *o, const uint8_t *r, const uint8_t *a, const uint8_t *b, size_t n,
                      int alias)
{
    memset(o, 0xA5, sizeof *o);
    memcpy(o->r, r, n * sizeof(mp_word));
    memcpy(o->a, a, n * sizeof(mp_word));
    memcpy(o->b, b, n * sizeof(mp_word));
    o->rp = alias == 1 ? o->a : alias == 2 ? o->b : o->r;
    o->ap = o->a;
    o->bp = alias == 3 ? o->a : o->b;
}

size_t open_word_bytes(void)
{
    return sizeof(mp_word);
}

size_t open_max_limbs(void)
{
    return MP_MAX_LIMBS;
}

/* r = a + b or, with keep 0, a; returns the carry. */
uint64_t open_add(uint8_t *r, const uint8_t *a, const uint8_t *b, int keep, size_t n, int alias)
{
    open_args o;
    mp_word carry;
    open_load(&o, a, a, b, n, alias);
    carry = mp_add(o.rp, o.ap, o.bp, mp_mask_of((mp_word)keep), n);
    memcpy(r, o.rp, n * sizeof(mp_word));
    return carry;
}

/* r = a - b; returns the borrow. */
uint64_t open_sub(uint8_t *r, const uint8_t *a, const uint8_t *b, size_t n, int alias)
{
    open_args o;
    mp_word borrow;
    open_load(&o, a, a, b, n, alias);
    borrow = mp_sub(o.rp, o.ap, o.bp, n);
    memcpy(r, o.rp, n * sizeof(mp_word));
    return borrow;
}

/* r = (r + top B^n) / 2. */
void open_half(uint8_t *r, int top, size_t n)
{
    open_args o;
    open_load(&o, r, r, r, n, 0);
    mp_half(o.rp, (mp_word)top, n);
    memcpy(r, o.rp, n * sizeof(mp_word));
}

/* r = a b, or a^2 where b is NULL; 2n words. */
void open_mul(uint8_t *r, const uint8_t *a, const uint8_t *b, size_t n)
{
    open_args o;
    open_load(&o, a, a, b == NULL ? a : b, n, 0);
    if (b == NULL) {
        mp_sqr(o.rp, o.ap, n);
    } else {
        mp_mul(o.rp, o.ap, o.bp, n);
    }
    memcpy(r, o.rp, 2 * n * sizeof(mp_word));
}

uint64_t open_is_zero(const uint8_t *a, size_t n)
{
    open_args o;
    open_load(&o, a, a, a, n, 0);
    return mp_mask_var(mp_is_zero(o.ap, n));
}

uint64_t open_word_equal(uint64_t a, uint64_t b)
{
    return mp_mask_var(mp_word_equal((mp_word)a, (mp_word)b));
}

int open_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    open_args o;
    open_load(&o, a, a, b, n, 0);
    return mp_equal(o.ap, o.bp, n);
}

void open_cmov(uint8_t *r, const uint8_t *a, int mask, size_t n)
{
    open_args o;
    open_load(&o, r, a, a, n, 0);
    mp_cmov(o.rp, o.ap, mp_mask_of((mp_word)mask), n);
    memcpy(r, o.rp, n * sizeof(mp_word));
}

void open_from_bytes(uint8_t *r, const uint8_t *in, size_t size, size_t n)
{
    mp_word t[OPEN_MAX];
    mp_from_bytes(t, in, size, n);
    memcpy(r, t, n * sizeof(mp_word));
}

void open_to_bytes(uint8_t *out, const uint8_t *a, size_t size, size_t n)
{
    open_args o;
    open_load(&o, a, a, a, n, 0);
    mp_to_bytes(out, o.ap, size);
}

/* r += a * b[0]; returns the carry word. */
uint64_t open_mac_row(uint8_t *r, const uint8_t *a, uint64_t b, size_t n)
{
    open_args o;
    mp_word carry;
    open_load(&o, r, a, a, n, 0);
    carry = mp_mac_row(o.rp, o.ap, (mp_word)b, n);
    memcpy(r, o.rp, n * sizeof(mp_word));
    return carry;
}

/* One operation modulo any odd m of n words. op: 0 r = a b / R, 1 r = a + b, 2 r = a - b,
 * 3 r = R^2 / a, 4 r = a + b[0] B^n less m where that is not negative (mod_once). */
void open_mod(int op, uint8_t *r, const uint8_t *a, const uint8_t *b, const uint8_t *m,
              const uint8_t *r2, uint64_t inv, size_t n, int alias)
{
    open_args o, modulus;
    mod field;
    open_load(&o, a, a, b, n, alias);
    open_load(&modulus, m, m, r2, n, 0);
    field.m = modulus.a;
    field.r2 = modulus.b;
    field.inv = (mp_word)inv;
    field.limbs = n;
    switch (op) {
    case 0: mod_mul(o.rp, o.ap, o.bp, &field); break;
    case 1: mod_add(o.rp, o.ap, o.bp, &field); break;
    case 2: mod_sub(o.rp, o.ap, o.bp, &field); break;
    case 3: mod_inv(o.rp, o.ap, &field); break;
    default:
        mod_once(o.a, o.b[0], &field);
        o.rp = o.a;
        break;
    }
    memcpy(r, o.rp, n * sizeof(mp_word));
}
