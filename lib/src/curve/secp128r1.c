/* curve/secp128r1.c - secp128r1 (SEC 2 v1, 2.2.1), legacy: below 80 bits of security:
 * y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp128r1
#define CURVE_CAPS SECP128R1
#define CURVE_HASH sha256
#include "curve/params/secp128r1.inc"
#include "curve/weierstrass.h"
