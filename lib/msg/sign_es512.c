/* sign_es512.c - ecfit_msg.h: ES512 on secp521r1 */
#define SIGNER ecfit_msg_es512
#define NAME "ES512"
#define NUMBER (-36)
#define SIZE 132
#define SIGN ecfit_secp521r1_ecdsa_sign
#define HASH ecfit_sha512
#define HASH_SIZE 64
#include "sign_ecdsa.inc"
