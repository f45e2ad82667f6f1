/* client.c - a TLS client on Mbed TLS 3.6: connects, verifies the server, receives a payload.
 *
 * One source for every target and for Linux; what can be negotiated is decided by config.h,
 * so that an image holds what its connection needs. Everything that Mbed TLS allocates comes from
 * port_calloc, all randomness from port_random, the time from port_time.
 *
 * A client that resumes (CLIENT_RESUMES) connects twice: first as any other, for the session that
 * the server gives it, then with that session. It marks and counts the second connection. */
#include <string.h>

#if defined(CLIENT_WEB) && !defined(CLIENT_TLS12)
#define CLIENT_MENDS_36
#include "ssl_misc.h" /* first: it lets others see what is private */
#endif

#include "mbedtls/platform_time.h"
#include "mbedtls/platform_util.h"
#include "mbedtls/ssl.h"
#include "mbedtls/x509_crt.h"
#include "port.h"
#include "psa/crypto.h"

#if defined(CLIENT_DTLS)
#include "dtls.h"
#define CLIENT_TRANSPORT MBEDTLS_SSL_TRANSPORT_DATAGRAM
#else
#define CLIENT_TRANSPORT MBEDTLS_SSL_TRANSPORT_STREAM
#endif

static struct {
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
    mbedtls_x509_crt anchor;
    mbedtls_x509_crt certificate;
    mbedtls_pk_context key;
} tls;

#if defined(CLIENT_RESUMES)
static struct {
    mbedtls_ssl_session session;
    int given;    /* whether the server gave one */
    int verified; /* certificates that were verified: of a connection that is resumed, none */
} first;

static int count_verified(void *context, mbedtls_x509_crt *certificate, int depth, uint32_t *flags)
{
    (void)context;
    (void)certificate;
    (void)depth;
    (void)flags;
    first.verified++;
    return 0;
}

#endif

/* Whether what came was no payload, but another message: a ticket, or part of one. */
static int read_again(int got)
{
#if defined(CLIENT_RESUMES)
    if (got == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET)
        first.given = 1;
#endif
#if defined(CLIENT_RESUMES) || defined(CLIENT_DTLS)
    if (got == MBEDTLS_ERR_SSL_WANT_READ)
        return 1;
#endif
    return got == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET;
}

/* RFC 8446, 4.2.7 and 4.2.3: what is offered, in this order. */
static const uint16_t groups[] = {CLIENT_GROUPS, 0};
static const uint16_t signatures[] = {CLIENT_SIGNATURES, MBEDTLS_TLS1_3_SIG_NONE};

/* Certificates (RFC 5280) may not use weaker algorithms than those that the handshake accepts. */
static const mbedtls_x509_crt_profile profile = {
    MBEDTLS_X509_ID_FLAG(MBEDTLS_MD_SHA256) | MBEDTLS_X509_ID_FLAG(MBEDTLS_MD_SHA384) |
        MBEDTLS_X509_ID_FLAG(MBEDTLS_MD_SHA512),
    0xFFFFFFFu,
    0xFFFFFFFu,
    2048,
};

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

/* Days since 1970 to a date of the Gregorian calendar; years are counted from a March. */
struct tm *mbedtls_platform_gmtime_r(const mbedtls_time_t *time, struct tm *out)
{
    const int64_t day = *time / 86400 + 719468; /* since 0000-03-01 */
    const uint32_t second = (uint32_t)(*time % 86400);
    const uint32_t era = (uint32_t)(day / 146097);
    const uint32_t rest = (uint32_t)(day % 146097);
    const uint32_t year = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    const uint32_t of_year = rest - (365 * year + year / 4 - year / 100);
    const uint32_t month = (5 * of_year + 2) / 153; /* 0: March */
    memset(out, 0, sizeof *out);
    out->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
    out->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
    out->tm_year = (int)(year + 400 * era + (month >= 10)) - 1900;
    out->tm_hour = (int)(second / 3600);
    out->tm_min = (int)(second / 60 % 60);
    out->tm_sec = (int)(second % 60);
    return out;
}

#if defined(CLIENT_MENDS_36)
/* When the server has sent its half of the handshake, it takes encrypted records alone (RFC 8446,
 * 5). Mbed TLS 3.6 sends an alert about that half in the clear, and servers then log a wrong
 * record. Such an alert is held back and sent again under the keys of the handshake. */
