/* template.h - names of a template instance: N(fe_mul) is secp256r1_fe_mul while CURVE is secp256r1 */
#ifndef ECFIT_TEMPLATE_H
#define ECFIT_TEMPLATE_H

#define ECFIT_CAT_(a, b) a##_##b
#define ECFIT_CAT(a, b) ECFIT_CAT_(a, b)
#define N(name) ECFIT_CAT(CURVE, name)
#define ECFIT_API(name) ECFIT_CAT(ecfit, N(name))

/* The file of a comb table: "curve/secp256r1_comb_t4_v1.inc". */
#define ECFIT_STRING(x) #x
/* A space would become part of the name. */
/* clang-format off */
#define ECFIT_COMB_FILE_(curve_, t, v) ECFIT_STRING(curve/curve_##_comb_t##t##_v##v.inc)
/* clang-format on */
#define ECFIT_COMB_FILE(curve_, t, v) ECFIT_COMB_FILE_(curve_, t, v)

#endif
