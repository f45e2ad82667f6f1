/* caller_sha512.c - the caller's own SHA-384 and SHA-512, where the library's configuration leaves
 * it to him (SHA512=caller): glue, not counted */
#include "ecfit.h"

#include "ct.h"
#include "template.h"
#define ECFIT_SHA512_IS_OWN 1
#define ECFIT_SHA512_BLOCK "hash/sha512_rounds.inc"
#include "hash/sha512.inc"
