/* tinycrypt/constants.h - what functions of TinyCrypt return */
#ifndef ECFIT_COMPAT_TINYCRYPT_CONSTANTS_H
#define ECFIT_COMPAT_TINYCRYPT_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>

#define TC_CRYPTO_SUCCESS 1
#define TC_CRYPTO_FAIL 0

#endif
