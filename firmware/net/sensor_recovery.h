/* sensor_recovery.h - the reading as a signature with message recovery, on the curves that have one
 *
 * sensor_recovery.c has it, sensor_no_recovery.c stands in its place on the other curves. */
#ifndef SENSOR_RECOVERY_H
#define SENSOR_RECOVERY_H

#include "ecfit_msg.h"

extern const int sensor_recovers;

/* The members as CBOR, signed. `random`: what no other boot has, as far as there is such a thing.
 * Without it a nonce is still one of its own for each message and key.
 * CT: private_key, random */
ecfit_msg_status sensor_recovery_sign(uint8_t *out, size_t capacity, size_t *size,
                                      const uint8_t *private_key, size_t private_key_size,
                                      const uint8_t *random, size_t random_size,
                                      const ecfit_msg_member *members, size_t count);

#endif
