/* template.h - names of a template instance:
 * N(fe_mul) is secp256r1_fe_mul while CURVE is secp256r1 */
#ifndef ECFIT_TEMPLATE_H
#define ECFIT_TEMPLATE_H

#define ECFIT_CAT_(a, b) a##_##b
#define ECFIT_CAT(a, b) ECFIT_CAT_(a, b)
#define N(name) ECFIT_CAT(CURVE, name)
#define FUSED(name) ECFIT_CAT(ecfit, N(name)) /* the same in assembly */

/* The file in a slot of the curve: ECFIT_SECP256R1_MULG while CURVE_CAPS is SECP256R1. */
#define ECFIT_SLOT_(caps, name) ECFIT_##caps##_##name
#define ECFIT_SLOT_OF(caps, name) ECFIT_SLOT_(caps, name)
#define ECFIT_SLOT(name) ECFIT_SLOT_OF(CURVE_CAPS, name)

/* Names of files: "curve/comb/secp256r1_t4_v1.inc", "group/slope_minus3.inc".
 * A space would become part of the name. */
#define ECFIT_STRING(x) #x
/* clang-format off */
#define ECFIT_COMB_FILE_(curve_, t, v) ECFIT_STRING(curve/comb/curve_##_t##t##_v##v.inc)
#define ECFIT_ODD_FILE_(curve_, w) ECFIT_STRING(curve/comb/curve_##_odd_w##w.inc)
#define ECFIT_SLOPE_FILE_(a) ECFIT_STRING(group/slope_##a.inc)
#define ECFIT_EDWARDS_FILE_(a) ECFIT_STRING(group/edwards_##a.inc)
/* clang-format on */
#define ECFIT_COMB_FILE(curve_, t, v) ECFIT_COMB_FILE_(curve_, t, v)
#define ECFIT_ODD_FILE(curve_, w) ECFIT_ODD_FILE_(curve_, w)
#define ECFIT_SLOPE_FILE(a) ECFIT_SLOPE_FILE_(a)
#define ECFIT_EDWARDS_FILE(a) ECFIT_EDWARDS_FILE_(a)

/* bytes of stack for the constants of hashes: an HMAC may have two hashes inlined */
#if defined(ECFIT_SHA512_IS_ROOTS)
#define HASH_ROOM (2 * 704)
#else
#define HASH_ROOM 0
#endif

/* bytes of stack that the compression of SHA-512 takes more on Cortex-M3 and M4, as it moves SP */
#if defined(ECFIT_SHA512_IS_OWN) && \
    (defined(ECFIT_BACKEND_IS_ARMV7M) || defined(ECFIT_BACKEND_IS_ARMV7EM))
#define HASH_SLIDE 256
#else
#define HASH_SLIDE 0
#endif

#endif
