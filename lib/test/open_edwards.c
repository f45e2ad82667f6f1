/* open_edwards.c - the decoding of points of Ed25519 in reach of a test */
#include "ecfit.c"

int open_edwards_decode(uint8_t *xy, const uint8_t *in);

/* xy = x and y of minus the point of an encoding; whether it is one. */
int open_edwards_decode(uint8_t *xy, const uint8_t *in)
{
    ed25519_point p;
    const size_t limbs = 256 / MP_BITS;
    int valid = ed25519_pt_decode(&p, in);
    mp_to_little(xy, p.reg, limbs);
    mp_to_little(xy + 32, p.reg + limbs, limbs);
    return valid;
}
