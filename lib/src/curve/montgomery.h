/* curve/montgomery.h - all layers of a Montgomery curve, in their order
 * Included with CURVE, CURVE_CAPS, PRIME and the parameters of the curve. */
#define CURVE_IS_MONTGOMERY 1
#include "curve/traits.h"

#include ECFIT_SLOT(FIELD)
#include "field/traits.h"
#include ECFIT_SLOT(LADDER)
#include ECFIT_SLOT(MULG_X)
#include "api/exchange/x.inc"
#include ECFIT_SLOT(WIPE)
#include ECFIT_SLOT(ECDH_X)
#include ECFIT_SLOT(KEYGEN_X)
#include "curve/end.inc"
