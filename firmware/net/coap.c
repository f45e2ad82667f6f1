/* coap.c - see coap.h */
#include "coap.h"

enum { CONFIRMABLE, NON_CONFIRMABLE, ACKNOWLEDGEMENT, RESET };

#define CODE(class, detail) ((class) << 5 | (detail))
#define GET CODE(0, 1)
#define VALID CODE(2, 3)
#define CONTENT CODE(2, 5)
#define BAD_REQUEST CODE(4, 0)
#define BAD_OPTION CODE(4, 2)
#define NOT_FOUND CODE(4, 4)
#define NOT_ALLOWED CODE(4, 5)
#define NOT_ACCEPTABLE CODE(4, 6)
#define INTERNAL_ERROR CODE(5, 0)
#define NO_PROXY CODE(5, 5)

enum {
    URI_HOST = 3,
    ETAG = 4,
    OBSERVE = 6,
    URI_PORT = 7,
    URI_PATH = 11,
    CONTENT_FORMAT = 12,
    MAX_AGE = 14,
    URI_QUERY = 15,
    ACCEPT = 17,
    BLOCK2 = 23,
    SIZE2 = 28,
    PROXY_URI = 35,
    PROXY_SCHEME = 39
};

#define PAYLOAD 0xFF
#define EXCHANGE_MS 247000u /* EXCHANGE_LIFETIME, RFC 7252, 4.8.2 */
#define ACK_MS 2000u
#define MAX_RETRANSMIT 4
#define ETAG_SIZE 4
#define OUR_SZX 2 /* COAP_BLOCK = 2^(4 + OUR_SZX) */
#define SEQUENCE_MASK 0xFFFFFFu

typedef struct request {
    uint8_t type, code;
    uint16_t id;
    uint8_t token[8];
    size_t token_size;
    int bad_option, proxy;
    char path[COAP_PATH + 1]; /* ended by 0; too long: "" and path_size beyond COAP_PATH */
    size_t path_size;
    uint32_t observe, accept, block; /* values where `has` says so */
    unsigned has;
    uint32_t etag; /* the one that was asked for, of our size; the first of several */
    int etag_any;
} request;

enum { HAS_OBSERVE = 1, HAS_ACCEPT = 2, HAS_BLOCK = 4, HAS_SIZE = 8, HAS_HOST = 16, HAS_PORT = 32 };

/* ---- reading --------------------------------------------------------------------------------- */

/* A nibble of an option and what extends it (RFC 7252, 3.1). -1 where it is none. */
static int extended(uint32_t *value, unsigned nibble, const uint8_t **at, const uint8_t *end)
{
    unsigned more = nibble == 13 ? 1 : nibble == 14 ? 2 : 0;
    if (nibble == 15 || (size_t)(end - *at) < more)
        return -1;
    *value = nibble < 13 ? nibble : nibble == 13 ? 13 : 269;
    if (more > 0) {
        uint32_t number = 0;
        for (unsigned i = 0; i < more; i++)
            number = number << 8 | *(*at)++;
        *value += number;
    }
    return 0;
}

static uint32_t number_of(const uint8_t *bytes, size_t size)
{
    uint32_t value = 0;
    while (size-- > 0)
        value = value << 8 | *bytes++;
    return value;
}

static void path_part(request *r, const uint8_t *bytes, size_t size)
{
    size_t slash = r->path_size > 0;
    if (r->path_size > COAP_PATH || size + slash > COAP_PATH - r->path_size) {
        r->path_size = COAP_PATH + 1;
        r->path[0] = 0;
        return;
    }
    if (slash)
        r->path[r->path_size++] = '/';
    for (size_t i = 0; i < size; i++) /* no part of a path of ours has these */
        r->path[r->path_size++] = bytes[i] == 0 || bytes[i] == '/' ? ' ' : (char)bytes[i];
    r->path[r->path_size] = 0;
}

