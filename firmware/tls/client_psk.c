/* client_psk.c - the client of client.c with a key that it shares with the server (RFC 4279), over
 * DTLS: what devices of LwM2M do. Nothing of X.509 or of elliptic curves is in its image. */
#include <string.h>

#include "dtls.h"
#include "mbedtls/platform_time.h"
#include "mbedtls/ssl.h"
#include "port.h"
#include "psa/crypto.h"

static struct {
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
} tls;

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t size, size_t *length)
{
    (void)context;
    *length = size;
    return port_random(output, size) == 0 ? PSA_SUCCESS : PSA_ERROR_HARDWARE_FAILURE;
}

static int random_bytes(void *context, unsigned char *out, size_t size)
{
    (void)context;
    return port_random(out, size);
}

time_t client_time(time_t *out)
{
    const time_t now = (time_t)(port_time() / 1000);
    if (out != NULL)
        *out = now;
    return now;
}

mbedtls_ms_time_t mbedtls_ms_time(void)
{
    return port_time();
}

static int send_bytes(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    const int sent = port_send(bytes, size);
    return sent >= 0 ? sent : MBEDTLS_ERR_SSL_CONN_EOF;
}

static int receive_bytes(void *context, unsigned char *bytes, size_t size)
{
    (void)context;
    const int got = port_receive(bytes, size);
    return got == PORT_LATE ? MBEDTLS_ERR_SSL_TIMEOUT : got < 0 ? MBEDTLS_ERR_SSL_CONN_EOF : got;
}

static int prepare(const struct port_given *given)
{
    mbedtls_ssl_config_init(&tls.config);
    mbedtls_ssl_init(&tls.ssl);
    const psa_status_t ready = psa_crypto_init();
    int error = ready == PSA_SUCCESS ? 0 : ready;
    if (error == 0)
        error =
            mbedtls_ssl_config_defaults(&tls.config, MBEDTLS_SSL_IS_CLIENT,
                                        MBEDTLS_SSL_TRANSPORT_DATAGRAM, MBEDTLS_SSL_PRESET_DEFAULT);
    mbedtls_ssl_conf_rng(&tls.config, random_bytes, NULL);
    if (error == 0)
        error = mbedtls_ssl_conf_psk(&tls.config, given->key, given->key_size,
                                     (const unsigned char *)given->name, strlen(given->name));
    if (error == 0)
        error = mbedtls_ssl_setup(&tls.ssl, &tls.config);
    mbedtls_ssl_set_bio(&tls.ssl, NULL, send_bytes, receive_bytes, NULL);
    return error == 0 ? dtls_prepare(&tls.ssl, &tls.config) : error;
}

static int receive_payload(const struct port_given *given, struct port_result *result)
{
    uint8_t buffer[64];
    while (result->payload_bytes < given->payload_size) {
        const int got = mbedtls_ssl_read(&tls.ssl, buffer, sizeof buffer);
        if (got == MBEDTLS_ERR_SSL_WANT_READ)
            continue;
        if (got <= 0)
            return got < 0 && got != MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY ? got : PORT_SHORT;
        for (int i = 0; i < got; i++)
            result->payload_sum += buffer[i];
        result->payload_bytes += (uint32_t)got;
    }
    return 0;
}

static int connect(const struct port_given *given, struct port_result *result)
{
    int error = prepare(given);
    if (error != 0)
        return error;
    port_mark(result->stage = STAGE_READY);
    do {
        error = mbedtls_ssl_handshake(&tls.ssl);
    } while (error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE);
    if (error != 0)
        return error;
    result->version = (uint32_t)mbedtls_ssl_get_version_number(&tls.ssl);
    result->ciphersuite = (uint32_t)mbedtls_ssl_get_ciphersuite_id_from_ssl(&tls.ssl);
    port_mark(result->stage = STAGE_CONNECTED);
    error = receive_payload(given, result);
    if (error != 0)
        return error;
    port_mark(result->stage = STAGE_SERVED);
    error = mbedtls_ssl_close_notify(&tls.ssl);
    port_mark(result->stage = STAGE_CLOSED);
    return error;
}

void client(struct port_result *result)
{
    memset(result, 0, sizeof *result);
    result->error = connect(port_given(), result);
    if (result->error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE)
        result->alert = 256u + tls.ssl.MBEDTLS_PRIVATE(in_msg)[1];
    mbedtls_ssl_free(&tls.ssl);
    mbedtls_ssl_config_free(&tls.config);
    mbedtls_psa_crypto_free();
}
