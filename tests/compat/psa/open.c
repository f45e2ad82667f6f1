/* open.c - psa_crypto.c with what a test wants to see of it, and a generator that a test chooses */
#include "psa_crypto.c"

static int (*generator)(void *context, uint8_t *out, size_t size);

void choose_generator(int (*chosen)(void *context, uint8_t *out, size_t size))
{
    generator = chosen;
}

int ecfit_psa_random(void *context, uint8_t *out, size_t size)
{
    return generator == NULL ? 1 : generator(context, out, size);
}

/* As after a reset. */
void forget(void)
{
    ecfit_psa_clear(slots, sizeof slots);
    is_ready = 0;
}

/* How many bytes of the slots are not zero. */
size_t bytes_in_use(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof slots; i++)
        count += ((const uint8_t *)slots)[i] != 0;
    return count;
}

size_t operation_bytes(void)
{
    return sizeof(psa_hash_operation_t);
}

/* As if so many keys had been made. */
void set_last_id(psa_key_id_t id)
{
    last_id = id;
}
