/* sensor_no_recovery.c - see sensor_recovery.h: a curve without message recovery */
#include "sensor_recovery.h"

const int sensor_recovers = 0;

ecfit_msg_status sensor_recovery_sign(uint8_t *out, size_t capacity, size_t *size,
                                      const uint8_t *private_key, size_t private_key_size,
                                      const uint8_t *random, size_t random_size,
                                      const ecfit_msg_member *members, size_t count)
{
    (void)out;
    (void)capacity;
    (void)private_key;
    (void)private_key_size;
    (void)random;
    (void)random_size;
    (void)members;
    (void)count;
    *size = 0;
    return ECFIT_MSG_NOT_SIGNED;
}
