/* adapter_message.c - operations of bench_op.h that write a message: lib/msg on this library
 *
 *   op       in                             out
 *   plain    private key N || reading 8     the reading as JSON, unsigned
 *   jss      the same                       signed: JSS
 *   cose     the same                       signed: COSE_Sign1, with the names of the JSON
 *   recover  the same                       a signature from which the CBOR array [temperature, id]
 *                                           is recovered
 *
 * A reading is temperature and id, 4 bytes each, the most significant first.
 * The build defines BENCH_SIGNER and BENCH_RECOVERY, objects of ecfit_msg.h. */
#include "adapter_ecfit.h"
#include "ecfit_msg.h"

#define OUT 256 /* bytes that the harness has for it */

static int64_t number(const uint8_t *bytes)
{
    return (int64_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                     bytes[3]);
}

#define READING(in) \
    { \
        {"chip_temp", 0, number((in) + N)}, \
        { \
            "measurement_id", 0, number((in) + N + 4) \
        } \
    }

int bench_plain(uint8_t *out, const uint8_t *in)
{
    const ecfit_msg_member reading[] = READING(in);
    size_t size;
    return (int)ecfit_json_write((char *)out, OUT, &size, reading, 2);
}

int bench_jss(uint8_t *out, const uint8_t *in)
{
    const ecfit_msg_member reading[] = READING(in);
    size_t size;
    return (int)ecfit_jss_sign((char *)out, OUT, &size, &BENCH_SIGNER, in, reading, 2, &rng);
}

int bench_cose(uint8_t *out, const uint8_t *in)
{
    const ecfit_msg_member reading[] = READING(in);
    size_t size;
    return (int)ecfit_cose_sign1(out, OUT, &size, &BENCH_SIGNER, in, reading, 2, &rng);
}

int bench_recover(uint8_t *out, const uint8_t *in)
{
    static const uint8_t shape[] = {0x82, 0x19, 0, 0, 0x18, 0};
    const uint8_t *reading = in + N;
    uint8_t message[sizeof shape];
    size_t size;
    for (size_t i = 0; i < sizeof shape; i++)
        message[i] = shape[i];
    message[2] = reading[2]; /* readings of the bench: 256 .. 65535, ids 24 .. 255 */
    message[3] = reading[3];
    message[5] = reading[7];
    return (int)ecfit_recovery_sign(out, OUT, &size, &BENCH_RECOVERY, in, message, sizeof message,
                                    NULL, 0, &rng);
}
