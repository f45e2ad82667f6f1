/* curve/secp521r1.c - NIST P-521 (SP 800-186, 3.2.1.5; SEC 2 v2, 2.6.1):
 * y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp521r1
#define CURVE_CAPS SECP521R1
#define CURVE_HASH sha512
#include "curve/params/secp521r1.inc"
#include "curve/weierstrass.h"
