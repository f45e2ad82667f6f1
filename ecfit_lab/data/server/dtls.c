/* A server of DTLS 1.2 with connection IDs on Mbed TLS: the job of ecfit_lab/tls/server.py, lines
 * of hexadecimal digits on its standard input: certificates and key (PEM, with a 0 behind), whom it
 * trusts (DER; none: the client needs no certificate), a shared key (none: certificates) and its
 * identity, and the payload. It prints its port, serves each client in turn until its input ends,
 * and prints why one failed. It always asks for a cookie, and never sends a flight again: its clock
 * would decide what the recording of a slow client holds. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbedtls/ctr_drbg.h"
#include "mbedtls/entropy.h"
#include "mbedtls/error.h"
#include "mbedtls/net_sockets.h"
#include "mbedtls/ssl.h"
#include "mbedtls/ssl_cookie.h"
#include "mbedtls/timing.h"
#include "psa/crypto.h"

enum { CHAIN, KEY, TRUSTED, SHARED, IDENTITY, PAYLOAD, FIELDS };
#define PATIENCE_MS 60000 /* for a flight */
#define SILENCE_MS 5000   /* for the end of a connection */
#define MTU 1232          /* bytes: 1280 of IPv6, less its header and that of UDP */

static struct {
    unsigned char *bytes;
    size_t size;
} job[FIELDS];
static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context generator;
static mbedtls_ssl_config config;
static mbedtls_x509_crt chain, trusted;
static mbedtls_pk_context key;
static mbedtls_ssl_cookie_ctx cookies;

static void say(int error)
{
    char text[128];
    mbedtls_strerror(error, text, sizeof text);
    puts(text);
    fflush(stdout);
}

static void must(int error)
{
    if (error == 0)
        return;
    say(error);
    exit(1);
}

static void read_job(void)
{
    char *line = NULL;
    size_t room = 0;
    for (int field = 0; field < FIELDS; field++) {
        if (getline(&line, &room, stdin) < 0)
            exit(1);
        job[field].bytes = malloc(strlen(line) / 2 + 1);
        unsigned byte;
        for (char *at = line; sscanf(at, "%2x", &byte) == 1; at += 2)
            job[field].bytes[job[field].size++] = (unsigned char)byte;
    }
    free(line);
}

static void prepare(void)
{
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&generator);
    mbedtls_ssl_config_init(&config);
    mbedtls_x509_crt_init(&chain);
    mbedtls_x509_crt_init(&trusted);
    mbedtls_pk_init(&key);
    mbedtls_ssl_cookie_init(&cookies);
    must(psa_crypto_init());
    must(mbedtls_ctr_drbg_seed(&generator, mbedtls_entropy_func, &entropy, NULL, 0));
    must(mbedtls_ssl_config_defaults(&config, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_DATAGRAM,
                                     MBEDTLS_SSL_PRESET_DEFAULT));
    mbedtls_ssl_conf_rng(&config, mbedtls_ctr_drbg_random, &generator);
    mbedtls_ssl_conf_handshake_timeout(&config, PATIENCE_MS, PATIENCE_MS);
    mbedtls_ssl_conf_read_timeout(&config, SILENCE_MS);
    must(mbedtls_ssl_cookie_setup(&cookies, mbedtls_ctr_drbg_random, &generator));
    mbedtls_ssl_conf_dtls_cookies(&config, mbedtls_ssl_cookie_write, mbedtls_ssl_cookie_check,
                                  &cookies);
    must(mbedtls_ssl_conf_cid(&config, 1, MBEDTLS_SSL_UNEXPECTED_CID_IGNORE));
    if (job[SHARED].size) {
        must(mbedtls_ssl_conf_psk(&config, job[SHARED].bytes, job[SHARED].size, job[IDENTITY].bytes,
                                  job[IDENTITY].size));
        return;
    }
    must(mbedtls_x509_crt_parse(&chain, job[CHAIN].bytes, job[CHAIN].size));
    must(mbedtls_pk_parse_key(&key, job[KEY].bytes, job[KEY].size, NULL, 0, mbedtls_ctr_drbg_random,
                              &generator));
    must(mbedtls_ssl_conf_own_cert(&config, &chain, &key));
    if (job[TRUSTED].size) {
        must(mbedtls_x509_crt_parse(&trusted, job[TRUSTED].bytes, job[TRUSTED].size));
        mbedtls_ssl_conf_ca_chain(&config, &trusted, NULL);
        mbedtls_ssl_conf_authmode(&config, MBEDTLS_SSL_VERIFY_REQUIRED);
    }
}

/* The handshake, again from its begin after a cookie. */
static int meet(mbedtls_ssl_context *ssl, const unsigned char *ip, size_t size)
{
    static const unsigned char id[1] = {0x53};
    int error = MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED;
    while (error == MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED) {
        must(mbedtls_ssl_session_reset(ssl));
        must(mbedtls_ssl_set_cid(ssl, MBEDTLS_SSL_CID_ENABLED, id, sizeof id));
        must(mbedtls_ssl_set_client_transport_id(ssl, ip, size));
        do
            error = mbedtls_ssl_handshake(ssl);
        while (error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE);
    }
    return error;
}

static void serve(mbedtls_net_context *door)
{
    mbedtls_net_context client;
    mbedtls_ssl_context ssl;
    mbedtls_timing_delay_context timer;
    unsigned char ip[16], rest[64];
    size_t size = 0;
    mbedtls_net_init(&client);
    must(mbedtls_net_accept(door, &client, ip, sizeof ip, &size));
    mbedtls_ssl_init(&ssl);
    must(mbedtls_ssl_setup(&ssl, &config));
    mbedtls_ssl_set_timer_cb(&ssl, &timer, mbedtls_timing_set_delay, mbedtls_timing_get_delay);
    mbedtls_ssl_set_mtu(&ssl, MTU);
    mbedtls_ssl_set_bio(&ssl, &client, mbedtls_net_send, mbedtls_net_recv,
                        mbedtls_net_recv_timeout);
    int error = meet(&ssl, ip, size);
    if (error == 0)
        error = mbedtls_ssl_write(&ssl, job[PAYLOAD].bytes, job[PAYLOAD].size);
    while (error > 0)
        error = mbedtls_ssl_read(&ssl, rest, sizeof rest);
    if (error != 0 && error != MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY)
        say(error);
    mbedtls_ssl_free(&ssl);
    mbedtls_net_free(&client);
}

static void *until_the_end(void *unused)
{
    while (getchar() != EOF)
        ;
    exit(0);
    return unused;
}

int main(void)
{
    mbedtls_net_context door;
    struct sockaddr_in here;
    socklen_t size = sizeof here;
    pthread_t waits;
    read_job();
    prepare();
    mbedtls_net_init(&door);
    must(mbedtls_net_bind(&door, "127.0.0.1", "0", MBEDTLS_NET_PROTO_UDP));
    if (getsockname(door.fd, (struct sockaddr *)&here, &size) != 0)
        return 1;
    printf("%d\n", ntohs(here.sin_port));
    fflush(stdout);
    if (pthread_create(&waits, NULL, until_the_end, NULL) != 0)
        return 1;
    for (;;)
        serve(&door);
}
