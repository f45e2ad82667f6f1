/* open_prime.c - the fields of Curve25519 and Curve448 in reach of a test,
 * for each way of reduction */
#include <string.h>

#include "ecfit.c"

#define F(name) ECFIT_CAT(FIELD, name)

#define CURVE_IS_25519 1
#include "curve/rfc7748.h"
#include ECFIT_X25519_FIELD
#include "open_prime.inc"
#undef FIELD
#include "field/pmers/p25519_mont.inc"
#include "open_prime.inc"
#undef FIELD
#include "curve/end.inc"

#define F(name) ECFIT_CAT(FIELD, name)

#include "curve/rfc7748.h"
#include ECFIT_X448_FIELD
#include "open_prime.inc"
#undef FIELD
#undef FIELD_IS_P448_SUMS
#include "field/pmers/p448_mont.inc"
#include "open_prime.inc"
#include "curve/end.inc"

size_t open_prime_word_bytes(void)
{
    return sizeof(mp_word);
}
