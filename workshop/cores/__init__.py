"""The same for each instruction set."""
