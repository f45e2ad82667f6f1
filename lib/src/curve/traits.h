/* curve/traits.h - what the templates of a curve are told: each trait with its values and meaning
 *
 * Included by the file that makes an instance, which says of which kind it is:
 *   CURVE_IS_SHARED      curve/shared.inc: one instance for several curves, by a descriptor `ec`
 *   CURVE_IS_EDWARDS     curve/edwards.inc: an Edwards curve
 *   CURVE_IS_MONTGOMERY  curve/montgomery.h: a Montgomery curve
 *   CURVE_IS_LOW_S       curve/secp256k1.c: signatures with s at most n/2, by convention
 * Without a flag it is a short Weierstrass curve with an instance of its own, which knows
 * everything about its curve at compile time. curve/end.inc undefines all of these.
 */

/* the context: parameter of each function and argument of each call; .._LAST for functions of the
 * layer api, where it stands last; SIZED, an array whose size a context does not tell a compiler */
#if defined(CURVE_IS_SHARED)
#define CTX ECFIT_UNUSED const curve *ec,
#define CTX_ ec,
#define CTX_LAST , const curve *ec
#define CTX_LAST_ , ec
#define SIZED(bytes) []
#define API_LINKAGE ECFIT_NOINLINE
#define API(verb) N(verb)
#else
#define CTX
#define CTX_
#define CTX_LAST
#define CTX_LAST_
#define SIZED(bytes) [bytes]
#define API_LINKAGE
#define API(verb) ECFIT_CAT(ecfit, N(verb))
#endif

/* sizes: words and bytes of an element and a scalar, and of the longest of the instance;
 * ORDER_SPARE, unused bits of the leading byte of a scalar */
#if defined(CURVE_IS_SHARED)
#define LIMBS (ec->p.limbs)
#define LIMBS_MAX MP_MAX_LIMBS
#define FIELD_BYTES ((size_t)ec->field_bytes)
#define FIELD_BYTES_MAX (MP_MAX_LIMBS * MP_BITS / 8)
#define ORDER_BYTES ((size_t)ec->order_bytes)
#define ORDER_BYTES_MAX (MP_MAX_LIMBS * MP_BITS / 8)
#define ORDER_SPARE ec->order_spare
#define ORDER_BITS (ec->order_bytes * 8u - ec->order_spare)
#define BLIND_BITS (LIMBS * MP_BITS / 2 + 8) /* enough for each of the curves */
#define BLIND_BITS_MAX (MP_MAX_LIMBS * MP_BITS / 2 + 8)
#else
#define LIMBS_MAX LIMBS
#define FIELD_BYTES ((FIELD_BITS + 7) / 8)
#define FIELD_BYTES_MAX FIELD_BYTES
#define ORDER_BYTES ((ORDER_BITS + 7) / 8)
#define ORDER_BYTES_MAX ORDER_BYTES
#define ORDER_SPARE (ORDER_BYTES * 8 - ORDER_BITS)
#define BLIND_BITS_MAX BLIND_BITS
#endif
#define ELEMENT_MAX (LIMBS_MAX * sizeof(mp_word))

