/* curve/ed448.c - Ed448 on edwards448 (RFC 8032, 5.2; FIPS 186-5, 7):
 * x^2 + y^2 = 1 - 39081 x^2 y^2, cofactor 4 */
#define CURVE ed448
#define CURVE_CAPS ED448
#include "curve/p448.inc"
#define CURVE_A plus1
#define HASH_BYTES 114
#define HASH_SUM(digest, pieces, count) ecfit_shake256(digest, HASH_BYTES, pieces, count)
#define MINUS_D 39081
#define DOM "SigEd448"
#define PURE_DOM(pieces, flags) N(sc_dom)(pieces, flags, 0, NULL, 0)
#include "curve/params/ed448.inc"
#include "curve/edwards.inc"
