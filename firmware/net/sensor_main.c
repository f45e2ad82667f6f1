/* sensor_main.c - a sensor that answers with signed readings over CoAP
 *
 *   /temperature         JSS, JSON with a signature (application/json)
 *   /temperature/cose    COSE_Sign1 (application/cose; cose-type="cose-sign1")
 *   /temperature/plain   the same reading unsigned (application/json)
 *   /temperature/recovery  CBOR that is recovered from its signature (application/octet-stream),
 *                        on the curves that have such a signature
 *   /.well-known/core    this list (RFC 6690)
 *
 * It measures and signs when somebody asks and the last reading is older than the period; while
 * there are observers, each period. In between all get the same bytes, under the same ETag.
 * A reading is the boot epoch, the temperature and an id, counted up from the one in the settings.
 *
 * The build defines SENSOR_SIGNER, an object of ecfit_msg.h, and SENSOR_SETTINGS, the address in
 * RAM where the loader puts settings before the reset. */
#include <stddef.h>

#include "coap.h"
#include "ecfit_msg.h"
#include "lwip/udp.h"
#include "net.h"
#include "sensor.h"
#include "sensor_recovery.h"

#define MAGIC 0x32534345u /* "ECS2" */
#define PORT 5683
#define MESSAGE_MAX 320
#define DATAGRAM_MAX 512

struct settings {
    uint32_t magic;
    uint32_t period_ms;
    uint32_t first_id;
    uint8_t random[48]; /* new for each start: the emulated board has no generator */
    uint8_t private_key[68];
};

static const volatile struct settings *const settings =
    (const volatile struct settings *)SENSOR_SETTINGS;

static struct udp_pcb *socket;
static coap_server server;
static uint8_t private_key[sizeof((struct settings *)0)->private_key];
static uint8_t random_bytes[sizeof((struct settings *)0)->random];
static uint32_t period_ms, next_id, measured_at;
static int measured;
static ecfit_msg_member reading[] = {{NULL, 0, 0}, {"chip_temp", 0, 0}, {"measurement_id", 0, 0}};
enum { EPOCH, TEMPERATURE, ID, MEMBERS };

/* A form of the reading: written when it is asked for, once for each reading. */
struct form {
    uint8_t data[MESSAGE_MAX];
    size_t size;
    int64_t id;
};
static struct form forms[4];
enum { JSS, COSE, PLAIN, RECOVERY };

/* Names what the bytes are, for clients that have them already. [Fowler, Noll, Vo: FNV-1a] */
static uint32_t hash(const uint8_t *data, size_t size)
{
    uint32_t value = 2166136261u;
    while (size-- > 0)
        value = (value ^ *data++) * 16777619u;
    return value;
}

static void measure(void)
{
    uint32_t now = net_ms();
    if (measured && now - measured_at < period_ms)
        return;
    reading[TEMPERATURE].value = sensor_read();
    reading[ID].value = next_id++;
    measured_at = now;
    measured = 1;
}

static int read_form(coap_content *content, int which)
{
    struct form *form = &forms[which];
    ecfit_msg_status status = ECFIT_MSG_OK;
    uint32_t left;
    measure();
    if (form->size == 0 || form->id != reading[ID].value) {
        if (which == JSS)
            status = ecfit_jss_sign((char *)form->data, MESSAGE_MAX, &form->size, &SENSOR_SIGNER,
                                    private_key, reading, MEMBERS, NULL);
        else if (which == COSE)
            status = ecfit_cose_sign1(form->data, MESSAGE_MAX, &form->size, &SENSOR_SIGNER,
                                      private_key, reading, MEMBERS, NULL);
        else if (which == RECOVERY)
            status = sensor_recovery_sign(form->data, MESSAGE_MAX, &form->size, private_key,
                                          sizeof private_key, random_bytes, sizeof random_bytes,
                                          reading, MEMBERS);
        else
            status =
                ecfit_json_write((char *)form->data, MESSAGE_MAX, &form->size, reading, MEMBERS);
        form->id = reading[ID].value;
    }
    left = measured_at + period_ms - net_ms();
    content->data = form->data;
    content->size = form->size;
    content->etag = hash(form->data, form->size);
    content->max_age = left > period_ms ? 0 : (left + 999) / 1000;
    return status == ECFIT_MSG_OK ? 0 : -1;
}

static int read_jss(coap_content *content)
{
    return read_form(content, JSS);
}

