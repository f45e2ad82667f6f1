/* A server on Mbed TLS with its default options: serves a payload to each connection, one after the
 * other, and logs why one failed.
 *
 * server HOST:PORT CHAIN KEY VERSION [PAYLOAD]: VERSION is 1.2 or 1.3; PAYLOAD, hexadecimal digits.
 * For each connection it prints a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbedtls/ctr_drbg.h"
#include "mbedtls/entropy.h"
#include "mbedtls/error.h"
#include "mbedtls/net_sockets.h"
#include "mbedtls/ssl.h"
#include "mbedtls/ssl_ticket.h"
#include "psa/crypto.h"

#define PAYLOAD_MOST 1024

static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context generator;
static mbedtls_ssl_config config;
static mbedtls_x509_crt chain;
static mbedtls_pk_context key;
static mbedtls_ssl_ticket_context tickets;

static void must(int error)
{
    if (error == 0)
        return;
    char text[128];
    mbedtls_strerror(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static void prepare(char **words)
{
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&generator);
    mbedtls_ssl_config_init(&config);
    mbedtls_x509_crt_init(&chain);
    mbedtls_pk_init(&key);
    mbedtls_ssl_ticket_init(&tickets);
    must(psa_crypto_init());
    must(mbedtls_ctr_drbg_seed(&generator, mbedtls_entropy_func, &entropy, NULL, 0));
    must(mbedtls_x509_crt_parse_file(&chain, words[2]));
    must(mbedtls_pk_parse_keyfile(&key, words[3], NULL, mbedtls_ctr_drbg_random, &generator));
    must(mbedtls_ssl_config_defaults(&config, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM,
                                     MBEDTLS_SSL_PRESET_DEFAULT));
    must(mbedtls_ssl_ticket_setup(&tickets, mbedtls_ctr_drbg_random, &generator,
                                  MBEDTLS_CIPHER_AES_256_GCM, 3600));
    mbedtls_ssl_conf_session_tickets_cb(&config, mbedtls_ssl_ticket_write, mbedtls_ssl_ticket_parse,
                                        &tickets);
    mbedtls_ssl_conf_rng(&config, mbedtls_ctr_drbg_random, &generator);
    must(mbedtls_ssl_conf_own_cert(&config, &chain, &key));
    const mbedtls_ssl_protocol_version version =
        strcmp(words[4], "1.2") == 0 ? MBEDTLS_SSL_VERSION_TLS1_2 : MBEDTLS_SSL_VERSION_TLS1_3;
    mbedtls_ssl_conf_min_tls_version(&config, version);
    mbedtls_ssl_conf_max_tls_version(&config, version);
}

static int serve(mbedtls_ssl_context *ssl, const unsigned char *payload, size_t size)
{
    unsigned char rest[256];
    int error = mbedtls_ssl_handshake(ssl);
    for (size_t sent = 0; error == 0 && sent < size;) {
        const int got = mbedtls_ssl_write(ssl, payload + sent, size - sent);
        if (got < 0)
            error = got;
        else
            sent += (size_t)got;
    }
    while (error == 0 && mbedtls_ssl_read(ssl, rest, sizeof rest) > 0)
        ;
    return error;
}

int main(int count, char **words)
{
    unsigned char payload[PAYLOAD_MOST];
    size_t size = 0;
    const char *digits = count > 5 ? words[5] : "";
    for (unsigned byte; size < sizeof payload && sscanf(digits, "%2x", &byte) == 1; digits += 2)
        payload[size++] = (unsigned char)byte;
    prepare(words);
    char *port = strrchr(words[1], ':');
    *port++ = 0;
    mbedtls_net_context listening, client;
    mbedtls_net_init(&listening);
    must(mbedtls_net_bind(&listening, words[1], port, MBEDTLS_NET_PROTO_TCP));
    for (;;) {
        mbedtls_ssl_context ssl;
        mbedtls_net_init(&client);
        must(mbedtls_net_accept(&listening, &client, NULL, 0, NULL));
        mbedtls_ssl_init(&ssl);
        must(mbedtls_ssl_setup(&ssl, &config));
        mbedtls_ssl_set_bio(&ssl, &client, mbedtls_net_send, mbedtls_net_recv, NULL);
        printf("%d\n", serve(&ssl, payload, size));
        fflush(stdout);
        mbedtls_ssl_free(&ssl);
        mbedtls_net_free(&client);
    }
}
