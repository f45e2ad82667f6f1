"""Slow, plain-Python reference of the library: the source of its parameters,
tables and expected results.

Nothing here is constant-time and nothing here is fast. Modules, each importing only those above it:

    curves      domain parameters, as data, each with its source
    group       affine group law, scalar multiplication
    codec       SEC 1 octet strings, compression
    ecdh        shared secret
    ecdsa       signatures, RFC 6979 nonces (deterministic and hedged)
    montgomery  constants of Montgomery arithmetic, as the C templates want them
    comb        signed comb of the base point: table and evaluation
"""
