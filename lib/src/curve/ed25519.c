/* curve/ed25519.c - Ed25519 on edwards25519 (RFC 8032, 5.1; FIPS 186-5, 7):
 * -x^2 + y^2 = 1 + d x^2 y^2, cofactor 8 */
#define CURVE ed25519
#define CURVE_CAPS ED25519
#include "curve/p25519.inc"
#define CURVE_A minus1
#define HASH_BYTES 64
#define HASH_SUM ecfit_sha512
#define DOM "SigEd25519 no Ed25519 collisions"
#define PURE_DOM(pieces, flags) N(sc_no_dom)(pieces, flags)
#include "curve/params/ed25519.inc"
#include "curve/edwards.inc"
