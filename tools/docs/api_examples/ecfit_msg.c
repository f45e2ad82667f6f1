/* Examples for the API page of ecfit_msg.h. */
#include "ecfit_msg.h"

/* shown once */
static int fill(void *context, uint8_t *out, size_t size); /* your random generator; 0: it worked */
static const ecfit_rng rng = {fill, NULL};
static uint8_t private_key[32]; /* of secp256r1 */
static ecfit_msg_member members[] = {
    {ECFIT_MSG_EPOCH_NAME, 0, 0}, {"temperature", 0, 21}, {"measurement", 0, 1}};
static char text[400];
static uint8_t bytes[400];
static size_t size;

static int example_msg_boot_epoch(void)
{
    if (ecfit_msg_boot_epoch(&members[0], &rng) != ECFIT_MSG_OK) /* once after a reset */
        return -1;
    return 0;
}

static int example_json_write(void)
{
    if (ecfit_json_write(text, sizeof text, &size, members, 3) != ECFIT_MSG_OK)
        return -1;
    /* send size characters of text */
    return 0;
}

static int example_jss_sign(void)
{
    if (ecfit_jss_sign(text, sizeof text, &size, &ecfit_msg_es256, private_key, members, 3, &rng) !=
        ECFIT_MSG_OK)
        return -1;
    /* send size characters of text */
    return 0;
}

static int example_cbor_write(void)
{
    if (ecfit_cbor_write(bytes, sizeof bytes, &size, members, 3) != ECFIT_MSG_OK)
        return -1;
    /* send size bytes */
    return 0;
}

static int example_cose_sign1(void)
{
    if (ecfit_cose_sign1(bytes, sizeof bytes, &size, &ecfit_msg_es256, private_key, members, 3,
                         &rng) != ECFIT_MSG_OK)
        return -1;
    /* send size bytes */
    return 0;
}

static int example_recovery_sign(void)
{
    if (ecfit_recovery_sign(bytes, sizeof bytes, &size, &ecfit_msg_recovery_secp256r1, private_key,
                            (const uint8_t *)"21", 2, NULL, 0, &rng) != ECFIT_MSG_OK)
        return -1;
    /* send size bytes: the receiver computes the message from them */
    return 0;
}
