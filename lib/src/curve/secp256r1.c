/* curve/secp256r1.c - NIST P-256 (SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2):
 * y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp256r1
#define CURVE_CAPS SECP256R1
#define CURVE_HASH sha256
#include "curve/params/secp256r1.inc"
#include ECFIT_SECP256R1_LEAST
#include "curve/weierstrass.h"
