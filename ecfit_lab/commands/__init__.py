"""The commands about devices: a board, TLS clients, a sensor and its gateway, energy of a trace."""
