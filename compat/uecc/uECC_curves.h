/* uECC_curves.h - the curves of uECC.c: what is known of each, and what each adds to a switch
 *
 * A curve that uECC.h leaves out adds nothing.
 */
#ifndef ECFIT_COMPAT_UECC_CURVES_H
#define ECFIT_COMPAT_UECC_CURVES_H

#define FIELD_MAX 32 /* bytes of a coordinate, at most */
#define ORDER_MAX 32 /* bytes of a scalar, at most     */

enum { SECP160R1, SECP192R1, SECP224R1, SECP256R1, SECP256K1 };

struct uECC_Curve_t {
    uint8_t id, field; /* bytes of a coordinate, and of r and s in a signature of micro-ecc */
    uint8_t order;     /* bytes of a scalar */
    uint8_t spare;     /* bits above the order in the first of them */
};

/* The function that gives out a curve, and what it gives. */
#define CURVE(name, id, field, order, spare) \
    static const struct uECC_Curve_t name = {id, field, order, spare}; \
    uECC_Curve uECC_##name(void) \
    { \
        return &name; \
    }

#define CASE_OF(id, name, verb, arguments) \
    case id: status = ecfit_##name##_##verb arguments; break;

/* The order of a curve, big-endian. */
#define ORDER_OF(id, ...) \
    case id: { \
        static const uint8_t n[] = {__VA_ARGS__}; \
        return n; \
    }

#if uECC_SUPPORTS_secp160r1
#if !ECFIT_CURVE_SECP160R1_ENABLED
#error "uECC.h: ecfit_config.h lacks this curve: `ecfit config --curve`"
#endif
#if uECC_SIGN_DETERMINISTIC && \
    !(defined(ECFIT_SECP160R1_NONCE_IS_RANDOM) && defined(ECFIT_SECP160R1_BLIND_IS_NONE))
#error "uECC.h: `ecfit config --set NONCE=random,BLIND=none`, or uECC_SIGN_DETERMINISTIC=0"
#endif
CURVE(secp160r1, SECP160R1, 20, 21, 7)
#define CASE_160R1(verb, arguments) CASE_OF(SECP160R1, secp160r1, verb, arguments)
#define ORDER_160R1 \
    ORDER_OF(SECP160R1, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0xf4, \
             0xc8, 0xf9, 0x27, 0xae, 0xd3, 0xca, 0x75, 0x22, 0x57)
#else
#define CASE_160R1(verb, arguments)
#define ORDER_160R1
#endif

#if uECC_SUPPORTS_secp192r1
#if !ECFIT_CURVE_SECP192R1_ENABLED
#error "uECC.h: ecfit_config.h lacks this curve: `ecfit config --curve`"
#endif
#if uECC_SIGN_DETERMINISTIC && \
    !(defined(ECFIT_SECP192R1_NONCE_IS_RANDOM) && defined(ECFIT_SECP192R1_BLIND_IS_NONE))
#error "uECC.h: `ecfit config --set NONCE=random,BLIND=none`, or uECC_SIGN_DETERMINISTIC=0"
#endif
CURVE(secp192r1, SECP192R1, 24, 24, 0)
#define CASE_192R1(verb, arguments) CASE_OF(SECP192R1, secp192r1, verb, arguments)
#define ORDER_192R1 \
    ORDER_OF(SECP192R1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
             0x99, 0xde, 0xf8, 0x36, 0x14, 0x6b, 0xc9, 0xb1, 0xb4, 0xd2, 0x28, 0x31)
#else
#define CASE_192R1(verb, arguments)
#define ORDER_192R1
#endif

#if uECC_SUPPORTS_secp224r1
#if !ECFIT_CURVE_SECP224R1_ENABLED
#error "uECC.h: ecfit_config.h lacks this curve: `ecfit config --curve`"
#endif
#if uECC_SIGN_DETERMINISTIC && \
    !(defined(ECFIT_SECP224R1_NONCE_IS_RANDOM) && defined(ECFIT_SECP224R1_BLIND_IS_NONE))
