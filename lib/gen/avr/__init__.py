"""The assembly of lib/src/mp/avr and field/avr, written by programs that say how it works:
`lib/gen/gen_avr.py` runs them.
"""
