/* ecfit.c - the library, one translation unit: cc -c -Ilib/include -Ilib/src lib/src/ecfit.c
 * A backend in assembly has a second object: lib/src/ecfit_asm.S.
 *
 * Which files make it up is written in ecfit_config.h:
 * a slot is an include whose file the configuration names, and each curve has a flag.
 * Layers call only to the left: ct <- mp <- field <- group <- mul <- api <- curve.
 */
#include "ecfit.h"
#include "ecfit_config.h"
#include "template.h"
#include "ecfit_config_check.h"
#include "ct.h"

#include "mp/words.h"
#define MP_MAX_LIMBS (ECFIT_MAX_BITS / MP_BITS)
#include "mp/base.inc"
#include "mp/little.inc"
#include ECFIT_MP_MUL
#include "mp/product.inc"
#include ECFIT_MP_PRODUCT
#include "mp/sqr.inc"

#include "field/mod.inc"
#include ECFIT_INVERT
#include "field/op.h"
#include "field/inverse/steps.inc"

#if defined(ECFIT_SHA256_IS_OWN) || defined(ECFIT_SHA256_IS_UNROLLED)
#include "hash/sha256.inc"
#endif
#if defined(ECFIT_SHA512_IS_OWN) || defined(ECFIT_SHA512_IS_SMALL) || defined(ECFIT_SHA512_IS_ROOTS)
#include "hash/sha512.inc"
#endif
#if defined(ECFIT_SHAKE256_IS_OWN)
#include "hash/shake256.inc"
#endif
#include "hash/hmac.inc"

#include "group/points.h"
#include "group/complete_codes.inc"
#include "group/jacobian_room_codes.inc"
#include "group/xz_codes.inc"
#include "group/edwards_codes.inc"
#include "group/jacobian_codes.inc"

#include "group/x_codes.inc"
#include "mul/tables.h"
#include "api/ecdsa/der_integers.inc"

#include ECFIT_STATUS_TEXT

#if ECFIT_CURVE_SHARED_ENABLED
#include "curve/shared.inc"
#endif
#if ECFIT_CURVE_SECP128R1_ENABLED
#include "curve/secp128r1.c"
#endif
#if ECFIT_CURVE_SECP160R1_ENABLED
#include "curve/secp160r1.c"
#endif
#if ECFIT_CURVE_SECP192R1_ENABLED
#include "curve/secp192r1.c"
#endif
#if ECFIT_CURVE_SECP224R1_ENABLED
#include "curve/secp224r1.c"
#endif
#if ECFIT_CURVE_SECP256R1_ENABLED
#include "curve/secp256r1.c"
#endif
#if ECFIT_CURVE_SECP384R1_ENABLED
#include "curve/secp384r1.c"
#endif
#if ECFIT_CURVE_SECP521R1_ENABLED
#include "curve/secp521r1.c"
#endif
#if ECFIT_CURVE_SECP256K1_ENABLED
#include "curve/secp256k1.c"
#endif
#if ECFIT_CURVE_BRAINPOOLP256R1_ENABLED
#include "curve/brainpoolP256r1.c"
#endif
#if ECFIT_CURVE_BRAINPOOLP384R1_ENABLED
#include "curve/brainpoolP384r1.c"
#endif
#if ECFIT_CURVE_BRAINPOOLP512R1_ENABLED
#include "curve/brainpoolP512r1.c"
#endif
#if ECFIT_CURVE_ED25519_ENABLED
#include "curve/ed25519.c"
#endif
#if ECFIT_CURVE_ED448_ENABLED
#include "curve/ed448.c"
#endif
#if ECFIT_CURVE_X25519_ENABLED
#include "curve/x25519.c"
#endif
#if ECFIT_CURVE_X448_ENABLED
#include "curve/x448.c"
#endif
