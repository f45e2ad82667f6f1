/* sign_es192.c - ecfit_msg.h: ES192 on secp192r1 */
#define SIGNER ecfit_msg_es192
#define NAME "ES192"
#define NUMBER (-65537)
#define SIZE 48
#define SIGN ecfit_secp192r1_ecdsa_sign
#define HASH ecfit_sha256
#define HASH_SIZE 32
#include "sign_ecdsa.inc"