static uint8_t held_alert;

static int clear_alert(const unsigned char *bytes, size_t size)
{
    return size == 7 && bytes[0] == MBEDTLS_SSL_MSG_ALERT && tls.ssl.handshake != NULL &&
           tls.ssl.handshake->transform_handshake != NULL && tls.ssl.transform_out == NULL;
}

static void send_held_alert(void)
{
    if (held_alert == 0)
        return;
    mbedtls_ssl_set_outbound_transform(&tls.ssl, tls.ssl.handshake->transform_handshake);
    mbedtls_ssl_send_alert_message(&tls.ssl, MBEDTLS_SSL_ALERT_LEVEL_FATAL, held_alert);
}
#endif

/* What of Mbed TLS's conventions a port does not know. */
static int send_bytes(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
#if defined(CLIENT_MENDS_36)
    if (clear_alert(bytes, size)) {
        held_alert = bytes[size - 1];
        return (int)size;
    }
#endif
    const int sent = port_send(bytes, size);
    return sent >= 0 ? sent : MBEDTLS_ERR_SSL_CONN_EOF;
}

static int receive_bytes(void *context, unsigned char *bytes, size_t size)
{
    (void)context;
    const int got = port_receive(bytes, size);
#if defined(CLIENT_MENDS_36)
    /* A server that keeps no state sends a cookie that nobody asked for (RFC 8446, 4.2.2). Mbed TLS
     * 3.6.5 would echo it, and yet refuses it as an extension that it did not send itself. */
    if (tls.ssl.handshake != NULL)
        tls.ssl.handshake->sent_extensions |= MBEDTLS_SSL_EXT_MASK(COOKIE);
#endif
    return got == PORT_LATE ? MBEDTLS_ERR_SSL_TIMEOUT : got < 0 ? MBEDTLS_ERR_SSL_CONN_EOF : got;
}

static int identity(const struct port_given *given)
{
#if defined(CLIENT_AUTHENTICATES)
    int error = mbedtls_x509_crt_parse_der_nocopy(&tls.certificate, given->certificate,
                                                  given->certificate_size);
    if (error == 0)
        error = mbedtls_pk_parse_key(&tls.key, given->key, given->key_size, NULL, 0, random_bytes,
                                     NULL);
    if (error == 0)
        error = mbedtls_ssl_conf_own_cert(&tls.config, &tls.certificate, &tls.key);
    return error;
#else
    (void)given;
    return 0;
#endif
}

/* Whom the client trusts: in CLIENT_WEB several authorities, one behind the other. */
static int trust(const struct port_given *given)
{
#if defined(CLIENT_WEB)
    const mbedtls_x509_crt *last = &tls.anchor;
    int error = 0;
    for (size_t done = 0; error == 0 && done < given->anchor_size; done += last->raw.len) {
        error = mbedtls_x509_crt_parse_der_nocopy(&tls.anchor, given->anchor + done,
                                                  given->anchor_size - done);
        while (last->next != NULL)
            last = last->next;
    }
    return error;
#else
    return mbedtls_x509_crt_parse_der_nocopy(&tls.anchor, given->anchor, given->anchor_size);
#endif
}

