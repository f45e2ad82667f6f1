"""Programs that write the functions `_var` of the Cortex-M3 (tools/gen_armv7m_var.py)."""
