"""Bounds that banners promise in words which the reader of contracts does not read."""

from __future__ import annotations

from prove.algebra.values import M32

OPERATIONS = {"OP_MUL": 0, "OP_ADD": 1, "OP_SUB": 2, "OP_SMALL": 3}
RV = {"OP_MUL": 8, "OP_SMALL": 0, "OP_ADD": 0, "OP_SUB": M32}  # in a3, on RV32IM
ROWS = {
    "ecfit_p25519_rows_sum": {
        "OP_ADD": ("below 2^255 + 2^6, for r3 = OP_ADD", (1 << 255) + (1 << 6)),
        "OP_SUB": ("r1 - r2, below 2^256, for OP_SUB", 1 << 256),
    },
    "ecfit_p25519_rows_product": {
        "OP_MUL": ("below 2^255 + 2^11", (1 << 255) + (1 << 11)),
        "OP_SMALL": ("below 2^255 + 2^11", (1 << 255) + (1 << 11)),
    },
}
RV_ROWS = {
    "ecfit_p25519_sum": {
        "OP_ADD": ("[a0] = [a1] + [a2], below 2^255 + 2^6", (1 << 255) + (1 << 6)),
        "OP_SUB": ("[a1] - [a2], of any value, where the mask a3 is all ones", 1 << 256),
    },
    "ecfit_p25519_least_product": {
        "OP_MUL": ("with a3 = 8 it is the same", (1 << 255) + (1 << 11)),
        "OP_SMALL": ("below 2^26, which leaves less than 2^255 + 2^32", (1 << 255) + (1 << 32)),
    },
    "ecfit_p25519_loop_product": {
        "OP_MUL": ("out: below 2^255 + 2^11, or 2^255 + 2^32", (1 << 255) + (1 << 11)),
        "OP_SMALL": ("out: below 2^255 + 2^11, or 2^255 + 2^32", (1 << 255) + (1 << 32)),
    },
}
PROMISES = {"rv32im": RV_ROWS, "armv6m": ROWS, "armv7m": ROWS, "armv7em": ROWS}
"""Of routines that do what register r3 or a3 says, the words of their banners: results of
operands of any value. tests/prove has that these words stand there."""


ON = {
    "_add_on": "with what r9 points to in r0 to r7",
    "_sub_on": "with what r9 points to in r0 to r7",
    "_sub_twice_on": "r0 to r7 - 2 [r10]",
    "_three_halves_on": "3/2 of what r10 points to and r0 to r7 are",
}
"""Entries of ARMv7E-M with an operand in registers, of any field of 8 words, and the words of their
banners, which go on with `out: below p; r8 is kept`."""
