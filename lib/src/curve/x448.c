/* curve/x448.c - X448 on Curve448 (RFC 7748): v^2 = u^3 + 156326 u^2 + u, cofactor 4 */
#if defined(ECFIT_X448_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_ED448_ENABLED
/* the Edwards curve, by which it makes public keys, under the names that it has with Ed448 */
#define CURVE ed448
#define CURVE_CAPS X448
#define CURVE_IS_BASE 1
#include "curve/params/ed448.inc"
#include "curve/edwards.inc"
#endif

#define CURVE x448
#define CURVE_CAPS X448
#define CURVE_IS_448 1
#include "curve/rfc7748.h"
#include "curve/montgomery.h"
