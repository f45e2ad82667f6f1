/* hash.c - fuzz target: SHA-256, SHA-384, SHA-512 and SHAKE256 of messages in pieces */
#include <openssl/evp.h>
#include <openssl/sha.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const fuzz_curve none = {.name = "hash"};
    fuzz_input in = {data, size};
    ecfit_bytes pieces[8];
    uint8_t ours[64], theirs[64], *whole;
    uint8_t long_ours[200], long_theirs[200];
    EVP_MD_CTX *ctx;
    size_t count = fuzz_byte(&in) % 8, at = 0, cuts[8];
    for (size_t i = 0; i < count; i++) {
        cuts[i] = fuzz_byte(&in);
    }
    whole = fuzz_copy(in.data, in.size);
    for (size_t i = 0; i < count; i++) {
        size_t length = i + 1 == count || cuts[i] > in.size - at ? in.size - at : cuts[i];
        pieces[i] = (ecfit_bytes){whole + at, length};
        at += length;
    }
    ecfit_sha256(ours, pieces, count);
    FUZZ_CHECK(&none, memcmp(ours, SHA256(whole, at, theirs), 32) == 0);
    ecfit_sha384(ours, pieces, count);
    FUZZ_CHECK(&none, memcmp(ours, SHA384(whole, at, theirs), 48) == 0);
    ecfit_sha512(ours, pieces, count);
    FUZZ_CHECK(&none, memcmp(ours, SHA512(whole, at, theirs), 64) == 0);
    ctx = EVP_MD_CTX_new();
    FUZZ_CHECK(&none, EVP_DigestInit_ex(ctx, EVP_shake256(), NULL) == 1 &&
                          EVP_DigestUpdate(ctx, whole, at) == 1);
    FUZZ_CHECK(&none, EVP_DigestFinalXOF(ctx, long_theirs, sizeof long_theirs) == 1);
    ecfit_shake256(long_ours, sizeof long_ours, pieces, count);
    FUZZ_CHECK(&none, memcmp(long_ours, long_theirs, sizeof long_ours) == 0);
    EVP_MD_CTX_free(ctx);
    free(whole);
    return 0;
}
