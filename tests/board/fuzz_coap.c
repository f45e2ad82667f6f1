/* fuzz_coap.c - fuzz target: the CoAP server of firmware/net, fed with datagrams of several peers
 *
 * The input is a sequence: a byte that chooses the peer and what happens, a size, and a datagram.
 * Whatever comes, a response fits, is a message, and is one that the request may have:
 * its header is read again here, by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coap.h"

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            fprintf(stderr, "fuzz: line %d: not so: %s\n", __LINE__, #holds); \
            abort(); \
        } \
    } while (0)

static uint8_t content[200];
static size_t content_size;
static unsigned sent;
static const uint8_t *asked; /* the datagram that is being answered, or NULL */
static size_t asked_size;

static int read_content(coap_content *out)
{
    out->data = content;
    out->size = content_size;
    out->etag = (uint32_t)content[0] << 24 | (uint32_t)content_size;
    out->max_age = content[0];
    return content[0] == 0xEE ? -1 : 0;
}

static const coap_resource resources[] = {{"temperature", 50, 1, read_content},
                                          {"a/b", 18, 1, read_content},
                                          {".well-known/core", 40, 0, read_content}};
#define RESOURCES (sizeof resources / sizeof *resources)

/* Walks over the options of a message of ours; 0 where it ends as it should. */
static int malformed(const uint8_t *data, size_t size)
{
    size_t at = 4 + (data[0] & 15u), number = 0;
    CHECK((data[0] & 15) <= 8);
    while (at < size) {
        unsigned delta = data[at] >> 4, length = data[at] & 15;
        if (data[at] == 0xFF)
            return at + 1 >= size || size - at - 1 > COAP_BLOCK;
        if (delta > 13 || length > 8)
            return 1;
        at++;
        number += delta == 13 ? 13u + data[at++] : delta;
        at += length;
        if (number > 60)
            return 1;
    }
    return at != size;
}

static void send(const coap_peer *peer, const uint8_t *data, size_t size)
{
    unsigned type = data[0] >> 4 & 3;
    sent++;
    CHECK(peer->port < 4);
    CHECK(size >= 4 && size <= COAP_DATAGRAM && data[0] >> 6 == 1);
    CHECK(!malformed(data, size));
    if (asked != NULL) {
        CHECK(type != 0);
        if (type != 1) { /* an acknowledgement or a reset has the number of what it answers */
            CHECK(asked_size >= 4 && data[2] == asked[2] && data[3] == asked[3]);
            CHECK((asked[0] >> 4 & 3) == 0);
        }
    } else {
        CHECK(type == 0 && data[1] == 0x45);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static coap_server server;
    uint32_t now = 0;
    coap_start(&server, resources, RESOURCES, send, (uint32_t)size);
    content_size = 154;
    while (size >= 2) {
        coap_peer peer = {7, data[0] & 3};
        size_t length = data[1] < size - 2 ? data[1] : size - 2;
        uint8_t *copy = malloc(length + (length == 0));
        if (copy == NULL)
            abort();
        memcpy(copy, data + 2, length);
        now += (uint32_t)(data[0] >> 4) * 400;
        if (data[0] & 4) {
            content[0] = data[1];
            content_size = data[1] % sizeof content;
            asked = NULL;
            coap_changed(&server, data[0] >> 3 & 1, now);
        }
        coap_tick(&server, now);
        asked = copy;
        asked_size = length;
        sent = 0;
        coap_receive(&server, &peer, copy, length, now);
        CHECK(sent <= 1);
        asked = NULL;
        free(copy);
        data += 2 + length;
        size -= 2 + length;
    }
    return 0;
}
