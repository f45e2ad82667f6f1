"""The assembly of lib/src/mp/rv32im, written by programs that say how it works:
`lib/gen/gen_rv32im.py` runs them.
"""
