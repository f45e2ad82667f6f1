/* curve/secp160r1.c - secp160r1 (SEC 2 v1, 2.4.2), legacy; its order has 161 bits,
 * so a scalar takes 21 bytes: y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp160r1
#define CURVE_CAPS SECP160R1
#define CURVE_HASH sha256
#include "curve/params/secp160r1.inc"
#include "curve/weierstrass.h"
