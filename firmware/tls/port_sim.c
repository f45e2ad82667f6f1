/* port_sim.c - the client on the simulator: the host answers for network, generator and clock.
 *
 * The image is one of the bench, with one operation (bench_op.h): bench_tls(out, in) runs
 * one connection and writes a port_result. The host loads port_given into flash before the run;
 * into RAM where the run follows secrets (CLIENT_SECRETS), for there a private key can be one. */
#include "bench_op.h"
#include "host_call.h"
#include "port.h"

/* Volatile, for the host writes it. */
#if defined(CLIENT_SECRETS)
volatile struct port_given given;
#else
__attribute__((section(".bench.given"), used)) const volatile struct port_given given = {0};
#endif

static uint32_t refused; /* of the first allocation that failed */

/* Of the harness (bench_main.c): the heap stands at image_stack_limit and grows up. */
extern struct {
    uint32_t now, most, extent;
} bench_heap;
extern uint8_t image_stack_limit[];
extern uint8_t image_stack_top[];

const struct port_given *port_given(void)
{
    return (const struct port_given *)&given;
}

int port_send(const uint8_t *bytes, size_t size)
{
    return host_call(HOST_SEND, bytes, size);
}

int port_receive(uint8_t *bytes, size_t size)
{
    return host_call(HOST_RECEIVE, bytes, size);
}

void port_leave(void)
{
    host_call(HOST_LEAVE, NULL, 0);
}

int port_random(uint8_t *out, size_t size)
{
    return host_call(HOST_RANDOM, out, size);
}

int64_t port_time(void)
{
    int64_t now = 0;
    host_call(HOST_TIME, &now, sizeof now);
    return now;
}

void port_mark(enum port_stage stage)
{
    host_call(HOST_MARK, NULL, stage);
}

void *port_calloc(size_t count, size_t size)
{
    void *block = bench_calloc(count, size);
    if (block != NULL &&
        bench_heap.extent + given.stack_size > (uint32_t)(image_stack_top - image_stack_limit)) {
        bench_free(block);
        block = NULL;
    }
    if (block == NULL && count != 0 && size != 0 && refused == 0)
        refused = (uint32_t)(count * size);
    return block;
}

void port_free(void *block)
{
    bench_free(block);
}

int bench_tls(uint8_t *out, const uint8_t *in)
{
    struct port_result *result = (struct port_result *)(void *)out;
    (void)in;
    refused = 0;
    client(result);
    result->refused = refused;
    return 0;
}
