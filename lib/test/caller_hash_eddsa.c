/* caller_hash_eddsa.c - stands for a caller's own SHA-512 and SHAKE256
 * where the configuration leaves them to him */
#include "ecfit.h"

#include "ct.h"
#include "template.h"
#define ECFIT_SHA512_IS_OWN 1
#define ECFIT_SHA512_BLOCK "hash/sha512_rounds.inc"
#include "hash/sha512.inc"
#include "hash/shake256.inc"
