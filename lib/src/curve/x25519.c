/* curve/x25519.c - X25519 on Curve25519 (RFC 7748): v^2 = u^3 + 486662 u^2 + u, cofactor 8 */
#define CURVE x25519
#define CURVE_CAPS X25519
#define PRIME p25519
#define PRIME_INVERT P25519_INVERT
#define FIELD_BITS 255
#define LIMBS (256 / MP_BITS)
#define TOP_MASK (MP_ALL >> 1)
#define COFACTOR 8
#define A24 121665
#include "curve/montgomery.inc"