static int read_cose(coap_content *content)
{
    return read_form(content, COSE);
}

static int read_plain(coap_content *content)
{
    return read_form(content, PLAIN);
}

static int read_recovery(coap_content *content)
{
    return read_form(content, RECOVERY);
}

#define RECOVERY_LINK ",</temperature/recovery>;ct=42;obs;rt=\"temperature\""

static int read_core(coap_content *content)
{
    static const char text[] = "</temperature>;ct=50;obs;rt=\"temperature\","
                               "</temperature/cose>;ct=18;obs;rt=\"temperature\","
                               "</temperature/plain>;ct=50;obs;rt=\"temperature\"" RECOVERY_LINK;
    content->data = (const uint8_t *)text;
    content->size = sizeof text - (sensor_recovers ? 1 : sizeof RECOVERY_LINK);
    content->etag = hash(content->data, content->size);
    content->max_age = 3600;
    return 0;
}

static const coap_resource resources[] = {{"temperature", 50, 1, read_jss},
                                          {"temperature/cose", 18, 1, read_cose},
                                          {"temperature/plain", 50, 1, read_plain},
                                          {".well-known/core", 40, 0, read_core},
                                          {"temperature/recovery", 42, 1, read_recovery}};
#define RESOURCES (sizeof resources / sizeof *resources - !sensor_recovers)

static void send(const coap_peer *peer, const uint8_t *data, size_t size)
{
    ip_addr_t address;
    struct pbuf *packet = pbuf_alloc(PBUF_TRANSPORT, (uint16_t)size, PBUF_RAM);
    if (packet == NULL)
        return; /* lost, as datagrams are */
    ip_addr_set_ip4_u32(&address, peer->address);
    (void)pbuf_take(packet, data, (uint16_t)size);
    (void)udp_sendto(socket, packet, &address, peer->port);
    (void)pbuf_free(packet);
}

static void receive(void *unused, struct udp_pcb *pcb, struct pbuf *packet,
                    const ip_addr_t *address, u16_t port)
{
    static uint8_t data[DATAGRAM_MAX];
    coap_peer peer = {ip_addr_get_ip4_u32(address), port};
    (void)unused;
    (void)pcb;
    if (packet->tot_len <= sizeof data) /* no request that is answered is longer */
        coap_receive(&server, &peer, data, pbuf_copy_partial(packet, data, sizeof data, 0),
                     net_ms());
    (void)pbuf_free(packet);
}

static int observed(void)
{
    size_t i = 0;
    while (i < RESOURCES && !coap_observed(&server, i))
        i++;
    return i < RESOURCES;
}

/* Draws from the random bytes of the settings, which no other start has. */
static int fill(void *unused, uint8_t *out, size_t size)
{
    (void)unused;
    for (size_t i = 0; i < size; i++)
        out[i] = random_bytes[i % sizeof random_bytes];
    return size > sizeof random_bytes;
}

void bench_main(void)
{
    static const ecfit_rng rng = {fill, NULL};
    int64_t told_id = -1;
    net_start();
    if (settings->magic != MAGIC || settings->period_ms == 0)
        net_stop("fault: no settings");
    for (size_t i = 0; i < sizeof private_key; i++)
        private_key[i] = settings->private_key[i];
    for (size_t i = 0; i < sizeof random_bytes; i++)
        random_bytes[i] = settings->random[i];
    if (ecfit_msg_boot_epoch(&reading[EPOCH], &rng) != ECFIT_MSG_OK)
        net_stop("fault: no boot epoch");
    period_ms = settings->period_ms;
    next_id = settings->first_id;
    coap_start(&server, resources, RESOURCES, send, (uint32_t)reading[EPOCH].value * 2654435761u);
    socket = udp_new();
    if (socket == NULL || udp_bind(socket, IP_ANY_TYPE, PORT) != ERR_OK)
        net_stop("fault: no UDP port");
    udp_recv(socket, receive, NULL);
    net_say("ready");
    for (;;) {
        net_poll();
        if (measured && observed() && net_ms() - measured_at >= period_ms)
            measure();
        if (measured && told_id != reading[ID].value) {
            told_id = reading[ID].value;
            for (size_t i = 0; i < RESOURCES; i++)
                coap_changed(&server, i, net_ms());
        }
        coap_tick(&server, net_ms());
        net_wait();
    }
}
