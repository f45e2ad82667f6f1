/* curve/secp224r1.c - NIST P-224 (SP 800-186, 3.2.1.2; SEC 2 v2, 2.3.2):
 * y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp224r1
#define CURVE_CAPS SECP224R1
#define CURVE_HASH sha256
#include "curve/params/secp224r1.inc"
#include "curve/weierstrass.h"
