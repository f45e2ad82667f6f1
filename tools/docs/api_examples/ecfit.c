/* Examples for the API page of ecfit.h: hashes, and the text of a status. */
#include "ecfit.h"
#include <stdio.h>

/* shown once */
static const uint8_t head[] = "HEAD", body[] = "body";
static const ecfit_bytes pieces[] = {{head, sizeof head}, {body, sizeof body}};
static uint8_t digest[64];
static ecfit_sha256_context context;
static ecfit_sha512_context longer;

static int example_status_text(void)
{
    printf("%s\n", ecfit_status_text(ECFIT_BAD_SIGNATURE));
    return 0;
}

static int example_sha256(void)
{
    ecfit_sha256(digest, pieces, 2); /* of head, then body: 32 bytes */
    return 0;
}

static int example_sha384(void)
{
    ecfit_sha384(digest, pieces, 2); /* 48 bytes */
    return 0;
}

static int example_sha512(void)
{
    ecfit_sha512(digest, pieces, 2); /* 64 bytes */
    return 0;
}

static int example_sha256_start(void)
{
    ecfit_sha256_start(&context);
    return 0;
}

static int example_sha256_update(void)
{
    ecfit_sha256_update(&context, head, sizeof head);
    ecfit_sha256_update(&context, body, sizeof body);
    return 0;
}

static int example_sha256_finish(void)
{
    ecfit_sha256_finish(digest, &context);
    return 0;
}

static int example_sha384_start(void)
{
    ecfit_sha384_start(&longer);
    return 0;
}

static int example_sha384_update(void)
{
    ecfit_sha384_update(&longer, head, sizeof head);
    ecfit_sha384_update(&longer, body, sizeof body);
    return 0;
}

static int example_sha384_finish(void)
{
    ecfit_sha384_finish(digest, &longer);
    return 0;
}

static int example_sha512_start(void)
{
    ecfit_sha512_start(&longer);
    return 0;
}

static int example_sha512_update(void)
{
    ecfit_sha512_update(&longer, head, sizeof head);
    ecfit_sha512_update(&longer, body, sizeof body);
    return 0;
}

static int example_sha512_finish(void)
{
    ecfit_sha512_finish(digest, &longer);
    return 0;
}

static int example_shake256(void)
{
    ecfit_shake256(digest, sizeof digest, pieces, 2);
    return 0;
}
