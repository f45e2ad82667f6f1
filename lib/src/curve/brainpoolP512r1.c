/* curve/brainpoolP512r1.c - brainpoolP512r1 (RFC 5639, 3.7), computed on its twist with a = -3:
 * y^2 = x^3 + ax + b, cofactor 1 */
#define CURVE brainpoolP512r1
#define CURVE_CAPS BRAINPOOLP512R1
#define CURVE_HASH sha512
#include "curve/params/brainpoolP512r1.inc"
#include "curve/weierstrass.h"
