"""What is handed over: the amalgam with its configuration, evidence, example and checksums."""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Mapping, Sequence

import msgspec

from ecfit import __version__
from ecfit.build.parts import source_digest
from ecfit.choices.targets import Target
from ecfit.paths import ROOT
from ecfit.ship.amalgam import CONFIG, amalgam
from ecfit.ship.layout import folded

SUMS = "SHA256SUMS"
MEASURED = "What was measured: evidence.md. "
_PROTOTYPE = re.compile(r"^ECFIT_CHECK (ecfit_status|uint32_t) (\w+)\(([^;]*)\);", re.MULTILINE)
_FIRST = (
    "verify_message", "ecdsa_verify", "25519_verify", "448_verify", "ecdh", "sign", "x25519",
    "x448",
)  # fmt: skip


class About(msgspec.Struct, frozen=True):
    """What the files say of themselves: the operations by curve, the chip, the command that makes
    them again and the one that compiles them.
    """

    operations: Mapping[str, Sequence[str]]
    target: Target
    made_by: str
    compiled_by: str


def delivery(
    files: Mapping[str, str], about: About, evidence: Mapping[str, str], hashes: Sequence[str] = ()
) -> dict[str, str]:
    """All files by name. `files`: the configuration header and tables that lib/src lacks;
    `hashes`: functions that stay though nothing uses them. Errors: BuildError.
    """
    tables = {name: text for name, text in files.items() if name != CONFIG}
    title = _title(about, measured=bool(evidence))
    delivered = dict(amalgam(files[CONFIG], tables, title, hashes).files)
    delivered["example.c"] = example(delivered["ecfit.h"])
    delivered[CONFIG] = files[CONFIG]
    delivered["LICENSE"] = (ROOT / "LICENSE").read_text(encoding="utf-8")
    delivered |= evidence
    sums = {
        name: hashlib.sha256(delivered[name].encode()).hexdigest() for name in sorted(delivered)
    }
    delivered[SUMS] = "".join(f"{value}  {name}\n" for name, value in sums.items())
    return delivered


def _title(about: About, *, measured: bool) -> str:
    curves = "; ".join(f"{curve}: {', '.join(ops)}" for curve, ops in about.operations.items())
    core = "this machine" if about.target.runner == "host" else about.target.core
    lines = [
        f"ecfit {__version__} for {core}, one configuration in one file",
        "",
        *_filled(f"{curves}. The settings, as the sources take them: {CONFIG}."),
        f"Interface: ecfit.h. {MEASURED if measured else ''}Licence: MIT, LICENSE.",
        "",
        "Compile it with",
        f"  {about.compiled_by}",
        "Made from lib/include and lib/src with the SHA-256",
        f"  {source_digest()}",
        "by",
        *(f"  {line}" for line in _filled(about.made_by)),
    ]
    return "\n".join(lines)


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, 95, break_long_words=False, break_on_hyphens=False)


def example(interface: str) -> str:
    """A program that calls a function of the interface, in three lines; one that verifies reads the
    signature from DER first, where the interface has that.
    """
    prototypes = _PROTOTYPE.findall(interface)
    kind, name, parameters = min(
        prototypes,
        key=lambda prototype: next(
            (i for i, n in enumerate(_FIRST) if n in prototype[1]), len(_FIRST)
        ),
    )
    listed = " ".join(parameters.split())
    names = [re.sub(r"\[.*", "", part).split()[-1].strip("*") for part in listed.split(",")]
    before = []
    size = re.match(r"const uint8_t signature\[(\d+)\], ", listed)
    from_der = next((n for _, n, _ in prototypes if n.endswith("_signature_from_der")), None)
    if size and from_der and "_ecdsa_" in name:
        listed = f"const uint8_t *der, size_t der_size, {listed[size.end() :]}"
        before = [f"    uint8_t signature[{size[1]}];",
                  f"    if ({from_der}(signature, der, der_size) != ECFIT_OK) {{",
                  "        return -1;",
                  "    }"]  # fmt: skip
    good = "ECFIT_OK" if kind == "ecfit_status" else "ECFIT_VERIFIED"
    head = folded([f"int example({listed})"])
    body = folded([f"    {kind} status = {name}({', '.join(names)});"])
    lines = [
        "/* example.c - a call of the library: compile it, and ecfit.c beside it */",
        '#include "ecfit.h"',
        "",
        *head,
        "{",
        *before,
        *body,
        f"    return status == {good} ? 0 : -1;",
        "}",
    ]
    return "\n".join(lines) + "\n"
