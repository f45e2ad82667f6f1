/* sensor_emulated.c - no MPS2 board has a thermometer: this one computes.
 *
 * It says 20953, as in the paper, at first; then it walks: a triangle of 4 degrees that takes
 * 128 readings, with a noise of 63 thousandths on it. The same readings in each run. */
#include "sensor.h"

int32_t sensor_read(void)
{
    static uint32_t count, noise = 1;
    int32_t phase = (int32_t)(count & 127);
    int32_t slow = (phase < 64 ? phase : 128 - phase) * 62;
    int32_t fast = count == 0 ? 0 : (int32_t)(noise >> 16 & 63);
    noise = noise * 1103515245u + 12345u; /* ISO C, 7.22.2.2: the example of rand() */
    count++;
    return 20953 + slow + fast;
}
