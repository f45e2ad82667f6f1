/* curve/x25519.c - X25519 on Curve25519 (RFC 7748): v^2 = u^3 + 486662 u^2 + u, cofactor 8 */
#if defined(ECFIT_X25519_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_ED25519_ENABLED
/* the Edwards curve, by which it makes public keys, under the names that it has with Ed25519 */
#define CURVE ed25519
#define CURVE_CAPS X25519
#define CURVE_IS_BASE 1
#include "curve/params/ed25519.inc"
#include "curve/edwards.inc"
#endif

#define CURVE x25519
#define CURVE_CAPS X25519
#define CURVE_IS_25519 1
#include "curve/rfc7748.h"
#include "curve/montgomery.h"
