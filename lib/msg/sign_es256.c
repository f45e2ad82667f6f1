/* sign_es256.c - ecfit_msg.h: ES256 on secp256r1 */
#define SIGNER ecfit_msg_es256
#define NAME "ES256"
#define NUMBER (-7)
#define SIZE 64
#define SIGN ecfit_secp256r1_ecdsa_sign
#define HASH ecfit_sha256
#define HASH_SIZE 32
#include "sign_ecdsa.inc"
