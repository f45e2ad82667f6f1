/* A signature in pieces, beside a watchdog.
 *
 * The watchdog bites after 20 ms; a signature takes longer, on slow chips hundreds of milliseconds.
 * With RESUME=steps the operation stands in a task of the caller's and goes on where it stopped:
 * STEP units of work at a time, none of which takes more than ECFIT_UNIT_PRODUCTS field
 * multiplications. In between the radio, the sensor and the watchdog have their turn. */
#include "board.h"
#include "ecfit.h"

#include <string.h>

/* RFC 6979, A.2.5: the key, and the signature of "sample" with SHA-256. */
static const uint8_t private_key[32] = {
    0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21, 0x57, 0x67, 0xb1, 0xd6, 0x93,
    0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8, 0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};

/* In static memory: it is large, and the stack is not where it could wait. */
static ecfit_secp256r1_task task;

int main(void)
{
    static const uint8_t message[] = "sample";
    const ecfit_bytes whole = {message, sizeof message - 1};
    uint8_t hash[32], signature[64];
    ecfit_sha256(hash, &whole, 1);

    board_watchdog_start();
    ecfit_status status =
        ecfit_secp256r1_ecdsa_sign_start(&task, private_key, hash, sizeof hash, NULL);
    while (status == ECFIT_MORE) {
        status = ecfit_secp256r1_step(&task, STEP);
        board_watchdog_feed(); /* and whatever else is to be done */
    }
    if (status == ECFIT_OK)
        status = ecfit_secp256r1_ecdsa_sign_finish(signature, &task);
    else
        ecfit_secp256r1_abort(&task);
    if (status != ECFIT_OK) {
        board_say("no signature\n");
        return 1;
    }
    board_say_bytes("signature", signature, sizeof signature);
    return 0;
}
