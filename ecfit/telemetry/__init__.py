"""The commands about devices in the field: energy of a trace, a sensor, its gateway."""
