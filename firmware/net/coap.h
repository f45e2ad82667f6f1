/* coap.h - a small CoAP server (RFC 7252): GET, Observe (RFC 7641), Block2 (RFC 7959), ETag
 *
 * Datagrams in, datagrams out through a function of the caller's; no socket, no clock, no
 * allocation: all state is in coap_server, of a fixed size. A resource is read whole and sent in
 * blocks of COAP_BLOCK bytes or of fewer, where the client asks for that.
 *
 *   responses      piggybacked; to a message that is not confirmable, not confirmable
 *   duplicates     of the last COAP_KEPT requests get the same response again, for as long as
 *                  a client may repeat itself (247 s)
 *   notifications  confirmable, repeated four times after 2 to 3 s, twice that and so on;
 *                  who does not confirm, or refuses, is forgotten. A newer one takes the place of
 *                  one under way, and its count of repetitions (RFC 7641, 4.5.2)
 *   errors         4.00 block that is not there; 4.02 critical option that is not known, or is
 *                  malformed; 4.04; 4.05 for any other method; 4.06 other format than Accept says;
 *                  5.00 where the resource cannot be read; 5.05 for proxies.
 *                  A message that cannot be read is reset where it is confirmable
 *
 * Options that are taken and not looked at: Uri-Host, Uri-Port, Uri-Query. */
#ifndef COAP_H
#define COAP_H

#include <stddef.h>
#include <stdint.h>

#define COAP_BLOCK 64     /* bytes of a block, the largest that is sent */
#define COAP_DATAGRAM 128 /* of a response: header, token, all options and a block fit */
#define COAP_PATH 32      /* of the longest path that a resource may have */
#define COAP_KEPT 8
#define COAP_OBSERVERS 4

typedef struct coap_peer {
    uint32_t address;
    uint16_t port;
} coap_peer;

/* What a resource is now. `max_age`: seconds for which it stays. */
typedef struct coap_content {
    const uint8_t *data;
    size_t size;
    uint32_t etag;
    uint32_t max_age;
} coap_content;

/* `path` without the slash in front, "a/b"; `format` of the registry (RFC 7252, 12.3).
 * read() says what it is now, valid until it is called again; 0, or -1 where it cannot. */
typedef struct coap_resource {
    const char *path;
    uint16_t format;
    int observable;
    int (*read)(coap_content *content);
} coap_resource;

typedef void (*coap_send)(const coap_peer *peer, const uint8_t *data, size_t size);

typedef struct coap_reply {
    coap_peer peer;
    uint16_t id;
    uint32_t at; /* ms */
    size_t size; /* 0: this place is free, or nothing was answered */
    uint8_t data[COAP_DATAGRAM];
    int used;
} coap_reply;

typedef struct coap_observer {
    int used;
    coap_peer peer;
    size_t resource;
    uint8_t token[8];
    size_t token_size;
    uint32_t etag;  /* what it was told last */
    uint16_t id;    /* of the last notification */
    unsigned sent;  /* times it was sent and not confirmed; 0: nothing is under way */
    uint32_t at;    /* when it is sent again */
    uint32_t pause; /* ms between the last two */
    size_t size;
    uint8_t data[COAP_DATAGRAM];
} coap_observer;

typedef struct coap_server {
    const coap_resource *resources;
    size_t count;
    coap_send send;
    uint16_t next_id;
    uint32_t sequence; /* of notifications */
    uint32_t noise;
    coap_reply kept[COAP_KEPT];
    size_t next_kept;
    coap_observer observers[COAP_OBSERVERS];
} coap_server;

/* `seed`: where message ids begin, and what spreads repetitions. */
void coap_start(coap_server *server, const coap_resource *resources, size_t count, coap_send send,
                uint32_t seed);

/* A datagram of any bytes. */
void coap_receive(coap_server *server, const coap_peer *peer, const uint8_t *data, size_t size,
                  uint32_t now_ms);

/* Whether anybody observes it. */
int coap_observed(const coap_server *server, size_t resource);

/* It may be something else now: tells those observers who do not have that. */
void coap_changed(coap_server *server, size_t resource, uint32_t now_ms);

/* Repeats what was not confirmed. Called often: ten times a second or more. */
void coap_tick(coap_server *server, uint32_t now_ms);

#endif
