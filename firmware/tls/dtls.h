/* dtls.h - what a client over UDP sets up beside one over TCP (RFC 6347, RFC 9146). */
#ifndef CLIENT_DTLS_H
#define CLIENT_DTLS_H

#include "mbedtls/ssl.h"

#define DTLS_MTU 1232u          /* bytes: 1280 of IPv6, less its header and that of UDP */
#define DTLS_PATIENCE_MS 60000u /* the port waits, and nothing is lost: no flight is repeated */

static uint32_t dtls_timer; /* milliseconds that were asked for; 0: it is off */

static void dtls_set_timer(void *context, uint32_t intermediate, uint32_t last)
{
    (void)intermediate;
    *(uint32_t *)context = last;
}

/* It never fires: a port that waits in vain says so itself. */
static int dtls_get_timer(void *context)
{
    return *(const uint32_t *)context == 0 ? -1 : 0;
}

/* After mbedtls_ssl_setup. The client asks for no ID of its own, and takes that of the server. */
static int dtls_prepare(mbedtls_ssl_context *ssl, mbedtls_ssl_config *config)
{
    mbedtls_ssl_conf_handshake_timeout(config, DTLS_PATIENCE_MS, DTLS_PATIENCE_MS);
    mbedtls_ssl_set_timer_cb(ssl, &dtls_timer, dtls_set_timer, dtls_get_timer);
    mbedtls_ssl_set_mtu(ssl, DTLS_MTU);
    return mbedtls_ssl_set_cid(ssl, MBEDTLS_SSL_CID_ENABLED, NULL, 0);
}

#endif
