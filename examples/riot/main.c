/* A sensor on RIOT that signs its readings, with RIOT's own CoAP (nanocoap) and IPv6 (GNRC).
 *
 *   /temperature    JSS: JSON with a signature, in blocks of 64 bytes; or the reading alone, where
 *                   SIGNED is 0
 *
 * Who asks within 30 s gets the same bytes under the same ETag; who observes gets the first block
 * of each new reading, and asks for the rest. */
#include <stdio.h>
#include <string.h>

#include "ecfit_msg.h"
#include "mutex.h"
#include "net/nanocoap.h"
#include "net/nanocoap_sock.h"
#include "net/netif.h"
#include "random.h"
#include "ztimer.h"

#define PERIOD_MS 30000u
#define BLOCK 64u
#define ALONE __attribute__((noinline)) /* tools/rigs/riot.py calls it on a simulated chip */

enum { EPOCH, TEMPERATURE, ID, MEMBERS };

static mutex_t lock = MUTEX_INIT; /* of all below: the server's thread and main() use them */
static char message[320];
static size_t message_size;
static uint32_t measured_at;
static int observers; /* somebody has observed: it measures each period from then on */
static ecfit_msg_member reading[MEMBERS] = {
    {NULL, 0, 0}, {"chip_temp", 0, 0}, {"measurement_id", 0, 33}};

static int is_fresh(void)
{
    return message_size != 0 && ztimer_now(ZTIMER_MSEC) - measured_at < PERIOD_MS;
}

#if SIGNED

/* Of a trial: a device reads its own from where nobody else can. */
static const uint8_t private_key[24] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                        13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    random_bytes(out, size);
    return 0;
}

static ALONE ecfit_msg_status begin(void)
{
    const ecfit_rng rng = {fill, NULL};
    return ecfit_msg_boot_epoch(&reading[EPOCH], &rng);
}

static ecfit_msg_status write_message(void)
{
    return ecfit_jss_sign(message, sizeof message, &message_size, &ecfit_msg_es192, private_key,
                          reading, MEMBERS, NULL);
}

#else

static ALONE ecfit_msg_status begin(void)
{
    return ECFIT_MSG_OK;
}

static ecfit_msg_status write_message(void)
{
    return ecfit_json_write(message, sizeof message, &message_size, reading + TEMPERATURE,
                            MEMBERS - TEMPERATURE);
}

#endif

/* Measures and signs. Returns whether there is a message. */
static ALONE int take_reading(void)
{
    reading[ID].value++;
    reading[TEMPERATURE].value = 20953 + (int32_t)(reading[ID].value * 37 % 64);
    return write_message() == ECFIT_MSG_OK;
}

/* Does so if the last reading is older than the period. Returns whether there is one. */
static int measure(void)
{
    if (is_fresh())
        return 1;
    measured_at = ztimer_now(ZTIMER_MSEC);
    return take_reading();
}

/* Options and payload of a block of the reading. Returns how many bytes the message has. */
static ssize_t put_block(coap_builder_t *state, coap_block_slicer_t *slicer, int observed)
{
    const uint32_t etag = (uint32_t)reading[ID].value;
    coap_opt_put(state, COAP_OPT_ETAG, &etag, sizeof etag);
    if (observed)
        coap_opt_put_observe(state, (uint32_t)reading[ID].value);
    coap_opt_put_ct(state, COAP_FORMAT_JSON);
    coap_opt_put_block2(state, slicer);
    coap_builder_add_payload_marker(state);
    coap_blockwise_put_bytes(state, slicer, (const uint8_t *)message, message_size);
    coap_block2_finish(slicer);
    return coap_builder_msg_size(state);
}

static ssize_t temperature(coap_pkt_t *pkt, uint8_t *buf, size_t size, coap_request_ctx_t *context)
{
    uint32_t observe = UINT32_MAX;
    coap_block_slicer_t slicer;
    coap_builder_t state;
    ssize_t result = 0;
    int observed = 0;
    if (coap_opt_get_uint(pkt, COAP_OPT_OBSERVE, &observe) == 0 && observe == 0)
        observers = observed = nanocoap_register_observer(context, pkt) == 0;
    else if (observe == 1)
        nanocoap_unregister_observer(context, pkt);
    mutex_lock(&lock);
    if (!measure())
        result = coap_reply_simple(pkt, COAP_CODE_INTERNAL_SERVER_ERROR, buf, size,
                                   COAP_FORMAT_NONE, NULL, 0);
    else if ((result = coap_block2_init(pkt, &slicer)) == 0 &&
             (result = coap_builder_init_reply(&state, buf, size, pkt, COAP_CODE_CONTENT)) == 0)
        result = put_block(&state, &slicer, observed);
    mutex_unlock(&lock);
    return result;
}

NANOCOAP_RESOURCE(temperature){.path = "/temperature", .methods = COAP_GET, .handler = temperature};

static void notify(void)
{
    uint8_t buffer[BLOCK + 32];
    coap_block_slicer_t slicer;
    coap_builder_t state;
    mutex_lock(&lock);
    if (observers && !is_fresh() && measure() && coap_block_slicer_init(&slicer, 0, BLOCK) == 0 &&
        coap_builder_init(&state, buffer, sizeof buffer, 0) == 0) {
        const iolist_t list = {.iol_base = buffer, .iol_len = put_block(&state, &slicer, 1)};
        nanocoap_notify_observers(&coap_resource_temperature, &list);
    }
    mutex_unlock(&lock);
}

int main(void)
{
    if (begin() != ECFIT_MSG_OK)
        return 1;
    printf("sensor: /temperature at ");
    netifs_print_ipv6(" ");
    puts("");
    for (;;) {
        ztimer_sleep(ZTIMER_MSEC, 1000);
        notify();
    }
}
