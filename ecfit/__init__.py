"""ecfit: elliptic-curve cryptography that fits your device; the bench and its command line."""

__version__ = "0.3.0"
