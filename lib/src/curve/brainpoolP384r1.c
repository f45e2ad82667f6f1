/* curve/brainpoolP384r1.c - brainpoolP384r1 (RFC 5639, 3.6), computed on its twist with a = -3:
 * y^2 = x^3 + ax + b, cofactor 1 */
#define CURVE brainpoolP384r1
#define CURVE_CAPS BRAINPOOLP384R1
#define CURVE_HASH sha384
#include "curve/params/brainpoolP384r1.inc"
#include "curve/weierstrass.h"
