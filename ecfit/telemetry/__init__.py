"""The commands about devices in the field: the energy of a trace, the gateway of sensors."""
