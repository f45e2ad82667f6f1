/* caller_sha512.c - stands for a caller's own SHA-2 where the configuration leaves it to him:
 * a unit of its own */
#include "ecfit.h"

#include "ct.h"
#include "template.h"
#define ECFIT_SHA512_IS_OWN 1
#define ECFIT_SHA512_BLOCK "hash/sha512_rounds.inc"
#include "hash/sha512.inc"