/* Everything that can be done before there is a connection. */
static int prepare(const struct port_given *given)
{
    mbedtls_ssl_config_init(&tls.config);
    mbedtls_ssl_init(&tls.ssl);
    mbedtls_x509_crt_init(&tls.anchor);
    mbedtls_x509_crt_init(&tls.certificate);
    mbedtls_pk_init(&tls.key);
#if defined(CLIENT_RESUMES)
    mbedtls_ssl_session_init(&first.session);
#endif
    const psa_status_t ready = psa_crypto_init();
    int error = ready == PSA_SUCCESS ? 0 : ready;
    if (error == 0)
        error = mbedtls_ssl_config_defaults(&tls.config, MBEDTLS_SSL_IS_CLIENT, CLIENT_TRANSPORT,
                                            MBEDTLS_SSL_PRESET_DEFAULT);
    if (error == 0)
        error = trust(given);
    if (error == 0)
        error = identity(given);
    if (error != 0)
        return error;
    mbedtls_ssl_conf_authmode(&tls.config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_cert_profile(&tls.config, &profile);
    mbedtls_ssl_conf_ca_chain(&tls.config, &tls.anchor, NULL);
    mbedtls_ssl_conf_rng(&tls.config, random_bytes, NULL);
    mbedtls_ssl_conf_groups(&tls.config, groups);
    mbedtls_ssl_conf_sig_algs(&tls.config, signatures);
#if defined(CLIENT_RESUMES)
    mbedtls_ssl_conf_verify(&tls.config, count_verified, NULL);
#if !defined(CLIENT_TLS12)
    mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
        &tls.config, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
#endif
#endif
    error = mbedtls_ssl_setup(&tls.ssl, &tls.config);
    if (error == 0)
        error = mbedtls_ssl_set_hostname(&tls.ssl, given->name);
    mbedtls_ssl_set_bio(&tls.ssl, NULL, send_bytes, receive_bytes, NULL);
#if defined(CLIENT_DTLS)
    if (error == 0)
        error = dtls_prepare(&tls.ssl, &tls.config);
#endif
    return error;
}

/* Receives the whole payload. */
static int receive_payload(const struct port_given *given, struct port_result *result)
{
    uint8_t buffer[64];
    while (result->payload_bytes < given->payload_size) {
        const int got = mbedtls_ssl_read(&tls.ssl, buffer, sizeof buffer);
        if (read_again(got))
            continue;
        if (got <= 0)
            return got < 0 && got != MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY ? got : PORT_SHORT;
        for (int i = 0; i < got; i++)
            result->payload_sum += buffer[i];
        result->payload_bytes += (uint32_t)got;
    }
    return 0;
}

static int handshake(struct port_result *result)
{
    int error = 0;
#if defined(CLIENT_MENDS_36)
    held_alert = 0;
#endif
    do {
        error = mbedtls_ssl_handshake(&tls.ssl);
    } while (error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE);
    result->flags = mbedtls_ssl_get_verify_result(&tls.ssl);
#if defined(CLIENT_MENDS_36)
    send_held_alert();
#endif
    return error;
}

#if defined(CLIENT_RESUMES)
/* Reads until the server has given a ticket: in TLS 1.3 it may come at any time. */
static int receive_ticket(void)
{
#if !defined(CLIENT_TLS12)
    uint8_t byte;
    while (!first.given) {
        const int got = mbedtls_ssl_read(&tls.ssl, &byte, sizeof byte);
        if (!read_again(got))
            return got == MBEDTLS_ERR_SSL_TIMEOUT ? PORT_NO_SESSION : got < 0 ? got : PORT_GONE;
    }
#endif
    return 0;
}

/* The connection that gives a session, and everything ready for the one that resumes it. */
static int connect_first(const struct port_given *given, struct port_result *result)
{
    first.given = 0;
    int error = handshake(result);
    if (error == 0)
        error = receive_payload(given, result);
    if (error == 0)
        error = receive_ticket();
    if (error == 0)
        error = mbedtls_ssl_get_session(&tls.ssl, &first.session);
    if (error == 0)
        error = mbedtls_ssl_close_notify(&tls.ssl);
    port_leave();
    if (error == 0)
        error = mbedtls_ssl_session_reset(&tls.ssl);
    if (error == 0)
        error = mbedtls_ssl_set_session(&tls.ssl, &first.session);
#if defined(CLIENT_PSK_ONLY)
    mbedtls_ssl_conf_tls13_key_exchange_modes(&tls.config,
                                              MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK);
#endif
    first.verified = 0;
    result->payload_bytes = result->payload_sum = 0;
    return error;
}
#endif

static int connect(const struct port_given *given, struct port_result *result)
{
    int error = prepare(given);
#if defined(CLIENT_RESUMES)
    if (error == 0)
        error = connect_first(given, result);
#endif
    if (error != 0)
        return error;
    port_mark(result->stage = STAGE_READY);
    error = handshake(result);
#if defined(CLIENT_RESUMES)
    result->resumed = error == 0 && first.verified == 0;
    if (error == 0 && !result->resumed)
        error = PORT_NOT_RESUMED;
#endif
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
#if defined(CLIENT_RESUMES)
    mbedtls_ssl_session_free(&first.session);
#endif
    mbedtls_ssl_free(&tls.ssl);
    mbedtls_ssl_config_free(&tls.config);
    mbedtls_pk_free(&tls.key);
    mbedtls_x509_crt_free(&tls.certificate);
    mbedtls_x509_crt_free(&tls.anchor);
    mbedtls_psa_crypto_free();
}
