/* curve/secp256k1.c - secp256k1 (SP 800-186, 3.2.2; SEC 2 v2, 2.4.1): y^2 = x^3 + 7, cofactor 1 */
#define CURVE secp256k1
#define CURVE_CAPS SECP256K1
#define CURVE_HASH sha256
#define CURVE_IS_LOW_S 1
#include "curve/params/secp256k1.inc"
#include "curve/weierstrass.h"
