/* curve/rfc7748.h - Curve25519 and Curve448 (RFC 7748), with Ed25519 and Ed448 (RFC 8032)
 *
 * PRIME_INVERT and PRIME_ROOT are exponents for F(fe_pow): another low byte of p, and the first bit
 * of it that counts. PRIME_ONES and PRIME_TAIL are the bits of p from the top, in numbers: see
 * field/inverse/power_chain.inc. HASH_SUM and DOM are the hash of Ed25519 and Ed448 and what it
 * begins with; PURE_DOM, what it begins with for a message without context, in PURE_PIECES.
 * HASH_STATE, HASH_FIRST, HASH_NEXT and HASH_END are the same hash of a message in parts.
 */
#if defined(CURVE_IS_25519)
#define PRIME p25519
#define FIELD_BITS 255
#define LIMBS (256 / MP_BITS)
#define TOP_MASK (MP_ALL >> 1)
#define PRIME_INVERT 0xeb, 0 /* a^(p - 2) is the inverse */
#define PRIME_ROOT 0xed, 3   /* a^((p - 5)/8) is the power that square roots need */
#define PRIME_ONES 250       /* so many ones, and these below: */
#define PRIME_TAIL 5
#define COFACTOR 8
#define A24 121665
#define BASE_U 9
#define EDWARDS ed25519
#define HASH_BYTES 64
#define HASH_SUM ecfit_sha512
#define DOM "SigEd25519 no Ed25519 collisions"
#define PURE_DOM(pieces, flags) N(sc_no_dom)(pieces, flags)
#define PURE_PIECES 0
#define HASH_STATE ecfit_sha512_context
#define HASH_FIRST(state) sha512_first_part(state, SHA512_FIRST)
#define HASH_NEXT sha512_next
#define HASH_END(digest, state) sha512_end(digest, HASH_BYTES, state)
#else
#define PRIME p448
#define FIELD_BITS 448
#define LIMBS (448 / MP_BITS)
#define TOP_MASK MP_ALL
#define PRIME_INVERT 0xfd, 0 /* a^(p - 2) is the inverse */
#define PRIME_ROOT 0xff, 2   /* a^((p - 3)/4) is the power that square roots need */
#define PRIME_ONES 222       /* so many ones, a one, a zero, as many ones again, and these below: */
#define PRIME_TAIL 2
#define COFACTOR 4
#define A24 39081
#define MINUS_D 39081
#define BASE_U 5
#define EDWARDS ed448
#define HASH_BYTES 114
#define HASH_SUM(digest, pieces, count) ecfit_shake256(digest, HASH_BYTES, pieces, count)
#define DOM "SigEd448"
#define PURE_DOM(pieces, flags) N(sc_dom)(pieces, flags, 0, NULL, 0)
#define PURE_PIECES 3
#define HASH_STATE shake256_state
#define HASH_FIRST(state) shake256_first(state)
#define HASH_NEXT shake256_next
#define HASH_END(digest, state) shake256_end(digest, HASH_BYTES, state)
#endif
