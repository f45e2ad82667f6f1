/* Random bytes, as the schemes of mupq/pqm4 ask for them (sponge.c). */
#ifndef RANDOMBYTES_H
#define RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *out, size_t size);

#endif
