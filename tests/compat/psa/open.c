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

#if defined(ECFIT_PSA_ITS)
#include "psa_storage.c"
#endif

#if defined(TEST_ITS) /* the storage is a function of the test, called with what is asked of it */
static psa_status_t (*storage)(char asked, uint64_t uid, size_t size, void *data, size_t *length);

void choose_storage(psa_status_t (*chosen)(char, uint64_t, size_t, void *, size_t *))
{
    storage = chosen;
}

psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags)
{
    uint8_t copy[256];
    memcpy(copy, p_data, data_length);
    return create_flags == 0 ? storage('s', uid, data_length, copy, NULL) : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                         size_t *p_data_length)
{
    return data_offset == 0 ? storage('g', uid, data_size, p_data, p_data_length)
                            : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    return storage('i', uid, 0, NULL, &p_info->size);
}

psa_status_t psa_its_remove(psa_storage_uid_t uid)
{
    return storage('r', uid, 0, NULL, NULL);
}
#endif

/* As after a reset. */
void forget(void)
{
    ecfit_psa_clear(slots, sizeof slots);
#if defined(ECFIT_PSA_ITS)
    ecfit_psa_clear(&loaded, sizeof loaded);
#endif
    is_ready = 0;
}

/* How many bytes of the slots are not zero. */
size_t bytes_in_use(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof slots; i++)
        count += ((const uint8_t *)slots)[i] != 0;
#if defined(ECFIT_PSA_ITS)
    for (size_t i = 0; i < sizeof loaded; i++)
        count += ((const uint8_t *)&loaded)[i] != 0;
#endif
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
