/* sim.h - what the firmware on the simulator asks its host for, beside the questions of
 * firmware/tls/host_call.h. The host answers in tools/rigs/sensor_day.py. */
#ifndef TIMELIB_SIM_H
#define TIMELIB_SIM_H

#include "host_call.h"

enum sim_question {
    SIM_TICKS = 16, /* NULL, 0: the slow clock */
    SIM_CYCLES,     /* NULL, 0: of the core */
    SIM_PIN,        /* NULL, 0 or 1: the marker's pin */
    SIM_SLEEP,      /* NULL, ticks; 0: until the next reading: 1, or 0 when there is none */
    SIM_RADIO,      /* bytes, size: offers a message and serves it over the radio */
    SIM_SAY,        /* a text, a number: a line of the time trace */
};

static inline int32_t sim_call(enum sim_question question, const void *bytes, size_t size)
{
    return host_call((enum host_question)question, bytes, size);
}

#endif
