/* client.c - a client of EDHOC (RFC 9528) that then seals one reading with OSCORE (RFC 8613). The
 * state machine is lib.rs; here is what it computes with: P-256 and SHA-256 of this library, AES
 * of Mbed TLS. The credentials are COSE keys in claim sets: the client's own in `certificate`, that
 * of the server in `anchor`. */
#include <string.h>

#include "ecfit.h"
#include "mbedtls/ccm.h"
#include "port.h"

#define SECRET 16
#define SALT 8
#define TAG 8
#define NONCE 13
#define READING 64

int edhoc_run(const uint8_t *cred_i, size_t cred_i_size, const uint8_t *key, const uint8_t *cred_r,
              size_t cred_r_size, uint8_t out[SECRET + SALT]);

static int failed; /* whether a key exchange was of no point of the curve, or randomness gave out */

int edhoc_failed(void)
{
    return failed;
}

void edhoc_trap(void)
{
    __builtin_trap();
}

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return port_random(out, size);
}
static const ecfit_rng rng = {fill, NULL};

void edhoc_sha256(const uint8_t *message, size_t size, uint8_t *out)
{
    const ecfit_bytes piece = {message, size};
    ecfit_sha256(out, &piece, 1);
}

/* HMAC-SHA-256 (RFC 2104) of at most three pieces, with a key of at most 32 bytes. */
static void hmac(const uint8_t *key, size_t key_size, const ecfit_bytes *pieces, size_t count,
                 uint8_t *out)
{
    uint8_t pad[64], inner[32];
    ecfit_bytes all[4] = {{pad, sizeof pad}};
    memset(pad, 0x36, sizeof pad);
    for (size_t i = 0; i < key_size; i++)
        pad[i] ^= key[i];
    memcpy(all + 1, pieces, count * sizeof *pieces);
    ecfit_sha256(inner, all, count + 1);
    for (size_t i = 0; i < sizeof pad; i++)
        pad[i] ^= 0x36 ^ 0x5c;
    all[1] = (ecfit_bytes){inner, sizeof inner};
    ecfit_sha256(out, all, 2);
}

/* HKDF-Extract (RFC 5869) with a salt of 32 bytes, and of OSCORE with its own. */
static void extract(const uint8_t *salt, size_t salt_size, const uint8_t *secret, size_t size,
                    uint8_t *out)
{
    const ecfit_bytes piece = {secret, size};
    hmac(salt, salt_size, &piece, 1, out);
}

void edhoc_extract(const uint8_t *salt, const uint8_t *secret, size_t size, uint8_t *out)
{
    extract(salt, 32, secret, size, out);
}

void edhoc_expand(const uint8_t *prk, const uint8_t *info, size_t size, uint8_t *out, size_t length)
{
    uint8_t block[32], number = 1;
    for (size_t at = 0; at < length; at += sizeof block, number++) {
        const ecfit_bytes pieces[3] = {{block, at ? sizeof block : 0}, {info, size}, {&number, 1}};
        hmac(prk, 32, pieces, 3, block);
        memcpy(out + at, block, length - at < sizeof block ? length - at : sizeof block);
    }
}

static int ccm(int seals, const uint8_t *key, const uint8_t *iv, const uint8_t *ad, size_t ad_size,
               const uint8_t *in, size_t size, uint8_t *out)
{
    mbedtls_ccm_context context;
    mbedtls_ccm_init(&context);
    int error = mbedtls_ccm_setkey(&context, MBEDTLS_CIPHER_ID_AES, key, 128);
    if (error == 0 && seals)
        error = mbedtls_ccm_encrypt_and_tag(&context, size, iv, NONCE, ad, ad_size, in, out,
                                            out + size, TAG);
    else if (error == 0)
        error = mbedtls_ccm_auth_decrypt(&context, size, iv, NONCE, ad, ad_size, in, out, in + size,
                                         TAG);
    mbedtls_ccm_free(&context);
    return error;
}

