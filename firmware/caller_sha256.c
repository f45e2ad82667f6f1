/* caller_sha256.c - the caller's own SHA-256, where the library's configuration leaves it
 * to him (SHA256=caller): glue, not counted */
#include "ecfit.h"

#include "ct.h"
#include "template.h"
#include "hash/sha256.inc"
