/* sensor_recovery.c - see sensor_recovery.h
 *
 * Two signatures with one nonce give the private key away, and a board may repeat its random bytes:
 * after a reset of the emulator alone they are the same. So a nonce is drawn from a hash of
 * these bytes, the private key and the message: another message has another nonce. */
#include "sensor_recovery.h"

#define DIGEST 32

const int sensor_recovers = 1;

struct source {
    ecfit_bytes pieces[4]; /* random bytes, private key, message, number of the block */
    uint8_t number;
};

static int fill(void *context, uint8_t *out, size_t size)
{
    struct source *source = context;
    uint8_t block[DIGEST];
    for (size_t i = 0; i < size; i++) {
        if (i % DIGEST == 0) {
            source->number++;
            ecfit_sha256(block, source->pieces, 4);
        }
        out[i] = block[i % DIGEST];
    }
    return source->number > 250; /* a block has come twice at 256 */
}

ecfit_msg_status sensor_recovery_sign(uint8_t *out, size_t capacity, size_t *size,
                                      const uint8_t *private_key, size_t private_key_size,
                                      const uint8_t *random, size_t random_size,
                                      const ecfit_msg_member *members, size_t count)
{
    uint8_t message[ECFIT_MSG_RECOVERED_MAX];
    size_t length;
    struct source source = {
        {{random, random_size}, {private_key, private_key_size}, {message, 0}, {&source.number, 1}},
        0};
    const ecfit_rng rng = {fill, &source};
    ecfit_msg_status status = ecfit_cbor_write(message, sizeof message, &length, members, count);
    *size = 0;
    if (status != ECFIT_MSG_OK)
        return status;
    source.pieces[2].size = length;
    return ecfit_recovery_sign(out, capacity, size, &SENSOR_RECOVERY, private_key, message, length,
                               NULL, 0, &rng);
}
