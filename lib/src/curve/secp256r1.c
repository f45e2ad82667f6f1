/* curve/secp256r1.c - NIST P-256 (SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2): y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp256r1
#define BYTES 32
#define LIMBS (256 / MP_BITS)
#include "curve/secp256r1_params.inc"
#include ECFIT_SECP256R1_REDUCE
#include ECFIT_SECP256R1_COORDINATES
#include ECFIT_SECP256R1_MULV
#include ECFIT_SECP256R1_MULG
#include ECFIT_SECP256R1_MULD
#include "api/scalar.inc"
#include ECFIT_SECP256R1_KEYGEN
#include ECFIT_SECP256R1_ECDH
#include ECFIT_SECP256R1_NONCE
#include ECFIT_SECP256R1_SIGN
#include ECFIT_SECP256R1_VERIFY
#include ECFIT_SECP256R1_COMPRESS
#include "curve/end.inc"
