"""The assembly of lib/src/mp/armv7em, written by programs that say how it works:
`lib/gen/gen_armv7em.py` runs them.
"""
