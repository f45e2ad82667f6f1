/* epoch.c - ecfit_msg.h: a boot epoch of random bits, for a sensor that keeps nothing in flash */
#include "ecfit_msg.h"

ecfit_msg_status ecfit_msg_boot_epoch(ecfit_msg_member *member, const ecfit_rng *rng)
{
    uint8_t bytes[7];
    int64_t epoch = 0;
    if (rng == NULL || rng->fill == NULL || rng->fill(rng->context, bytes, sizeof bytes) != 0) {
        return ECFIT_MSG_NOT_SIGNED;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        epoch = epoch << 8 | bytes[i];
    }
    member->name = ECFIT_MSG_EPOCH_NAME;
    member->label = ECFIT_MSG_EPOCH_LABEL;
    member->value = epoch & ECFIT_MSG_VALUE_MAX; /* 53 bits */
    return ECFIT_MSG_OK;
}
