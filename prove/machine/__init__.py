"""Object code, and symbolic runs of it on each instruction set."""
