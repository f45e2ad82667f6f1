/* psa_storage.c - records of persistent keys, in the internal trusted storage (ITS) of the caller
 *
 * PSA Secure Storage API 1.0: psa_its_set, _get, _get_info and _remove. The uid of a record is the
 * identifier of its key. Storage keeps records secret and from attackers; the CRC finds what wear
 * or a lost supply does to them. Numbers are in the byte order of the device.
 */
#include "psa/crypto.h"

#if defined(ECFIT_PSA_ITS)

#include <string.h>

#include ECFIT_PSA_ITS
#include "psa_internal.h"

struct record {
    uint32_t format;
    psa_key_attributes_t attributes;
    uint32_t crc; /* of what stands before and behind it */
    uint8_t key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
};

#define FORMAT 0x316b6365u /* "eck1" */
#define HEAD offsetof(struct record, key)
typedef char record_has_no_padding[HEAD == 28 ? 1 : -1];

/* CRC-32 of ISO/IEC 3309 without its final complement, further.   CT: the bytes */
static uint32_t crc_of(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    }
    return crc;
}

static uint32_t sum(const struct record *record, size_t size)
{
    const uint32_t head = crc_of(0xffffffffu, record, offsetof(struct record, crc));
    return crc_of(head, record->key, size);
}

/* A status of the storage as one of a function on keys. */
static psa_status_t from_storage(psa_status_t status)
{
    switch (status) {
    case PSA_SUCCESS:
    case PSA_ERROR_STORAGE_FAILURE:
    case PSA_ERROR_INSUFFICIENT_STORAGE:
    case PSA_ERROR_DATA_CORRUPT:
    case PSA_ERROR_NOT_PERMITTED: return status;
    case PSA_ERROR_DOES_NOT_EXIST: return PSA_ERROR_INVALID_HANDLE;
    default: return PSA_ERROR_STORAGE_FAILURE;
    }
}

psa_status_t ecfit_psa_find_room(psa_key_id_t id)
{
    struct psa_storage_info_t info;
    const psa_status_t status = from_storage(psa_its_get_info(id, &info));
    if (status == PSA_SUCCESS)
        return PSA_ERROR_ALREADY_EXISTS;
    return status == PSA_ERROR_INVALID_HANDLE ? PSA_SUCCESS : status;
}

psa_status_t ecfit_psa_store(const psa_key_attributes_t *attributes, const uint8_t *key,
                             size_t size)
{
    struct record record = {.format = FORMAT, .attributes = *attributes};
    psa_status_t status;
    memcpy(record.key, key, size);
    record.crc = sum(&record, size);
    status = psa_its_set(attributes->id, HEAD + size, &record, 0);
    ecfit_psa_clear(&record, sizeof record);
    if (status != PSA_SUCCESS) /* before, there was no record: half of one shall not stay */
        (void)psa_its_remove(attributes->id);
    status = from_storage(status);
    return status == PSA_ERROR_INVALID_HANDLE ? PSA_ERROR_STORAGE_FAILURE : status;
}

psa_status_t ecfit_psa_load(psa_key_attributes_t *attributes, uint8_t *key, size_t key_size,
                            size_t *size, psa_key_id_t id)
{
    struct record record;
    struct psa_storage_info_t info;
    size_t length = 0;
    uint32_t differ;
    psa_status_t status = from_storage(psa_its_get_info(id, &info));
    if (status != PSA_SUCCESS)
        return status;
    if (info.size <= HEAD)
        return PSA_ERROR_DATA_CORRUPT;
    if (info.size > HEAD + key_size || key_size > sizeof record.key)
        return PSA_ERROR_DATA_INVALID;
    *size = info.size - HEAD;
    status = from_storage(psa_its_get(id, 0, info.size, &record, &length));
    if (status == PSA_SUCCESS && length != info.size)
        status = PSA_ERROR_DATA_CORRUPT;
    if (status == PSA_SUCCESS && record.format != FORMAT)
        status = PSA_ERROR_DATA_INVALID;
    if (status == PSA_SUCCESS) {
        differ = record.crc ^ sum(&record, *size);
        ECFIT_DECLASSIFY(differ); /* what is asked of it is whether it is zero */
        if (differ != 0)
            status = PSA_ERROR_DATA_CORRUPT;
    }
    if (status == PSA_SUCCESS) {
        *attributes = record.attributes;
        memcpy(key, record.key, *size);
    }
    ecfit_psa_clear(&record, sizeof record);
    return status;
}

psa_status_t ecfit_psa_erase(psa_key_id_t id)
{
    return from_storage(psa_its_remove(id));
}

#endif
