"""Devices in the field: TLS clients, signed readings, a gateway for them, energy, boards."""
