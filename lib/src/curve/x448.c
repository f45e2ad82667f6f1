/* curve/x448.c - X448 on Curve448 (RFC 7748): v^2 = u^3 + 156326 u^2 + u, cofactor 4 */
#include ECFIT_X448_EDWARDS

#define CURVE x448
#define CURVE_CAPS X448
#include "curve/p448.inc"
#define A24 39081
#define BASE_U 5
#define EDWARDS ed448
#include "curve/montgomery.inc"
