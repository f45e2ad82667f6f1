/* sensor.h - the temperature of the chip, emulated */
#ifndef SENSOR_H
#define SENSOR_H

#include <stdint.h>

/* Thousandths of a degree Celsius. */
int32_t sensor_read(void);

#endif
