/* ecc.c - the interface of micro-ecc of 2013, on uECC.c; NONCE = random, without BLIND */
#include "ecc.h"

#include "uECC.h"

#define SIZE ECC_CURVE
#define JOINED(size) uECC_secp##size##r1()
#define CURVE                                   \
    (SIZE == 16   ? uECC_of_128()               \
     : SIZE == 24 ? uECC_of_192()               \
                  : uECC_of_256())