/* numbers of the curve, its hash, and the formulas that depend on the coefficient a */
#if defined(CURVE_IS_SHARED)
#define P_MOD (&ec->p)
#define N_MOD (&ec->n)
#define P_ROOT_BITS ec->root_bits
#define P_ROOT ec->root
#define IN_X ec->in_x
#define IN_Y ec->in_y
#define OUT_X ec->out_x
#define OUT_Y ec->out_y
#define COEFFICIENT_B ec->b
#define BASE_POINT ec->g
#define HASH ec->hash
#define ADD_CODE ec->add
#define RHS_CODE ec->rhs
#else
#define P_MOD (&N(mod_p))
#define N_MOD (&N(mod_n))
#define COEFFICIENT_B N(b)
#define BASE_POINT N(g)
#define HASH (&ECFIT_CAT(hash, CURVE_HASH))
#define ADD_CODE ECFIT_CAT(complete_add, CURVE_A)
#define RHS_CODE ECFIT_CAT(complete_rhs, CURVE_A)
#define DOUBLE_CODE ECFIT_CAT(jacobian_double, CURVE_A)
#define CURVE_CODE ECFIT_CAT(jacobian_in, CURVE_A)
#define X_STEP_CODE ECFIT_CAT(x_step, CURVE_A)
#define X_RECOVER_CODE ECFIT_CAT(x_recover, CURVE_A)
#define LADDER_START_CODE ECFIT_CAT(ladder_start, CURVE_A)
#define LADDER_END_CODE ECFIT_CAT(ladder_end, CURVE_A)
#define SLOPE_FILE ECFIT_SLOPE_FILE(CURVE_A)
#endif

/* fields of a special prime: names of their functions; room for one bit more than an element has;
 * a formula of group/edwards_codes.inc on registers */
#define F(name) ECFIT_CAT(FIELD, name)
#define ENCODED_BYTES (FIELD_BITS / 8 + 1)
#define FE_RUN(reg, name) F(fe_run)(reg, FORMULA_OF(ECFIT_CAT(name, CURVE_A)))

/* tables of multiples, in flash or on the stack */
#define WINDOW ECFIT_SLOT(WINDOW)         /* stack: 2^(w-1) points */
#define WNAF_A ECFIT_SLOT(WNAF_A)         /* stack: 2^(w-2) points */
#define WNAF_G ECFIT_SLOT(WNAF_G)         /* flash: 2^(w-2) points */
#define COMB_TEETH ECFIT_SLOT(COMB_TEETH) /* flash: 2^(t-1) * blocks points */
#define COMB_BLOCKS ECFIT_SLOT(COMB_BLOCKS)
#define COMB_TABLE N(comb)
#define COMB_FILE ECFIT_COMB_FILE(CURVE, COMB_TEETH, COMB_BLOCKS)
#define ODD_FILE ECFIT_ODD_FILE(CURVE, WNAF_G)
#if defined(CURVE_IS_EDWARDS) /* any scalar of ORDER_BITS + 1 bits */
#define COMB_COLUMNS ((ORDER_BITS + COMB_TEETH * COMB_BLOCKS) / (COMB_TEETH * COMB_BLOCKS))
#else
#define COMB_COLUMNS ((ORDER_BITS + COMB_TEETH * COMB_BLOCKS - 1) / (COMB_TEETH * COMB_BLOCKS))
#endif

/* the stack that is cleared: bytes of an HMAC, perhaps more than a multiplication, and what SHA-512
 * adds to those of ECDSA; field elements, at most, beside those of a multiplication */
#if defined(CURVE_IS_EDWARDS)
#define WIPE_HASHES (576 + HASH_ROOM)
#define WIPE_OTHERS 16
#elif defined(CURVE_IS_MONTGOMERY)
#define WIPE_HASHES 0
#define WIPE_OTHERS 3
#elif defined(CURVE_IS_SHARED)
#define WIPE_HASHES (576 + HASH_ROOM)
#define WIPE_OTHERS (11 + WIPE_LONGEST + INVERSE_ELEMENTS)
#else
#define WIPE_HASHES (576 + HASH_ROOM)
#define WIPE_OTHERS (11 + WIPE_LONGEST + INVERSE_ELEMENTS + 5 * (POINT_REGISTERS - 3) / 2)
#endif
#if defined(CURVE_IS_EDWARDS) || defined(CURVE_IS_MONTGOMERY)
#define WIPE_SLIDE 0
#else
#define WIPE_SLIDE (ELEMENT_MAX > 32 ? HASH_SLIDE : 0)
#endif
#define WIPE_LONGEST (ELEMENT_MAX > 64 ? 2 + MASK_ELEMENTS / 4 : 0) /* clang -O2, Cortex-M0+ */
