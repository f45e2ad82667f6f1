/* sign_es384.c - ecfit_msg.h: ES384 on secp384r1 */
#define SIGNER ecfit_msg_es384
#define NAME "ES384"
#define NUMBER (-35)
#define SIZE 96
#define SIGN ecfit_secp384r1_ecdsa_sign
#define HASH ecfit_sha384
#define HASH_SIZE 48
#include "sign_ecdsa.inc"
