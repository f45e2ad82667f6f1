/* SignedReading - signs a reading with Ed25519 and verifies it again.
 *
 * A real device draws its key once, from a generator of random numbers of its chip, and keeps it;
 * the seed here is the first one of RFC 8032, 7.1, which everybody knows.
 */
#include <ecfit.h>

static const uint8_t SEED[32] = {
    0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
    0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60};
static uint8_t public_key[32], signature[64];

void setup()
{
    Serial.begin(115200);
    if (ecfit_ed25519_public_key(public_key, SEED) != ECFIT_OK) {
        Serial.println("no public key");
    }
}

void loop()
{
    uint16_t reading = analogRead(A0);
    const uint8_t *message = (const uint8_t *)&reading;
    if (ecfit_ed25519_sign(signature, SEED, message, sizeof reading) == ECFIT_OK &&
        ecfit_ed25519_verify(signature, public_key, message, sizeof reading) == ECFIT_OK) {
        Serial.println(reading);
    } else {
        Serial.println("refused");
    }
    delay(10000);
}
