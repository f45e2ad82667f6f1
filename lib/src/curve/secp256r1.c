/* curve/secp256r1.c - NIST P-256 (SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2): y^2 = x^3 - 3x + b, cofactor 1 */
#define CURVE secp256r1
#define BYTES 32
#define ORDER_BITS 256
#define LIMBS (256 / MP_BITS)
#define WINDOW ECFIT_SECP256R1_WINDOW         /* stack: 2^(w-1) points                */
#define WNAF_A ECFIT_SECP256R1_WNAF_A         /* stack: 2^(w-2) points                */
#define COMB_TEETH ECFIT_SECP256R1_COMB_TEETH /* flash: 2^(t-1) * blocks * 64 bytes   */
#define COMB_BLOCKS ECFIT_SECP256R1_COMB_BLOCKS
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
