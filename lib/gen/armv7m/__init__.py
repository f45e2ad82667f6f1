"""Programs that write the backend armv7m: the Cortex-M3, where secrets meet MUL alone."""
