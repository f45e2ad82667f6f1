"""Devices in the field: TLS clients, signed readings, a gateway for them, energy, boards."""

from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"
