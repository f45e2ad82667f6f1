"""Programs that write the functions `_var` of the Cortex-M3 (lib/gen/gen_armv7m_var.py)."""
