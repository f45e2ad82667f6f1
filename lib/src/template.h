/* template.h - names of a template instance: N(fe_mul) is secp256r1_fe_mul while CURVE is secp256r1 */
#ifndef ECFIT_TEMPLATE_H
#define ECFIT_TEMPLATE_H

#define ECFIT_CAT_(a, b) a##_##b
#define ECFIT_CAT(a, b) ECFIT_CAT_(a, b)
#define N(name) ECFIT_CAT(CURVE, name)
#define ECFIT_API(name) ECFIT_CAT(ecfit, N(name))

#endif
