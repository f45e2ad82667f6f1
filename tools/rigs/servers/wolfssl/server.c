/* A server on wolfSSL: serves a payload to each connection, one after the other, and logs why one
 * failed.
 *
 * server HOST:PORT CHAIN KEY VERSION [PAYLOAD]: VERSION is 1.2 or 1.3; PAYLOAD, hexadecimal digits.
 * For each connection it prints a line: "full", "resumed", or the error. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wolfssl/wolfcrypt/settings.h"

#include "wolfssl/ssl.h"

#define PAYLOAD_MOST 1024

static void must(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static WOLFSSL_CTX *prepared(char **words)
{
    must(wolfSSL_Init() == WOLFSSL_SUCCESS, "wolfSSL does not start");
    WOLFSSL_CTX *context = wolfSSL_CTX_new(
        strcmp(words[4], "1.2") == 0 ? wolfTLSv1_2_server_method() : wolfTLSv1_3_server_method());
    must(context != NULL, "no memory");
    must(wolfSSL_CTX_use_certificate_chain_file(context, words[2]) == WOLFSSL_SUCCESS, "chain");
    must(wolfSSL_CTX_use_PrivateKey_file(context, words[3], WOLFSSL_FILETYPE_PEM) ==
             WOLFSSL_SUCCESS,
         "key");
    return context;
}

static int listening(char *where)
{
    char *port = strrchr(where, ':');
    const int one = 1, found = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    must(found >= 0 && port != NULL, "no socket");
    *port++ = 0;
    address.sin_port = htons((unsigned short)atoi(port));
    must(inet_pton(AF_INET, where, &address.sin_addr) == 1, "address");
    setsockopt(found, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    must(bind(found, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    must(listen(found, 8) == 0, "listen");
    return found;
}

static void serve(WOLFSSL *ssl, const unsigned char *payload, int size)
{
    char rest[256];
    if (wolfSSL_accept(ssl) != WOLFSSL_SUCCESS ||
        (size > 0 && wolfSSL_write(ssl, payload, size) != size)) {
        char text[WOLFSSL_MAX_ERROR_SZ];
        puts(wolfSSL_ERR_error_string((unsigned long)wolfSSL_get_error(ssl, 0), text));
        return;
    }
    puts(wolfSSL_session_reused(ssl) ? "resumed" : "full");
    while (wolfSSL_read(ssl, rest, sizeof rest) > 0) {
    }
    wolfSSL_shutdown(ssl);
}

int main(int count, char **words)
{
    unsigned char payload[PAYLOAD_MOST];
    int size = 0;
    must(count > 4, "server HOST:PORT CHAIN KEY VERSION [PAYLOAD]");
    const char *digits = count > 5 ? words[5] : "";
    for (unsigned byte; size < PAYLOAD_MOST && sscanf(digits, "%2x", &byte) == 1; digits += 2)
        payload[size++] = (unsigned char)byte;
    WOLFSSL_CTX *context = prepared(words);
    const int door = listening(words[1]);
    for (;;) {
        const int client = accept(door, NULL, NULL);
        must(client >= 0, "accept");
        WOLFSSL *ssl = wolfSSL_new(context);
        must(ssl != NULL, "no memory");
        wolfSSL_set_fd(ssl, client);
        serve(ssl, payload, size);
        fflush(stdout);
        wolfSSL_free(ssl);
        close(client);
    }
}
