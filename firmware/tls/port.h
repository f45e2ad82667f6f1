/* port.h - what the client needs of the machine that it runs on; port_sim.c, port_board.c and
 * port_linux.c bring it. */
#ifndef PORT_H
#define PORT_H

#include <stddef.h>
#include <stdint.h>

/* In the flash of a device, in DER: the authorities that it trusts, the name of its server, and its
 * own certificate and key. Size 0 means that it has none. */
#if defined(CLIENT_WEB) /* several authorities, one behind the other; no identity of its own */
#define GIVEN_NAME 128
#define GIVEN_ANCHOR 3600
#define GIVEN_DER 4
#else
#define GIVEN_NAME 64
#define GIVEN_ANCHOR 1400
#define GIVEN_DER 1400
#endif
struct port_given {
    uint32_t anchor_size, certificate_size, key_size, payload_size;
    uint32_t stack_size; /* bytes of RAM that the heap leaves to the stack */
    char name[GIVEN_NAME];
    uint8_t anchor[GIVEN_ANCHOR];
    uint8_t certificate[GIVEN_DER];
    uint8_t key[256];
};
const struct port_given *port_given(void);

/* What became of a connection; the host reads it as ten words. */
struct port_result {
    int32_t error;          /* of Mbed TLS, or a port_error; 0: none */
    uint32_t stage;         /* port_mark that was reached last */
    uint32_t flags;         /* why the certificate is not trusted: MBEDTLS_X509_BADCERT_.. */
    uint32_t refused;       /* bytes of the first allocation that was refused; 0: none was */
    uint32_t payload_bytes; /* received */
    uint32_t payload_sum;   /* of its bytes: that they are right */
    uint32_t version;       /* 0x303, 0x304; 0: none */
    uint32_t ciphersuite;   /* as TLS numbers it; 0: none */
    uint32_t alert;         /* of the server, fatal: 256 + its description; 0: none */
    uint32_t resumed;       /* connections of this run that were resumed */
};

/* Bytes sent, at least one; or an error. Waits. */
int port_send(const uint8_t *bytes, size_t size);

/* Bytes received, at least one; 0: the other side has closed; or an error. Waits, not for ever. */
int port_receive(uint8_t *bytes, size_t size);

enum port_error {
    PORT_GONE = -1,
    PORT_LATE = -2,
    PORT_SHORT = -3,
    PORT_NO_SESSION = -4,  /* the server gave none that could be resumed */
    PORT_NOT_RESUMED = -5, /* the server did not resume it */
};

/* Leaves the connection: the next byte goes to another, to the same server. Only clients that
 * resume need it. */
void port_leave(void);

/* Random bytes for keys. 0, or -1. */
int port_random(uint8_t *out, size_t size);

/* Milliseconds since 1970. */
int64_t port_time(void);

enum port_stage {
    STAGE_START = 0,
    STAGE_READY,     /* everything is parsed and allocated that need not wait for a connection */
    STAGE_CONNECTED, /* handshake done */
    STAGE_SERVED,    /* payload received */
    STAGE_CLOSED,
};
void port_mark(enum port_stage stage);

/* Memory: zeroed, NULL when there is none. */
void *port_calloc(size_t count, size_t size);
void port_free(void *block);

/* One connection: receives the payload that the server sends, and closes. */
void client(struct port_result *result);

#endif
