/* ct_messages.c - what lib/msg computes itself from a private key and a nonce, under valgrind:
 * both are undefined memory, and no branch and no address may depend on them.
 *
 * The hashes are stand-ins without a branch, keys are drawn by the library, whose own tests follow
 * them. With an argument one branch depends on the key: valgrind must find it. */
#include <string.h>
#include <valgrind/memcheck.h>

#include "../msg/recovery.c"
#define order order_ed25519 /* both files have one of this name */
#define clear clear_ed25519
#define draw draw_ed25519
#define secret secret_ed25519
#define reduce reduce_ed25519
#undef SCALAR
#include "../msg/recovery_ed25519.c"

static void mix(uint8_t *out, size_t size, const ecfit_bytes *pieces, size_t count)
{
    uint8_t sum = 0x5a;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < pieces[i].size; j++) {
            sum = (uint8_t)(sum * 5 + pieces[i].data[j]);
        }
    }
    for (size_t i = 0; i < size; i++) {
        sum = (uint8_t)(sum * 5 + 1);
        out[i] = sum;
    }
}

void ecfit_sha256(uint8_t digest[32], const ecfit_bytes *pieces, size_t count)
{
    mix(digest, 32, pieces, count);
}

void ecfit_sha512(uint8_t digest[64], const ecfit_bytes *pieces, size_t count)
{
    mix(digest, 64, pieces, count);
}

ecfit_status ecfit_ed25519_public_key(uint8_t public_key[32], const uint8_t private_key[32])
{
    memset(public_key, 7, 32);
    (void)private_key;
    return ECFIT_OK;
}

static int fill(void *context, uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out[i] = (uint8_t)(i * 37 + 11);
    }
    if (size == 1) { /* the sign; the seed is secret in number_of, its check is declared */
        VALGRIND_MAKE_MEM_UNDEFINED(out, size);
    }
    (void)context;
    return 0;
}

int main(int count, char **arguments)
{
    uint8_t key[32], d[32], k[32], s[32], h[32], point[32];
    const ecfit_rng rng = {fill, NULL};
    volatile int seen = 0;
    (void)arguments;
    memset(key, 0x3c, sizeof key);
    memset(h, 0xa6, sizeof h);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    number_of(d, key);
    if (draw_ed25519(k, point, &rng) != ECFIT_OK) {
        return 2;
    }
    VALGRIND_MAKE_MEM_UNDEFINED(k, sizeof k);
    respond(s, k, h, d, order_ed25519);
    if (count > 1 && s[0] == 1) {
        seen = 1;
    }
    return seen;
}
