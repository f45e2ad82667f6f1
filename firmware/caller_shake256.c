/* caller_shake256.c - the caller's own SHAKE256, where the library's configuration leaves it
 * to him (SHAKE256=caller): glue, not counted */
#include "ecfit.h"

#include "ct.h"
#include "template.h"
#include "hash/shake256.inc"
