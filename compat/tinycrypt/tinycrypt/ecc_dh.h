/* tinycrypt/ecc_dh.h - key pairs and ECDH: uECC_make_key, uECC_shared_secret */
#ifndef ECFIT_COMPAT_TINYCRYPT_ECC_DH_H
#define ECFIT_COMPAT_TINYCRYPT_ECC_DH_H

#include "tinycrypt/ecc.h"

#define tc_uECC_make_key uECC_make_key
#define tc_uECC_shared_secret uECC_shared_secret

#endif
