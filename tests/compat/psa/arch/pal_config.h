/* pal_config.h - what psa-arch-tests are told of compat/psa: the subset that it has */
#ifndef PAL_CONFIG_H
#define PAL_CONFIG_H

#include <stdlib.h>
#include <string.h>

#include "psa/crypto.h"

#define ARCH_TEST_HASH
#define ARCH_TEST_SHA256
#define ARCH_TEST_SHA384
#define ARCH_TEST_SHA512
#define ARCH_TEST_ECC
#define ARCH_TEST_ECC_CURVE_SECP192R1
#define ARCH_TEST_ECC_CURVE_SECP224R1
#define ARCH_TEST_ECC_CURVE_SECP256R1
#define ARCH_TEST_ECC_CURVE_SECP384R1
#define ARCH_TEST_ECDH
#define ARCH_TEST_ECDSA
#define ARCH_TEST_DETERMINISTIC_ECDSA
#define ARCH_TEST_ASYMMETRIC_ENCRYPTION /* their name for "has pairs": nothing is encrypted */
#if defined(WITH_EDDSA)
#define ARCH_TEST_TWISTED_EDWARDS
#endif

/* Of headers of another repository, and of other suites. */
typedef enum { INFO, DBG, TEST, WARN, ERROR, ALWAYS } print_verbosity_t;
#define TEST_STATUS_CODE_MASK 0xff
#define RESULT_SKIP(status) (0x300 | (status))
typedef int32_t psa_handle_t;
typedef struct psa_invec psa_invec;
typedef struct psa_outvec psa_outvec;

#endif
