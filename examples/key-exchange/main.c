/* Key exchange: two ends agree on a key over a line on which others listen.
 *
 * X25519 (RFC 7748). Both ends are in this file; on devices each has its own copy of end_begin()
 * and end_agree(), and the public keys travel. Nobody has proved who he is: whoever must know with
 * whom he talks signs his public key, as ../signature does. */
#include "board.h"
#include "ecfit.h"

#include <string.h>

typedef struct {
    uint8_t public_key[32], private_key[32];
} end;

static void wipe(void *memory, size_t size)
{
    volatile uint8_t *byte = memory;
    while (size-- > 0)
        *byte++ = 0;
}

/* A new pair for this exchange alone: what is recorded today cannot be read tomorrow. */
static ecfit_status end_begin(end *own)
{
    const ecfit_rng rng = {board_random, NULL};
    return ecfit_x25519_keygen(own->public_key, own->private_key, &rng);
}

/* The key of both: SHA-256 of the shared secret and of both public keys, the lesser one first.
 * The secret itself is no key: its bits are not uniform. The pair is gone afterwards. */
static ecfit_status end_agree(uint8_t key[32], end *own, const uint8_t other[32])
{
    uint8_t secret[32];
    const ecfit_status status = ecfit_x25519(secret, own->private_key, other);
    if (status == ECFIT_OK) {
        const int first = memcmp(own->public_key, other, 32) < 0;
        const ecfit_bytes pieces[3] = {{secret, 32},
                                       {first ? own->public_key : other, 32},
                                       {first ? other : own->public_key, 32}};
        ecfit_sha256(key, pieces, 3);
    }
    wipe(secret, sizeof secret);
    wipe(own->private_key, sizeof own->private_key);
    return status;
}

int main(void)
{
    static const uint8_t zero[32];
    end device, gateway, careless;
    uint8_t ours[32], theirs[32], none[32];
    if (end_begin(&device) != ECFIT_OK || end_begin(&gateway) != ECFIT_OK ||
        end_begin(&careless) != ECFIT_OK) {
        board_say("no key: the generator failed\n");
        return 1;
    }
    board_say_bytes("device", device.public_key, 32);
    board_say_bytes("gateway", gateway.public_key, 32);
    if (end_agree(ours, &device, gateway.public_key) != ECFIT_OK ||
        end_agree(theirs, &gateway, device.public_key) != ECFIT_OK ||
        memcmp(ours, theirs, sizeof ours) != 0) {
        board_say("no key\n");
        return 1;
    }
    board_say("both have the same key\n");
    if (end_agree(none, &careless, zero) != ECFIT_BAD_PUBLIC_KEY)
        return 1;
    board_say("a public key of small order is refused\n");
    return 0;
}
