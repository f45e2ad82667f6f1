/* curve/secp192r1.c - NIST P-192 (FIPS 186-4, D.1.2.1; SEC 2 v2, 2.2.2), legacy:
 * y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp192r1
#define CURVE_CAPS SECP192R1
#define CURVE_HASH sha256
#include "curve/params/secp192r1.inc"
#include "curve/weierstrass.h"
