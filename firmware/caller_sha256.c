/* caller_sha256.c - a SHA-256 of the caller, for configurations in which the library has none
 * (SHA256=caller). It is part of the harness, and its bytes are not counted. */
#include "ecfit.h"

#include "ct.h"
#include "template.h"
#include "hash/sha256.inc"
