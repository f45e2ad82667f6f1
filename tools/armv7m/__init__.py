"""Programs that write the backend armv7m: assembly of the Cortex-M3, whose secrets meet MUL alone."""
