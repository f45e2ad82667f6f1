"""Vectors of others, by version: Wycheproof's, and C2SP/CCTV's for Ed25519 and RFC 6979."""

from __future__ import annotations

import ctypes
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tools.foreign.table import Row, commit
from workshop.library.api import Status
from workshop.library.curves import CURVES, Bound
from workshop.library.rfc_api import SIZES, RfcLibrary
from workshop.vectors.acvp import WYCHEPROOF
from workshop.vectors.rfc_wycheproof import check_ed, check_x, ed_cases, x_cases
from workshop.vectors.wycheproof import check_ecdh, check_ecdsa, ecdh_cases, ecdsa_cases, files

# Flags of C2SP/CCTV's ed25519vectors.json (its README). RFC 8032, 5.1.3 has one encoding of each
# point; 5.1.7 lets the equation be checked without the factor 8, as here.
REFUSED = ("non_canonical_A", "non_canonical_R", "low_order_residue")
NO_KEY, RULE = "low_order_A", "RFC 8032, 5.1.5"


def row(edge: str, by: str, check: Callable[[], Counter[str]]) -> Row:
    """How many a check of the tests' own saw. It stops at the first wrong one."""
    try:
        return Row(f"vectors, {edge}", by, check().total(), 0)
    except AssertionError as error:
        return Row(f"vectors, {edge}", by, 0, 1, wrong=(str(error).partition("\n")[0],))


def wycheproof(shared: Path, curves: list[str]) -> list[Row]:
    """Both operations of the curves that the library has."""
    by, dll, rows = f"Wycheproof {WYCHEPROOF.version}", ctypes.CDLL(str(shared)), []
    for name in curves:
        if name in SIZES:
            library = RfcLibrary(shared, name)
            if name == "ed25519":
                rows.append(row(name, by, partial(check_ed, library, ed_cases(name))))
            else:
                rows.append(row(name, by, partial(check_x, library, x_cases(name))))
            continue
        bound = Bound(dll, CURVES[name])
        for file in files("ecdh", name):
            rows.append(row(name, by, partial(check_ecdh, bound, ecdh_cases(file))))
        for file in files("ecdsa", name):
            rows.append(row(name, by, partial(check_ecdsa, bound, ecdsa_cases(file))))
    return [together(edge, by, rows) for edge in dict.fromkeys(one.edge for one in rows)]


def together(edge: str, by: str, rows: list[Row]) -> Row:
    """One row of several files."""
    mine = [one for one in rows if one.edge == edge]
    wrong = tuple(line for one in mine for line in one.wrong)
    return Row(edge, by, sum(one.passed for one in mine), len(wrong), wrong=wrong)


def cctv(shared: Path, checkout: Path, commit: str) -> list[Row]:
    """Every edge of Ed25519's verification, and the nonce of P-256 that is drawn again."""
    by, library = f"CCTV {commit}", RfcLibrary(shared, "ed25519")
    told: Counter[bool] = Counter()
    wrong = []
    for case in json.loads((checkout / "ed25519" / "ed25519vectors.json").read_text()):
        key, signature = bytes.fromhex(case["key"]), bytes.fromhex(case["sig"])
        taken = library.verify(signature, key, case["msg"].encode()) is Status.OK
        flags = case["flags"] or ()
        refused = any(flag in REFUSED for flag in flags)
        if taken is refused and not (NO_KEY in flags and not taken):
            wrong.append(f"{case['number']}: {', '.join(flags)}")
        else:
            told[taken is refused] += 1
    differs = told[True]
    ruled = RULE if differs else ""
    rows = [Row("vectors, ed25519", by, told[False], len(wrong), differs, ruled, tuple(wrong))]
    text = (checkout / "RFC6979" / "README.md").read_text()
    x, r, s = (re.findall(rf"^{name} = ([0-9A-F]{{64}})$", text, re.M)[0] for name in "xrs")
    message = re.findall(r'message = "(.*)":', text)[0].encode()
    dll, out = ctypes.CDLL(str(shared)), ctypes.create_string_buffer(64)
    size = ctypes.c_size_t(len(message))
    status = dll.ecfit_secp256r1_ecdsa_sign_message(out, bytes.fromhex(x), message, size, None)
    right = status == 0 and out.raw == bytes.fromhex(r + s)
    return [*rows, Row("vectors, RFC 6979", by, int(right), int(not right))]


def matrix(shared: Path, curves: list[str], checkouts: dict[str, Path]) -> list[Row]:
    """A row for each curve and publisher."""
    rows = wycheproof(shared, curves)
    if "cctv" in checkouts:
        rows += cctv(shared, checkouts["cctv"], commit(checkouts["cctv"]))
    return rows