/* A number that is there once, at most. */
static void once(request *r, unsigned flag, uint32_t *place, int critical, const uint8_t *bytes,
                 size_t size, size_t most)
{
    if (size > most || (r->has & flag)) {
        r->bad_option |= critical;
    } else {
        r->has |= flag;
        *place = number_of(bytes, size);
    }
}

static void take_option(request *r, uint32_t number, const uint8_t *bytes, size_t size)
{
    uint32_t unused;
    switch (number) {
    case URI_HOST:
        if (size < 1 || size > 255 || (r->has & HAS_HOST))
            r->bad_option = 1;
        r->has |= HAS_HOST;
        break;
    case ETAG:
        if (size == ETAG_SIZE && !r->etag_any) {
            r->etag = number_of(bytes, size);
            r->etag_any = 1;
        }
        break;
    case OBSERVE: once(r, HAS_OBSERVE, &r->observe, 0, bytes, size, 3); break;
    case URI_PORT: once(r, HAS_PORT, &unused, 1, bytes, size, 2); break;
    case URI_PATH:
        if (size > 255)
            r->bad_option = 1;
        else
            path_part(r, bytes, size);
        break;
    case URI_QUERY:
        if (size > 255)
            r->bad_option = 1;
        break;
    case ACCEPT: once(r, HAS_ACCEPT, &r->accept, 1, bytes, size, 2); break;
    case BLOCK2: once(r, HAS_BLOCK, &r->block, 1, bytes, size, 3); break;
    case SIZE2: once(r, HAS_SIZE, &unused, 0, bytes, size, 4); break;
    case PROXY_URI:
    case PROXY_SCHEME: r->proxy = 1; break;
    default: r->bad_option |= (int)(number & 1); /* odd: critical (RFC 7252, 5.4.6) */
    }
}

/* The options, to the end or to a payload. -1 where they cannot be read. */
static int read_options(request *r, const uint8_t *at, const uint8_t *end)
{
    uint32_t number = 0;
    while (at < end) {
        uint32_t delta, size;
        unsigned first = *at++;
        if (first == PAYLOAD)
            return at < end ? 0 : -1;
        if (extended(&delta, first >> 4, &at, end) != 0 ||
            extended(&size, first & 15, &at, end) != 0 || size > (size_t)(end - at))
            return -1;
        number += delta;
        if (number > 0xFFFF)
            return -1;
        take_option(r, number, at, size);
        at += size;
    }
    return 0;
}

