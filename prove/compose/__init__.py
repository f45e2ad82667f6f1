"""Calls into mp and field from the layers above, each checked against what the callee asks for.

The preprocessed C of a configuration is run on bounds: an integer in memory is known by what it
lies between, and by the modulus that it stands for. Routines in assembly are known by their
contracts, which `prove.contracts.banner` reads. Formulas and interpreters in assembly are run on
their object code, by the contracts of what they call.
"""
