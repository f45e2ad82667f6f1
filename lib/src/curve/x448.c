/* curve/x448.c - X448 on Curve448 (RFC 7748): v^2 = u^3 + 156326 u^2 + u, cofactor 4 */
#define CURVE x448
#define CURVE_CAPS X448
#include "curve/p448.inc"
#define A24 39081
#define BASE_U 5
#include "curve/montgomery.inc"
