/* curve/brainpoolP256r1.c - brainpoolP256r1 (RFC 5639, 3.4), computed on its twist with a = -3:
 * y^2 = x^3 + ax + b, cofactor 1 */
#define CURVE brainpoolP256r1
#define CURVE_CAPS BRAINPOOLP256R1
#define CURVE_HASH sha256
#include "curve/params/brainpoolP256r1.inc"
#include "curve/weierstrass.h"
