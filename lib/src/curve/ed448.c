/* curve/ed448.c - Ed448 on edwards448 (RFC 8032, 5.2; FIPS 186-5, 7):
 * x^2 + y^2 = 1 - 39081 x^2 y^2, cofactor 4 */
#define CURVE ed448
#define CURVE_CAPS ED448
#include "curve/params/ed448.inc"
#include "curve/edwards.inc"
