/* day.c - a day in the life of a sensor, on the simulator: it sleeps, wakes, signs a reading,
 * serves it over the radio, and sleeps again. timelib times and marks both tasks.
 *
 * The image is one of the bench, and its operation jss (bench_op.h) is the whole day: `in` is the
 * private key and the first reading, the last message is left in `out`. */
#include "adapter_ecfit.h"
#include "ecfit_msg.h"
#include "sim.h"
#include "timelib.h"

#define OUT 256   /* bytes that the harness has for it */
#define PAUSE 131 /* ticks between two tasks: 4 ms */

static int64_t number(const uint8_t *bytes)
{
    return (int64_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                     bytes[3]);
}

int bench_jss(uint8_t *out, const uint8_t *in)
{
    ecfit_msg_member reading[] = {{"chip_temp", 0, number(in + N)},
                                  {"measurement_id", 0, number(in + N + 4)}};
    size_t size = 0;
    int failed = 0;
    timelib_start();
    while (!failed && sim_call(SIM_SLEEP, NULL, 0)) {
        timelib_begin();
        failed = (int)ecfit_jss_sign((char *)out, OUT, &size, &BENCH_SIGNER, in, reading, 2, &rng);
        sim_call(SIM_SAY, "sign", timelib_end().ticks);
        sim_call(SIM_SLEEP, NULL, PAUSE);
        timelib_begin();
        sim_call(SIM_RADIO, out, size);
        sim_call(SIM_SAY, "send", timelib_end().ticks);
        reading[1].value++;
    }
    return failed;
}
