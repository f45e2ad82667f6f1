"""The assembly of lib/src/mp/armv7em, written by programs that say how it works:
`tools/gen_armv7em.py` runs them.
"""
