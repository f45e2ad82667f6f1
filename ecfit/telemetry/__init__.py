"""Sensors that send signed readings, on emulated boards."""
