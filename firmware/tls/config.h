/* config.h - Mbed TLS as the client has it: one version of TLS, one kind of signature, AES-128-GCM
 * with SHA-256 (SHA-384 or -512 beside it where a curve wants them). The build says which:
 *
 *   CLIENT_TLS12            TLS 1.2; else 1.3
 *   CLIENT_DTLS             DTLS with a connection ID (RFC 9146)
 *   CLIENT_PSK              a shared key and AES-128-CCM-8; no certificates, no elliptic curves
 *   CLIENT_RSA              the server's certificates are RSA; else ECDSA
 *   CLIENT_AUTHENTICATES    the client has a certificate and a key of its own
 *   CLIENT_SHA512           SHA-384 and SHA-512 are there, too
 *   CLIENT_RESUMES          the client resumes a session (client.c)
 *   CLIENT_TICKET           by a ticket; in TLS 1.2 else by the session's number
 *   CLIENT_PSK_ONLY         without a new key exchange
 *   CLIENT_WEB              certificates may be RSA or ECDSA, from one chain
 *   CLIENT_RECORD           bytes of a record that comes in; the server is told (RFC 8449, 6066)
 *   CLIENT_GROUPS, CLIENT_SIGNATURES    what is offered (client.c)
 *
 * crypto_config.h has the other half, the mechanisms of PSA Crypto. */
#ifndef CLIENT_CONFIG_H
#define CLIENT_CONFIG_H

#include <stddef.h>
#include <time.h>

void *port_calloc(size_t count, size_t size);
void port_free(void *block);
time_t client_time(time_t *out);

/* The platform: memory, time and randomness are the port's. */
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO port_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO port_free
#define MBEDTLS_HAVE_TIME
#define MBEDTLS_HAVE_TIME_DATE
#define MBEDTLS_PLATFORM_TIME_MACRO client_time
#define MBEDTLS_PLATFORM_TIME_TYPE_MACRO time_t
#define MBEDTLS_PLATFORM_MS_TIME_ALT
#define MBEDTLS_PLATFORM_GMTIME_R_ALT
#define MBEDTLS_HAVE_ASM
#define MBEDTLS_ECP_NIST_OPTIM /* of its own elliptic curves; tables of the base point, too */

/* All cryptography through PSA, so that every back end comes in by one door. */
#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_CRYPTO_CONFIG
#define MBEDTLS_USE_PSA_CRYPTO
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#define MBEDTLS_PSA_KEY_SLOT_COUNT 16

#define MBEDTLS_MD_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_AES_ONLY_128_BIT_KEY_LENGTH

#if !defined(CLIENT_PSK)
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_OID_C
#define MBEDTLS_PK_C
#define MBEDTLS_PK_PARSE_C
#define MBEDTLS_X509_USE_C
#define MBEDTLS_X509_CRT_PARSE_C
#define MBEDTLS_X509_REMOVE_INFO
#define MBEDTLS_SSL_SERVER_NAME_INDICATION
#define MBEDTLS_SSL_KEEP_PEER_CERTIFICATE
#endif

#define MBEDTLS_SSL_TLS_C
#define MBEDTLS_SSL_CLI_C
#if defined(CLIENT_TICKET)
#define MBEDTLS_SSL_SESSION_TICKETS
#endif
#if defined(CLIENT_RECORD)
#define MBEDTLS_SSL_IN_CONTENT_LEN CLIENT_RECORD
#elif defined(CLIENT_WEB)
#define MBEDTLS_SSL_IN_CONTENT_LEN 16384
#else
#define MBEDTLS_SSL_IN_CONTENT_LEN 4096
#endif
#if defined(CLIENT_WEB) && defined(CLIENT_TLS12)
#define MBEDTLS_SSL_MAX_FRAGMENT_LENGTH
#elif defined(CLIENT_WEB)
#define MBEDTLS_SSL_RECORD_SIZE_LIMIT
#endif
#define MBEDTLS_SSL_OUT_CONTENT_LEN 2048
#if defined(CLIENT_DTLS)
#define MBEDTLS_SSL_PROTO_DTLS
#define MBEDTLS_SSL_DTLS_ANTI_REPLAY
#define MBEDTLS_SSL_DTLS_CONNECTION_ID
#define MBEDTLS_SSL_DTLS_CONNECTION_ID_COMPAT 0
#define MBEDTLS_SSL_CID_IN_LEN_MAX 0
#define MBEDTLS_SSL_CID_OUT_LEN_MAX 8
#endif
#if defined(CLIENT_TLS12)
#define MBEDTLS_SSL_PROTO_TLS1_2
#if !defined(CLIENT_PSK)
#define MBEDTLS_SSL_TLS1_2_SOME_ECC /* 3.6.5 overlooks drivers: no groups offered without this */
#endif
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
#define MBEDTLS_SSL_ENCRYPT_THEN_MAC
#if defined(CLIENT_ECC_DRIVER) || defined(MBEDTLS_PSA_P256M_DRIVER_ENABLED)
/* Without elliptic curves of its own, 3.6.5 makes room for one byte of premaster secret. That of
 * a pre-shared key is larger than any curve's; none of its cipher suites is offered. */
#define MBEDTLS_KEY_EXCHANGE_PSK_ENABLED
#endif
#if defined(CLIENT_PSK)
#define MBEDTLS_KEY_EXCHANGE_PSK_ENABLED
#define MBEDTLS_SSL_CIPHERSUITES MBEDTLS_TLS_PSK_WITH_AES_128_CCM_8
#elif defined(CLIENT_WEB)
#define MBEDTLS_KEY_EXCHANGE_ECDHE_RSA_ENABLED
#define MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA_ENABLED
#define MBEDTLS_SSL_CIPHERSUITES \
    MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
#elif defined(CLIENT_RSA)
#define MBEDTLS_KEY_EXCHANGE_ECDHE_RSA_ENABLED
#define MBEDTLS_SSL_CIPHERSUITES MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
#else
#define MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA_ENABLED
#define MBEDTLS_SSL_CIPHERSUITES MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
#endif
#else
#define MBEDTLS_SSL_PROTO_TLS1_3
#define MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL_ENABLED
#if defined(CLIENT_PSK_ONLY)
#define MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_ENABLED
#elif defined(CLIENT_RESUMES)
#define MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_EPHEMERAL_ENABLED
#endif
#define MBEDTLS_SSL_CIPHERSUITES MBEDTLS_TLS1_3_AES_128_GCM_SHA256
#endif
#if defined(CLIENT_RSA)
#define MBEDTLS_PKCS1_V15
#define MBEDTLS_PKCS1_V21
#define MBEDTLS_X509_RSASSA_PSS_SUPPORT
#endif

#endif
