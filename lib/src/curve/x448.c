/* curve/x448.c - X448 on Curve448 (RFC 7748): v^2 = u^3 + 156326 u^2 + u, cofactor 4 */
#if defined(ECFIT_X448_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_ED448_ENABLED
#include "curve/edwards448.inc" /* by which it makes public keys */
#endif

#define CURVE x448
#define CURVE_CAPS X448
#include "curve/p448.inc"
#define A24 39081
#define BASE_U 5
#define EDWARDS ed448
#include "curve/montgomery.inc"
