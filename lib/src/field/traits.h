/* field/traits.h - what a field tells the layers above: each trait with its values and meaning
 *
 * Included behind the file of a field, which defines at most one FIELD_IS_.. of its own:
 *   FIELD_IS_FUSED         field/fused.inc: formulas in assembly, on products that reduce at once
 *   FIELD_IS_STRAIGHT      beside it: the step of MULV=ladder_coz, too
 *   FIELD_IS_FUSED_SUMS    beside it: sums and differences as functions, too
 *   FIELD_IS_SQUARED       field/montgomery/mont.inc: squares that are no products, in assembly
 *   FIELD_IS_BOTH          field/armv6m/secp256r1_both.inc: one function for products and squares
 *   FIELD_IS_ROWS          field/armv6m/secp256r1_rows.inc: products in loops
 *   FIELD_IS_P25519_FUSED  field/pmers/p25519_fused.inc: formulas of an Edwards curve in assembly
 *   FIELD_IS_P25519_THUMB  field/armv6m/p25519.inc: an interpreter in assembly
 *   FIELD_IS_P25519_ROWS   field/pmers/p25519_rows.inc: the same in loops; field/fe.inc asks
 *   FIELD_IS_P448_STRAIGHT field/pmers/p448_straight.inc: sums and an interpreter in assembly
 *   FIELD_IS_P448_SUMS     field/w64/p448.inc: sums and differences without loops
 * CURVE_IS_.. is the curve: curve/params/, and CURVE_IS_EDWARDS of curve/edwards.inc.
 * curve/end.inc undefines them all.
 */

/* File with the additions and doublings in Jacobian coordinates: in assembly, in C on points that
 * have room for scratch registers, or in C with the functions of the field */
#if defined(FIELD_IS_FUSED) && \
    !(defined(ECFIT_SQUARE_IS_AS_MUL) && \
      (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)))
#define FORMULAS "group/jacobian_fused.inc"
#elif defined(FIELD_IS_BOTH)
#define FORMULAS "group/jacobian_room.inc"
#else
#define FORMULAS "group/jacobian_plain.inc"
#endif

/* the functions of fused formulas */
#if defined(FIELD_IS_FUSED) && defined(ECFIT_BACKEND_IS_ARMV7EM) && \
    defined(ECFIT_SQUARE_IS_AS_MUL) && !defined(CURVE_IS_SECP256K1)
#define FUSED_POINT(name) FUSED(name##_as_mul)
#else
#define FUSED_POINT(name) FUSED(name)
#endif

/* formulas on public data: by long products, which take other times for other operands, or the
 * same as for secrets */
#if defined(FIELD_IS_FUSED) && defined(ECFIT_BACKEND_IS_ARMV7M) && \
    defined(ECFIT_PRODUCT_VAR_IS_LONG) && \
    (defined(CURVE_IS_SECP256R1) || defined(CURVE_IS_SECP256K1))
#define FORMULAS_VAR "group/jacobian_var_long.inc"
#else
#define FORMULAS_VAR "group/jacobian_var_same.inc"
#endif

/* those on Edwards curves */
#if defined(FIELD_IS_P25519_THUMB) && defined(ECFIT_BACKEND_IS_ARMV7M) && \
    defined(ECFIT_PRODUCT_VAR_IS_LONG)
#define EDWARDS_VAR "group/edwards_var_long.inc"
#else
#define EDWARDS_VAR "group/edwards_var_same.inc"
#endif

/* the interpreter of formulas, N(pt_run) */
#if defined(FIELD_IS_BOTH) || defined(CURVE_IS_LEAST)
#define FORMULA_RUN "group/run_assembly.inc"
#elif defined(FIELD_IS_ROWS)
#define FORMULA_RUN "group/run_assembly.inc"
#else
#define FORMULA_RUN "group/run_plain.inc"
#endif

/* what F(fe_run) takes for a formula: a number, or its table */
#if defined(FIELD_IS_P25519_FUSED)
#define FORMULA_OF(name) ECFIT_CAT(FORMULA, name)
#else
#define FORMULA_OF(name) name
#endif

/* coordinates of a point, and scratch registers of formulas */
#if defined(FIELD_IS_BOTH)
#define POINT_REGISTERS 10
#else
#define POINT_REGISTERS 3
#endif

/* an entry of a table of points */
#if defined(FIELD_IS_BOTH)
#define POINT_LOOK_UP ecfit_mp_lookup_words
#elif defined(FIELD_IS_FUSED) && defined(CURVE_IS_SECP256K1) && \
    defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_SECP256K1_TABLE_IS_AFFINE)
#define POINT_LOOK_UP ecfit_mp_lookup_16
#else
#define POINT_LOOK_UP mp_lookup
#endif

/* the end of a ladder: inversion has p in memory, or nothing else needs it */
#if defined(ECFIT_INVERT_IS_DIVSTEPS)
#define FE_LAST fe_out
#else
#define FE_LAST fe_lower
#endif

/* inverses modulo p or n: by a function of the curve's, which has the field's products, or as for
 * every modulus */
#if defined(ECFIT_INVERT_IS_WINDOWS) || (defined(FIELD_IS_BOTH) && defined(ECFIT_INVERT_IS_FERMAT))
#define SC_INV(r, a, m) N(mod_inv_either)(CTX_ r, a, m)
#else
#define SC_INV(r, a, m) mod_inv(r, a, m)
#endif

/* products, sums and differences modulo n. The fast functions are not worth 0.5 to 1.5 kB where
 * the field does without them, and an operation has few modulo n. */
#if defined(CURVE_IS_EDWARDS) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define SC_MUL mod_mul_rows /* in C, beside products by rows */
#define SC_ADD mod_add
#define SC_SUB mod_sub
#elif defined(CURVE_IS_EDWARDS) && \
    (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M) || \
     (defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_SQUARE_IS_AS_MUL)))
#define SC_MUL mod_mul
#define SC_ADD mod_add
#define SC_SUB mod_sub
#elif defined(FIELD_IS_FUSED) && defined(ECFIT_BACKEND_IS_ARMV7EM)
#define SC_MUL mod_mul
#define SC_ADD mod_add
#define SC_SUB mod_sub_fast
#elif defined(FIELD_IS_FUSED_SUMS)
#define SC_MUL mod_mul
#define SC_ADD mod_add
#define SC_SUB mod_sub
#elif defined(FIELD_IS_FUSED) && defined(CURVE_IS_SECP384R1)
#define SC_MUL mod_mul_fast
#define SC_ADD mod_add
#define SC_SUB mod_sub
#elif defined(FIELD_IS_BOTH) && defined(ECFIT_SQUARE_IS_OWN)
#define SC_MUL mod_mul
#define SC_ADD N(mod_n_add)
#define SC_SUB N(mod_n_sub)
#elif defined(FIELD_IS_BOTH)
#define SC_MUL N(mod_n_mul)
#define SC_ADD N(mod_n_add)
#define SC_SUB N(mod_n_sub)
#else
#define SC_MUL mod_mul_fast
#define SC_ADD mod_add_fast
#define SC_SUB mod_sub_fast
#endif
