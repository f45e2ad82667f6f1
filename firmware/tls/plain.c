/* plain.c - the client without TLS: what TCP alone costs. */
#include "port.h"

void client(struct port_result *result)
{
    const struct port_given *given = port_given();
    uint8_t buffer[64];
    *result = (struct port_result){0};
    port_mark(STAGE_READY);
    port_mark(result->stage = STAGE_CONNECTED);
    while (result->payload_bytes < given->payload_size) {
        int got = port_receive(buffer, sizeof buffer);
        if (got <= 0) {
            result->error = got < 0 ? got : PORT_SHORT;
            return;
        }
        for (int i = 0; i < got; i++)
            result->payload_sum += buffer[i];
        result->payload_bytes += (uint32_t)got;
    }
    port_mark(result->stage = STAGE_SERVED);
    port_mark(result->stage = STAGE_CLOSED);
}
