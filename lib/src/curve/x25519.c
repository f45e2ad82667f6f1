/* curve/x25519.c - X25519 on Curve25519 (RFC 7748): v^2 = u^3 + 486662 u^2 + u, cofactor 8 */
#if defined(ECFIT_X25519_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_ED25519_ENABLED
#include "curve/edwards25519.inc" /* by which it makes public keys */
#endif

#define CURVE x25519
#define CURVE_CAPS X25519
#include "curve/p25519.inc"
#define A24 121665
#define BASE_U 9
#define EDWARDS ed25519
#include "curve/montgomery.inc"
