/* mp/words.h - machine words, and signed limbs for inversion, by the back end (BACKEND) */
#ifndef ECFIT_WORDS_H
#define ECFIT_WORDS_H

/* mp_dword: a product of two words; mp_sdword: the same signed, if it is needed.
 * MP_W64(x): the words of a constant of 64 bits, the lowest first; MP_EVEN: a number of words made
 * even: short words come in blocks of 64 bits anyway. */
#if defined(ECFIT_BACKEND_IS_W64)
typedef uint64_t mp_word;
__extension__ typedef unsigned __int128 mp_dword;
__extension__ typedef __int128 mp_sdword;
#define MP_BITS 64
#define MP_W64(x) (x)
#define MP_EVEN(limbs) ((limbs) + ((limbs)&1))
#elif defined(ECFIT_BACKEND_IS_W16) || defined(ECFIT_BACKEND_IS_AVR)
typedef uint16_t mp_word;
typedef uint32_t mp_dword;
#define MP_BITS 16
#define MP_HALF(x, i) (uint16_t)((uint64_t)(x) >> (16 * (i)))
#define MP_W64(x) MP_HALF(x, 0), MP_HALF(x, 1), MP_HALF(x, 2), MP_HALF(x, 3)
#define MP_EVEN(limbs) (limbs)
#elif defined(ECFIT_BACKEND_IS_W8)
typedef uint8_t mp_word;
typedef uint16_t mp_dword;
#define MP_BITS 8
#define MP_BYTE(x, i) (uint8_t)((uint64_t)(x) >> (8 * (i)))
#define MP_W64(x) \
    MP_BYTE(x, 0), MP_BYTE(x, 1), MP_BYTE(x, 2), MP_BYTE(x, 3), MP_BYTE(x, 4), MP_BYTE(x, 5), \
        MP_BYTE(x, 6), MP_BYTE(x, 7)
#define MP_EVEN(limbs) (limbs)
#else
typedef uint32_t mp_word;
typedef uint64_t mp_dword;
typedef int64_t mp_sdword;
#define MP_BITS 32
#define MP_W64(x) (uint32_t)(x), (uint32_t)((uint64_t)(x) >> 32)
#define MP_EVEN(limbs) (limbs)
#endif

/* A mask, all zeros or all ones. A struct, so that no operator of C takes it: the functions of
 * mp/base.inc make, combine and open masks. tools/checks/lint_lib.py finds who else opens one. */
typedef struct mp_mask {
    mp_word word;
} mp_mask;

/* Four 64-bit words, for tables. */
#define MP_W256(x, y, z, u) MP_W64(x), MP_W64(y), MP_W64(z), MP_W64(u)

/* mp_limb: a limb of MP_LIMB_BITS; mp_entry: one of a matrix; mp_sum: a sum of their products. */
#if defined(ECFIT_BACKEND_IS_W64)
typedef int64_t mp_limb;
typedef int64_t mp_entry;
__extension__ typedef __int128 mp_sum;
#define MP_LIMB_BITS 60
#elif defined(ECFIT_BACKEND_IS_W16) || defined(ECFIT_BACKEND_IS_AVR)
typedef int16_t mp_limb;
typedef int16_t mp_entry;
typedef int32_t mp_sum;
#define MP_LIMB_BITS 14
#elif defined(ECFIT_BACKEND_IS_W8)
typedef int8_t mp_limb;
typedef int8_t mp_entry;
typedef int16_t mp_sum;
#define MP_LIMB_BITS 6
#elif defined(ECFIT_BACKEND_IS_W32M16) || defined(ECFIT_BACKEND_IS_ARMV6M) || \
    defined(ECFIT_BACKEND_IS_ARMV7M) /* products of 16 x 17 -> 32 bits */
typedef int16_t mp_limb;
typedef int32_t mp_entry;
typedef int32_t mp_sum;
#define MP_LIMB_BITS 15
#else
typedef int32_t mp_limb;
typedef int32_t mp_entry;
typedef int64_t mp_sum;
#define MP_LIMB_BITS 30
#endif

/* 1 where assembly takes an odd number of limbs */
#if defined(ECFIT_BACKEND_IS_ARMV7EM)
#define MP_LIMB_ODD 1
#else
#define MP_LIMB_ODD 0
#endif

#endif