#error "uECC.h: `ecfit config --set NONCE=random,BLIND=none`, or uECC_SIGN_DETERMINISTIC=0"
#endif
CURVE(secp224r1, SECP224R1, 28, 28, 0)
#define CASE_224R1(verb, arguments) CASE_OF(SECP224R1, secp224r1, verb, arguments)
#define ORDER_224R1 \
    ORDER_OF(SECP224R1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
             0xff, 0xff, 0x16, 0xa2, 0xe0, 0xb8, 0xf0, 0x3e, 0x13, 0xdd, 0x29, 0x45, 0x5c, 0x5c, \
             0x2a, 0x3d)
#else
#define CASE_224R1(verb, arguments)
#define ORDER_224R1
#endif

#if uECC_SUPPORTS_secp256r1
#if !ECFIT_CURVE_SECP256R1_ENABLED
#error "uECC.h: ecfit_config.h lacks this curve: `ecfit config --curve`"
#endif
#if uECC_SIGN_DETERMINISTIC && \
    !(defined(ECFIT_SECP256R1_NONCE_IS_RANDOM) && defined(ECFIT_SECP256R1_BLIND_IS_NONE))
#error "uECC.h: `ecfit config --set NONCE=random,BLIND=none`, or uECC_SIGN_DETERMINISTIC=0"
#endif
CURVE(secp256r1, SECP256R1, 32, 32, 0)
#define CASE_256R1(verb, arguments) CASE_OF(SECP256R1, secp256r1, verb, arguments)
#define ORDER_256R1 \
    ORDER_OF(SECP256R1, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, \
             0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, \
             0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51)
#else
#define CASE_256R1(verb, arguments)
#define ORDER_256R1
#endif

#if uECC_SUPPORTS_secp256k1
#if !ECFIT_CURVE_SECP256K1_ENABLED
#error "uECC.h: ecfit_config.h lacks this curve: `ecfit config --curve`"
#endif
#if uECC_SIGN_DETERMINISTIC && \
    !(defined(ECFIT_SECP256K1_NONCE_IS_RANDOM) && defined(ECFIT_SECP256K1_BLIND_IS_NONE))
#error "uECC.h: `ecfit config --set NONCE=random,BLIND=none`, or uECC_SIGN_DETERMINISTIC=0"
#endif
CURVE(secp256k1, SECP256K1, 32, 32, 0)
#define CASE_256K1(verb, arguments) CASE_OF(SECP256K1, secp256k1, verb, arguments)
#define ORDER_256K1 \
    ORDER_OF(SECP256K1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, \
             0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, \
             0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41)
#else
#define CASE_256K1(verb, arguments)
#define ORDER_256K1
#endif

/* status = the function `verb` of the curve. */
#define CALL(verb, arguments) \
    switch (curve->id) { \
        CASE_160R1(verb, arguments) \
        CASE_192R1(verb, arguments) \
        CASE_224R1(verb, arguments) \
        CASE_256R1(verb, arguments) \
        CASE_256K1(verb, arguments) \
    default: break; \
    }

/* What a status is before a curve has given one. */
#define NO_CURVE ECFIT_MISUSE

/* Whether the configuration blinds one of the curves: in an #if. */
#define IS_BLINDED \
    ((uECC_SUPPORTS_secp160r1 && !ECFIT_SECP160R1_BLIND_IS_NONE) || \
     (uECC_SUPPORTS_secp192r1 && !ECFIT_SECP192R1_BLIND_IS_NONE) || \
     (uECC_SUPPORTS_secp224r1 && !ECFIT_SECP224R1_BLIND_IS_NONE) || \
     (uECC_SUPPORTS_secp256r1 && !ECFIT_SECP256R1_BLIND_IS_NONE) || \
     (uECC_SUPPORTS_secp256k1 && !ECFIT_SECP256K1_BLIND_IS_NONE))

/* Whether a signature of the library has another form: its r and s have a byte more. */
#define IS_LONGER(curve) (uECC_SUPPORTS_secp160r1 && (curve)->order != (curve)->field)

/* For micro-ecc's tests, which declare it themselves: a nonce of the caller's choice. */
int uECC_sign_with_k(const uint8_t *private_key, const uint8_t *message_hash, unsigned hash_size,
                     const uint8_t *k, uint8_t *signature, uECC_Curve curve);

#endif
