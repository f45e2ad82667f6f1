/* client.c (wolfSSL) - the client of firmware/tls on another library: connects, verifies the
 * server, receives a payload. What is asked of it, and how it is marked, is the same.
 *
 * Everything that wolfSSL allocates comes from port_calloc, all randomness from port_random,
 * the time from port_time. */
#include <string.h>

#include "user_settings.h"
#include "wolfssl/ssl.h"

#include "port.h"

enum { PORT_WOLFSSL = -0x100000 }; /* and an error of wolfSSL: apart from those of the port */

static struct {
    WOLFSSL_CTX *context;
    WOLFSSL *ssl;
    int lost; /* what the port said last, where it was no byte */
} tls;

int client_random(unsigned char *out, unsigned int size)
{
    return port_random(out, size);
}

time_t client_time(time_t *out)
{
    const time_t now = (time_t)(port_time() / 1000);
    if (out != NULL)
        *out = now;
    return now;
}

/* Days since 1970 to a date of the Gregorian calendar; years are counted from a March. */
struct tm *client_gmtime(const time_t *time, struct tm *out)
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

static int send_bytes(WOLFSSL *ssl, char *bytes, int size, void *context)
{
    (void)ssl;
    (void)context;
    const int sent = port_send((const uint8_t *)bytes, (size_t)size);
    if (sent < 0)
        tls.lost = sent;
    return sent >= 0 ? sent : WOLFSSL_CBIO_ERR_CONN_RST;
}

static int receive_bytes(WOLFSSL *ssl, char *bytes, int size, void *context)
{
    (void)ssl;
    (void)context;
    const int got = port_receive((uint8_t *)bytes, (size_t)size);
    if (got <= 0)
        tls.lost = got < 0 ? got : PORT_GONE;
    return got > 0 ? got : WOLFSSL_CBIO_ERR_CONN_CLOSE;
}

/* What went wrong: wolfSSL's word, but the port's where that is all that it says. */
static int failed(void)
{
    const int why = wolfSSL_get_error(tls.ssl, -1);
    const int of_port = why == SOCKET_ERROR_E || why == SOCKET_PEER_CLOSED_E ||
                        why == WOLFSSL_ERROR_ZERO_RETURN || why >= WOLFSSL_ERROR_SYSCALL;
    return tls.lost != 0 && of_port ? tls.lost : PORT_WOLFSSL + why;
}

/* Everything that can be done before there is a connection. */
static int prepare(const struct port_given *given)
{
    int group = CLIENT_GROUP;
    if (wolfSSL_Init() != WOLFSSL_SUCCESS)
        return PORT_WOLFSSL;
#if defined(CLIENT_TLS12)
    tls.context = wolfSSL_CTX_new(wolfTLSv1_2_client_method());
#else
    tls.context = wolfSSL_CTX_new(wolfTLSv1_3_client_method());
#endif
    if (tls.context == NULL)
        return PORT_WOLFSSL;
    wolfSSL_CTX_SetIOSend(tls.context, send_bytes);
    wolfSSL_CTX_SetIORecv(tls.context, receive_bytes);
    wolfSSL_CTX_set_verify(tls.context, WOLFSSL_VERIFY_PEER, NULL);
    int good = wolfSSL_CTX_load_verify_buffer(tls.context, given->anchor, (long)given->anchor_size,
                                              WOLFSSL_FILETYPE_ASN1);
#if defined(CLIENT_AUTHENTICATES)
    if (good == WOLFSSL_SUCCESS)
        good = wolfSSL_CTX_use_certificate_buffer(
            tls.context, given->certificate, (long)given->certificate_size, WOLFSSL_FILETYPE_ASN1);
    if (good == WOLFSSL_SUCCESS)
        good = wolfSSL_CTX_use_PrivateKey_buffer(tls.context, given->key, (long)given->key_size,
                                                 WOLFSSL_FILETYPE_ASN1);
#endif
    if (good == WOLFSSL_SUCCESS)
        good = wolfSSL_CTX_UseSNI(tls.context, WOLFSSL_SNI_HOST_NAME, given->name,
                                  (unsigned short)strlen(given->name));
#if defined(CLIENT_TLS12)
    if (good == WOLFSSL_SUCCESS)
        good = wolfSSL_CTX_UseSupportedCurve(tls.context, (word16)group);
#else
    if (good == WOLFSSL_SUCCESS)
        good = wolfSSL_CTX_set_groups(tls.context, &group, 1);
#endif
    if (good == WOLFSSL_SUCCESS) {
        tls.ssl = wolfSSL_new(tls.context);
        good = tls.ssl != NULL ? WOLFSSL_SUCCESS : WOLFSSL_FAILURE;
    }
    if (good == WOLFSSL_SUCCESS)
        good = wolfSSL_check_domain_name(tls.ssl, given->name);
    return good == WOLFSSL_SUCCESS ? 0 : PORT_WOLFSSL + (good < 0 ? good : 0);
}

/* Receives the whole payload. */
static int receive_payload(const struct port_given *given, struct port_result *result)
{
    uint8_t buffer[64];
    while (result->payload_bytes < given->payload_size) {
        const int got = wolfSSL_read(tls.ssl, buffer, sizeof buffer);
        if (got <= 0) {
            const int why = wolfSSL_get_error(tls.ssl, got);
            return why == WOLFSSL_ERROR_ZERO_RETURN || tls.lost == PORT_GONE ? PORT_SHORT
                                                                             : failed();
        }
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
    if (wolfSSL_connect(tls.ssl) != WOLFSSL_SUCCESS)
        return failed();
    result->version = (uint32_t)wolfSSL_version(tls.ssl);
    result->ciphersuite = (uint32_t)wolfSSL_get_current_cipher_suite(tls.ssl);
    port_mark(result->stage = STAGE_CONNECTED);
    error = receive_payload(given, result);
    if (error != 0)
        return error;
    port_mark(result->stage = STAGE_SERVED);
    wolfSSL_shutdown(tls.ssl); /* its close_notify; the server's is not waited for */
    port_mark(result->stage = STAGE_CLOSED);
    return tls.lost;
}

void client(struct port_result *result)
{
    WOLFSSL_ALERT_HISTORY alerts;
    memset(result, 0, sizeof *result);
    memset(&tls, 0, sizeof tls);
    result->error = connect(port_given(), result);
    if (result->error != 0 && tls.ssl != NULL &&
        wolfSSL_get_alert_history(tls.ssl, &alerts) == WOLFSSL_SUCCESS &&
        alerts.last_rx.level == alert_fatal)
        result->alert = 256u + (uint32_t)alerts.last_rx.code;
    wolfSSL_free(tls.ssl);
    wolfSSL_CTX_free(tls.context);
    wolfSSL_Cleanup();
}
