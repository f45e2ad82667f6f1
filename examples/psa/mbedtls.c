/* mbedtls.c - what Mbed TLS wants of a board: its random generator, and a heap */
#include "board.h"
#include "psa/crypto.h"

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t size, size_t *length)
{
    *length = size;
    return board_random(context, output, size) == 0 ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_ENTROPY;
}

#if !defined(__unix__)
/* For malloc() of newlib: memory behind the program's data. */
void *_sbrk(int more)
{
    extern uint8_t bss_end[];
    static size_t used;
    uint8_t *at = bss_end + used;
    used += (size_t)more;
    return at;
}
#endif
