/* tinycrypt/ecc_dsa.h - ECDSA: uECC_sign, uECC_verify */
#ifndef ECFIT_COMPAT_TINYCRYPT_ECC_DSA_H
#define ECFIT_COMPAT_TINYCRYPT_ECC_DSA_H

#include "tinycrypt/ecc.h"

#define tc_uECC_sign uECC_sign
#define tc_uECC_verify uECC_verify

#endif