/* 0; -1 where it is a message that cannot be read; -2 where it is none at all (RFC 7252, 3). */
static int read_message(request *r, const uint8_t *data, size_t size)
{
    static const request empty;
    *r = empty;
    if (size < 4 || data[0] >> 6 != 1)
        return -2;
    r->type = data[0] >> 4 & 3;
    r->code = data[1];
    r->id = (uint16_t)(data[2] << 8 | data[3]);
    r->token_size = data[0] & 15;
    if (r->code == 0)
        return size == 4 && r->token_size == 0 ? 0 : -1;
    if (r->token_size > sizeof r->token || r->token_size > size - 4)
        return -1;
    for (size_t i = 0; i < r->token_size; i++)
        r->token[i] = data[4 + i];
    return read_options(r, data + 4 + r->token_size, data + size);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A message under construction: it fits, for COAP_DATAGRAM is the sum of all that there can be. */
typedef struct message {
    uint8_t *data;
    size_t size;
    uint32_t option; /* number of the last one */
} message;

static void put(message *m, uint8_t byte)
{
    if (m->size < COAP_DATAGRAM)
        m->data[m->size++] = byte;
}

static void put_head(message *m, uint8_t type, uint8_t code, uint16_t id, const uint8_t *token,
                     size_t token_size)
{
    m->size = 0;
    m->option = 0;
    put(m, (uint8_t)(1 << 6 | type << 4 | token_size));
    put(m, code);
    put(m, (uint8_t)(id >> 8));
    put(m, (uint8_t)id);
    for (size_t i = 0; i < token_size; i++)
        put(m, token[i]);
}

/* An option of `size` bytes, the number `value`; in the order of the options' numbers. */
static void put_option(message *m, uint32_t number, uint32_t value, unsigned size)
{
    uint32_t delta = number - m->option;
    put(m, (uint8_t)((delta < 13 ? delta : 13) << 4 | size));
    if (delta >= 13)
        put(m, (uint8_t)(delta - 13));
    while (size-- > 0)
        put(m, (uint8_t)(value >> 8 * size));
    m->option = number;
}

/* In as few bytes as it has (RFC 7252, 3.2). */
static void put_number(message *m, uint32_t number, uint32_t value)
{
    unsigned size = 0;
    for (uint32_t rest = value; rest != 0; rest >>= 8)
        size++;
    put_option(m, number, value, size);
}

/* ---- resources ------------------------------------------------------------------------------- */

static int same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static size_t find(const coap_server *server, const request *r)
{
    size_t i = 0;
    while (i < server->count &&
           (r->path_size > COAP_PATH || !same(r->path, server->resources[i].path)))
        i++;
    return i;
}

/* Which part of `content` a request is for. -1 where there is no such block. */
static int part_of(const request *r, const coap_content *content, uint32_t *number, unsigned *szx,
                   size_t *at)
{
    unsigned theirs = r->has & HAS_BLOCK ? r->block & 7 : OUR_SZX;
    uint32_t asked = r->has & HAS_BLOCK ? r->block >> 4 : 0;
    if (theirs == 7)
        return -1;
    *szx = theirs < OUR_SZX ? theirs : OUR_SZX;
    *at = (size_t)asked << (theirs + 4);
    *number = (uint32_t)(*at >> (*szx + 4));
    return *at > 0 && *at >= content->size ? -1 : 0;
}

/* Options and payload of a content, from block `number` on, behind the head.
 * `sequence`: of a notification or of who begins to observe, else above SEQUENCE_MASK. */
static void put_content(message *m, const coap_resource *resource, const coap_content *content,
                        const request *r, uint32_t sequence, uint32_t number, unsigned szx)
{
    size_t block = (size_t)16 << szx, at = number * block;
    size_t size = content->size - at < block ? content->size - at : block;
    int more = content->size - at > block;
    put_option(m, ETAG, content->etag, ETAG_SIZE);
    if (sequence <= SEQUENCE_MASK)
        put_number(m, OBSERVE, sequence);
    put_number(m, CONTENT_FORMAT, resource->format);
    put_number(m, MAX_AGE, content->max_age);
    if (more || number > 0 || (r != NULL && (r->has & HAS_BLOCK)))
        put_number(m, BLOCK2, number << 4 | (uint32_t)more << 3 | szx);
    if (r != NULL && (r->has & HAS_SIZE))
        put_number(m, SIZE2, (uint32_t)content->size);
    if (size > 0) {
        put(m, PAYLOAD);
        for (size_t i = 0; i < size; i++)
            put(m, content->data[at + i]);
    }
}

/* ---- observers ------------------------------------------------------------------------------- */

static int same_peer(const coap_peer *a, const coap_peer *b)
{
    return a->address == b->address && a->port == b->port;
}

static int same_token(const coap_observer *o, const request *r)
{
    if (o->token_size != r->token_size)
        return 0;
    for (size_t i = 0; i < r->token_size; i++) {
        if (o->token[i] != r->token[i])
            return 0;
    }
    return 1;
}

/* Who asks observes from now on, or not any more. Whether he does. */
static int observe(coap_server *server, const coap_peer *peer, const request *r, size_t resource,
                   uint32_t etag)
{
    coap_observer *free_place = NULL;
    int wanted = (r->has & HAS_OBSERVE) && r->observe == 0;
    for (size_t i = 0; i < COAP_OBSERVERS; i++) {
        coap_observer *o = &server->observers[i];
        if (!o->used) {
            free_place = free_place == NULL ? o : free_place;
        } else if (same_peer(&o->peer, peer) && (same_token(o, r) || o->resource == resource)) {
            if (!wanted) { /* RFC 7641, 3.6: by token */
                o->used = !((r->has & HAS_OBSERVE) && same_token(o, r));
                return 0;
            }
            free_place = o; /* it replaces the former one */
            break;
        }
    }
    if (!wanted || free_place == NULL)
        return 0;
    free_place->used = 1;
    free_place->peer = *peer;
    free_place->resource = resource;
    free_place->etag = etag;
    free_place->token_size = r->token_size;
    for (size_t i = 0; i < r->token_size; i++)
        free_place->token[i] = r->token[i];
    free_place->sent = 0;
    return 1;
}

/* A notification of this observer was confirmed, or refused. */
static void confirmed(coap_server *server, const coap_peer *peer, const request *r)
{
    for (size_t i = 0; i < COAP_OBSERVERS; i++) {
        coap_observer *o = &server->observers[i];
        if (o->used && same_peer(&o->peer, peer) && o->id == r->id && o->size > 0) {
            o->sent = 0;
            o->used = r->type != RESET;
        }
    }
}

int coap_observed(const coap_server *server, size_t resource)
{
    for (size_t i = 0; i < COAP_OBSERVERS; i++) {
        if (server->observers[i].used && server->observers[i].resource == resource)
            return 1;
    }
    return 0;
}

/* ---- the server ------------------------------------------------------------------------------ */

void coap_start(coap_server *server, const coap_resource *resources, size_t count, coap_send send,
                uint32_t seed)
{
    static const coap_server empty;
    *server = empty;
    server->resources = resources;
    server->count = count;
    server->send = send;
    server->next_id = (uint16_t)seed;
    server->noise = seed | 1;
    server->sequence = 1;
}

/* 2 to 3 s: ACK_TIMEOUT times a factor of up to ACK_RANDOM_FACTOR (RFC 7252, 4.8). */
static uint32_t first_pause(coap_server *server)
{
    server->noise = server->noise * 1664525u + 1013904223u;
    return ACK_MS + (server->noise >> 16) % (ACK_MS / 2);
}

void coap_changed(coap_server *server, size_t resource, uint32_t now_ms)
{
    coap_content content;
    if (!coap_observed(server, resource) || server->resources[resource].read(&content) != 0)
        return;
    server->sequence = (server->sequence + 1) & SEQUENCE_MASK;
    for (size_t i = 0; i < COAP_OBSERVERS; i++) {
        coap_observer *o = &server->observers[i];
        message m = {o->data, 0, 0};
        if (!o->used || o->resource != resource || o->etag == content.etag)
            continue;
        o->etag = content.etag;
        o->id = server->next_id++;
        put_head(&m, CONFIRMABLE, CONTENT, o->id, o->token, o->token_size);
        put_content(&m, &server->resources[resource], &content, NULL, server->sequence, 0, OUR_SZX);
        o->size = m.size;
        if (o->sent == 0) {
            o->sent = 1;
            o->pause = first_pause(server);
            o->at = now_ms + o->pause;
        }
        server->send(&o->peer, o->data, o->size);
    }
}

void coap_tick(coap_server *server, uint32_t now_ms)
{
    for (size_t i = 0; i < COAP_OBSERVERS; i++) {
        coap_observer *o = &server->observers[i];
        if (!o->used || o->sent == 0 || (int32_t)(now_ms - o->at) < 0)
            continue;
        if (o->sent > MAX_RETRANSMIT) {
            o->used = 0;
            continue;
        }
        o->sent++;
        o->pause *= 2;
        o->at = now_ms + o->pause;
        server->send(&o->peer, o->data, o->size);
    }
}

/* Writes what a request is answered with, behind the head that `m` has got. Returns the code. */
static uint8_t answer(coap_server *server, const coap_peer *peer, const request *r, message *m)
{
    coap_content content;
    size_t place = find(server, r), at;
    uint32_t number, sequence = SEQUENCE_MASK + 1;
    unsigned szx;
    if (r->proxy)
        return NO_PROXY;
    if (r->bad_option)
        return BAD_OPTION;
    if (place == server->count)
        return NOT_FOUND;
    if (r->code != GET)
        return NOT_ALLOWED;
    if ((r->has & HAS_ACCEPT) && r->accept != server->resources[place].format)
        return NOT_ACCEPTABLE;
    if (server->resources[place].read(&content) != 0)
        return INTERNAL_ERROR;
    if (part_of(r, &content, &number, &szx, &at) != 0)
        return BAD_REQUEST;
    if (server->resources[place].observable && number == 0 &&
        observe(server, peer, r, place, content.etag))
        sequence = server->sequence;
    if (r->etag_any && r->etag == content.etag && number == 0) {
        put_option(m, ETAG, content.etag, ETAG_SIZE);
        if (sequence <= SEQUENCE_MASK)
            put_number(m, OBSERVE, sequence);
        put_number(m, MAX_AGE, content.max_age);
        return VALID;
    }
    put_content(m, &server->resources[place], &content, r, sequence, number, szx);
    return CONTENT;
}

/* Whether this request was answered before; then it is again, if it wants that. */
static int duplicate(coap_server *server, const coap_peer *peer, const request *r, uint32_t now_ms)
{
    for (size_t i = 0; i < COAP_KEPT; i++) {
        coap_reply *reply = &server->kept[i];
        if (reply->used && reply->id == r->id && same_peer(&reply->peer, peer) &&
            now_ms - reply->at < EXCHANGE_MS) {
            if (r->type == CONFIRMABLE)
                server->send(peer, reply->data, reply->size);
            return 1;
        }
    }
    return 0;
}

static void respond(coap_server *server, const coap_peer *peer, const request *r, uint32_t now_ms)
{
    coap_reply *reply = &server->kept[server->next_kept];
    message m = {reply->data, 0, 0};
    int confirmable = r->type == CONFIRMABLE;
    server->next_kept = (server->next_kept + 1) % COAP_KEPT;
    put_head(&m, confirmable ? ACKNOWLEDGEMENT : NON_CONFIRMABLE, 0,
             confirmable ? r->id : server->next_id++, r->token, r->token_size);
    reply->data[1] = answer(server, peer, r, &m);
    reply->used = 1;
    reply->peer = *peer;
    reply->id = r->id;
    reply->at = now_ms;
    reply->size = m.size;
    server->send(peer, reply->data, reply->size);
}

static void reset(coap_server *server, const coap_peer *peer, uint16_t id)
{
    uint8_t data[COAP_DATAGRAM];
    message m = {data, 0, 0};
    put_head(&m, RESET, 0, id, NULL, 0);
    server->send(peer, data, m.size);
}

void coap_receive(coap_server *server, const coap_peer *peer, const uint8_t *data, size_t size,
                  uint32_t now_ms)
{
    request r;
    int wrong = read_message(&r, data, size);
    if (wrong == -2)
        return;
    if (wrong == 0 && r.code == 0 && r.type >= ACKNOWLEDGEMENT) {
        confirmed(server, peer, &r);
    } else if (wrong == 0 && r.code != 0 && r.code >> 5 == 0 && r.type < ACKNOWLEDGEMENT) {
        if (!duplicate(server, peer, &r, now_ms))
            respond(server, peer, &r, now_ms);
    } else if (r.type == CONFIRMABLE) { /* a ping, a response, a reserved class, or unreadable */
        reset(server, peer, r.id);
    }
}
