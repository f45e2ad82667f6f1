/* curve/ed25519.c - Ed25519 on edwards25519 (RFC 8032, 5.1; FIPS 186-5, 7):
 * -x^2 + y^2 = 1 + d x^2 y^2, cofactor 8 */
#define CURVE ed25519
#define CURVE_CAPS ED25519
#include "curve/params/ed25519.inc"
#include "curve/edwards.inc"
