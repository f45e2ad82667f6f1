/* curve/weierstrass.h - a curve with an instance of its own, or in the shared one
 * Included with CURVE, CURVE_CAPS, CURVE_HASH and the parameters of the curve. */
#include ECFIT_SLOT(INSTANCE)
#include ECFIT_CAT(ECFIT_MESSAGE, CURVE_HASH)
#include "curve/end.inc"
