/* curve/secp384r1.c - NIST P-384 (SP 800-186, 3.2.1.4; SEC 2 v2, 2.5.1):
 * y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp384r1
#define CURVE_CAPS SECP384R1
#define CURVE_HASH sha384
#include "curve/params/secp384r1.inc"
#include "curve/weierstrass.h"
