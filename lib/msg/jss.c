/* jss.c - JSON readings, canonical (RFC 8785) and signed: JSON Sensor Signatures
 *
 * What is signed is the canonical object without its member jss.signature. It is written, signed
 * where it stands, and the signature is put in its place behind jss.protected:
 * no name that a member may have stands between the two. */
#include "writer.h"

static const char protected_open[] = "\"jss.protected\":{\"alg\":\"";
static const char signature_open[] = ",\"jss.signature\":\"";

/* By characters (RFC 8785, 3.2.3: by UTF-16 units, which are the same here). */
static int by_name(const ecfit_msg_member *a, const ecfit_msg_member *b)
{
    const char *x = a->name, *y = b->name;
    while (*x != 0 && *x == *y) {
        x++;
        y++;
    }
    return (int)(unsigned char)*x - (int)(unsigned char)*y;
}

static void text(writer *w, const char *characters)
{
    ecfit_msg_bytes(w, characters, ecfit_msg_length(characters));
}

/* An integer as ECMAScript writes it: no zeros in front, no fraction, no exponent.
 * Digits by subtraction: not every core divides 64 bits without a call. */
static void integer(writer *w, int64_t value)
{
    static const int64_t tens[] = {1000000000000000,
                                   100000000000000,
                                   10000000000000,
                                   1000000000000,
                                   100000000000,
                                   10000000000,
                                   1000000000,
                                   100000000,
                                   10000000,
                                   1000000,
                                   100000,
                                   10000,
                                   1000,
                                   100,
                                   10,
                                   1};
    int begun = 0;
    if (value < 0) {
        ecfit_msg_byte(w, '-');
        value = -value;
    }
    for (size_t i = 0; i < sizeof tens / sizeof *tens; i++) {
        uint8_t digit = '0';
        for (; value >= tens[i]; value -= tens[i]) {
            digit++;
        }
        begun |= digit != '0' || tens[i] == 1;
        if (begun) {
            ecfit_msg_byte(w, digit);
        }
    }
}

/* The object; with a signer also jss.protected. Returns where its signature belongs. */
static size_t object(writer *w, const ecfit_msg_signer *signer, const ecfit_msg_member *members,
                     size_t count)
{
    static const ecfit_msg_member protected_name = {"jss.protected", 0, 0};
    const ecfit_msg_member *one = NULL;
    size_t at = 0;
    char lead = '{';
    do {
        const ecfit_msg_member *next = ecfit_msg_next(members, count, one, by_name);
        if (signer != NULL && at == 0 && (next == NULL || by_name(next, &protected_name) > 0)) {
            ecfit_msg_byte(w, (uint8_t)lead);
            text(w, protected_open);
            text(w, signer->name);
            text(w, "\"}");
            lead = ',';
            at = w->size;
        }
        if (next != NULL) {
            ecfit_msg_byte(w, (uint8_t)lead);
            ecfit_msg_byte(w, '"');
            text(w, next->name);
            text(w, "\":");
            integer(w, next->value);
            lead = ',';
        }
        one = next;
    } while (one != NULL);
    ecfit_msg_byte(w, '}');
    return at;
}

/* RFC 4648, 5, without padding. Sizes are multiples of 3 but for Ed25519 and ES256, ES512. */
static size_t base64url_size(size_t size)
{
    return (4 * size + 2) / 3;
}

static void base64url(uint8_t *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t held = 0;
    unsigned bits = 0;
    while (size-- > 0) {
        held = held << 8 | *bytes++;
        for (bits += 8; bits >= 6; bits -= 6) {
            *out++ = (uint8_t)digits[held >> (bits - 6) & 63];
        }
    }
    if (bits > 0) {
        *out = (uint8_t)digits[held << (6 - bits) & 63];
    }
}

ecfit_msg_status ecfit_json_write(char *out, size_t capacity, size_t *size,
                                  const ecfit_msg_member *members, size_t count)
{
    writer w = {(uint8_t *)out, capacity, 0, 0};
    ecfit_msg_status status = ECFIT_MSG_BAD_MEMBERS;
    if (ecfit_msg_members_ok(members, count, by_name, 1)) {
        (void)object(&w, NULL, members, count);
        status = ECFIT_MSG_OK;
    }
    return ecfit_msg_end(&w, size, status);
}

ecfit_msg_status ecfit_jss_sign(char *out, size_t capacity, size_t *size,
                                const ecfit_msg_signer *signer, const uint8_t *private_key,
                                const ecfit_msg_member *members, size_t count, const ecfit_rng *rng)
{
    writer w = {(uint8_t *)out, capacity, 0, 0};
    uint8_t signature[ECFIT_MSG_SIGNATURE_MAX];
    size_t at, digits = base64url_size(signer->size), open = sizeof signature_open - 1;
    if (!ecfit_msg_members_ok(members, count, by_name, 1)) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_BAD_MEMBERS);
    }
    at = object(&w, signer, members, count);
    if (w.full || open + digits + 1 > w.capacity - w.size) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_FULL); /* before the work */
    }
    if (signer->sign(signature, private_key, w.out, w.size, rng) != ECFIT_OK) {
        return ecfit_msg_end(&w, size, ECFIT_MSG_NOT_SIGNED);
    }
    ecfit_msg_open(&w, at, open + digits + 1);
    for (size_t i = 0; i < open; i++) {
        w.out[at + i] = (uint8_t)signature_open[i];
    }
    base64url(w.out + at + open, signature, signer->size);
    w.out[at + open + digits] = '"';
    return ecfit_msg_end(&w, size, ECFIT_MSG_OK);
}
