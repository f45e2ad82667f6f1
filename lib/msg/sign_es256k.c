/* sign_es256k.c - ecfit_msg.h: ES256K on secp256k1 */
#define SIGNER ecfit_msg_es256k
#define NAME "ES256K"
#define NUMBER (-47)
#define SIZE 64
#define SIGN ecfit_secp256k1_ecdsa_sign
#define HASH ecfit_sha256
#define HASH_SIZE 32
#include "sign_ecdsa.inc"