int edhoc_seal(const uint8_t *key, const uint8_t *iv, const uint8_t *ad, size_t ad_size,
               const uint8_t *text, size_t size, uint8_t *out)
{
    return ccm(1, key, iv, ad, ad_size, text, size, out);
}

int edhoc_open(const uint8_t *key, const uint8_t *iv, const uint8_t *ad, size_t ad_size,
               const uint8_t *text, size_t size, uint8_t *out)
{
    return ccm(0, key, iv, ad, ad_size, text, size, out);
}

/* Of the point with this x and an even y: which of the two it is changes no shared secret. */
void edhoc_ecdh(const uint8_t *key, const uint8_t *x, uint8_t *out)
{
    uint8_t compressed[33] = {2}, point[65];
    memcpy(compressed + 1, x, 32);
    if (ecfit_secp256r1_decompress(point, compressed) != ECFIT_OK ||
        ecfit_secp256r1_ecdh(out, key, point, &rng) != ECFIT_OK)
        failed = 1;
}

void edhoc_keygen(uint8_t *key, uint8_t *x)
{
    uint8_t point[65];
    if (ecfit_secp256r1_keygen(point, key, &rng) != ECFIT_OK)
        failed = 1;
    memcpy(x, point + 1, 32);
}

/* RFC 8613, 3.2.1: `size` bytes, 16 of a key or 13 of the common IV. */
static void derive(const uint8_t *prk, const uint8_t *id, size_t id_size, const char *type,
                   uint8_t size, uint8_t *out)
{
    uint8_t info[12] = {0x85, (uint8_t)(0x40 | id_size)};
    size_t at = 2;
    for (size_t i = 0; i < id_size; i++)
        info[at++] = id[i];
    info[at++] = 0xf6;
    info[at++] = 10; /* AES-CCM-16-64-128 */
    info[at++] = (uint8_t)(0x60 | strlen(type));
    memcpy(info + at, type, strlen(type));
    at += strlen(type);
    info[at++] = size;
    edhoc_expand(prk, info, at, out, size);
}

/* A request (RFC 8613, 8.1) with the first sequence number: a POST of the reading. */
static int send_reading(const uint8_t secret[SECRET + SALT], uint8_t id)
{
    const uint8_t ad[] = {0x83, 0x68, 'E',  'n',  'c',  'r',  'y', 'p',  't', '0', 0x40,
                          0x49, 0x85, 0x01, 0x81, 0x0a, 0x41, id,  0x41, 0,   0x40};
    uint8_t prk[32], key[16], nonce[NONCE], plain[2 + READING] = {0x02, 0xff};
    uint8_t request[9 + sizeof plain + TAG] = {0x50, 0x02, 0, 1, 0x93, 0x09, 0, id, 0xff};
    extract(secret + SECRET, SALT, secret, SECRET, prk);
    derive(prk, &id, 1, "Key", sizeof key, key);
    derive(prk, NULL, 0, "IV", sizeof nonce, nonce);
    nonce[0] ^= 1; /* the identifier's length; then the identifier, and the number 0 */
    nonce[7] ^= id;
    for (int i = 0; i < READING; i++)
        plain[2 + i] = (uint8_t)i;
    const int error = ccm(1, key, nonce, ad, sizeof ad, plain, sizeof plain, request + 9);
    return error != 0 ? error : port_send(request, sizeof request);
}

void client(struct port_result *result)
{
    const struct port_given *given = port_given();
    uint8_t secret[SECRET + SALT];
    memset(result, 0, sizeof *result);
    failed = 0;
    const int id = edhoc_run(given->certificate, given->certificate_size, given->key, given->anchor,
                             given->anchor_size, secret);
    result->error = id < 0 ? id : 0;
    if (id < 0)
        return;
    port_mark(result->stage = STAGE_CONNECTED);
    const int sent = send_reading(secret, (uint8_t)id);
    result->error = sent < 0 ? sent : 0;
    port_mark(result->stage = STAGE_SERVED);
    port_mark(result->stage = STAGE_CLOSED);
}
