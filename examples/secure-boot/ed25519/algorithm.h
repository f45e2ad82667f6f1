/* algorithm.h - Ed25519, and SHA-512 for the image too (imgtool sign --sha 512), so that there is
 * one hash in the boot loader. Types: TLV_VALUES of imgtool. */
#ifndef ALGORITHM_H
#define ALGORITHM_H

#define HASH_TYPE 0x12
#define HASH_SIZE 64
#define SIGNATURE_TYPE 0x24
#define SIGNATURE_MIN 64
#define SIGNATURE_MAX 64

#endif
