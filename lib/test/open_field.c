/* open_field.c - the library with the fields of some Weierstrass curves in reach of a test:
 * elements go in and out as the words that they are, bytes in the order of the host
 *
 * op: 0 a b/R, 1 a^2/R, 2 a + b, 3 a - b, 4 -a.   alias 0: r, a, b are three; 1: r is a; 2: r is b;
 * 3: a is b.
 */
#include <string.h>

#include "ecfit.c"

#if defined(MP_HIGH) && defined(__x86_64__)
/* Answers in place of the processor, whether it has MULX, ADCX and ADOX; returns what it says. */
int open_adx(int known)
{
    int has = mp_adx_ask();
    mp_adx_known = known;
    return has;
}
#endif

#if defined(MP_HIGH)
/* r = table[index], as a look-up of the library reads it: by vectors, if the processor has them */
void open_lookup(mp_word *r, const mp_word *table, size_t index, size_t count, size_t n)
{
    mp_lookup(r, table, index, count, n);
}
#endif

#define OPEN_FIELD(curve) OPEN_FIELD_(curve)
#define OPEN_FIELD_(curve) \
    void open_##curve(int op, uint8_t *out, const uint8_t *in_a, const uint8_t *in_b, int alias) \
    { \
        mp_word x[MP_MAX_LIMBS], y[MP_MAX_LIMBS], z[MP_MAX_LIMBS]; \
        size_t size = curve##_mod_p.limbs * sizeof(mp_word); \
        mp_word *r = alias == 1 ? x : alias == 2 ? y : z; \
        const mp_word *a = x, *b = alias == 3 ? x : y; \
        memset(z, 0xA5, sizeof z); \
        memcpy(x, in_a, size); \
        memcpy(y, in_b, size); \
        switch (op) { \
        case 0: curve##_fe_mul(r, a, b); break; \
        case 1: curve##_fe_sqr(r, a); break; \
        case 2: curve##_fe_add(r, a, b); break; \
        case 3: curve##_fe_sub(r, a, b); break; \
        default: \
            r = x; \
            curve##_fe_negate(r, mp_mask_all()); \
            break; \
        } \
        memcpy(out, r, size); \
    }

OPEN_FIELD(secp256r1)
OPEN_FIELD(secp256k1)
OPEN_FIELD(secp384r1)
OPEN_FIELD(brainpoolP256r1)
OPEN_FIELD(secp521r1)
