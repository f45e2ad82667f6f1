"""Builds of the library for the host: one file per configuration, variant and set of flags,
cached by content.

A variant is what is compiled: `closed` is lib/src/ecfit.c as it is; `open` is lib/test/open.c,
which includes it and exports its insides, for the curve itself or for a toy curve in its place.
ECFIT_TEST_CC and ECFIT_TEST_CFLAGS replace compiler and flags, ECFIT_TEST_CONFIGURATIONS names
the configurations to run: so the sanitizers use the same tests. With ECFIT_TEST_AMALGAM, `closed`
is what `ecfit amalgamate` makes of it, whose one include is its own ecfit.h.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
from gen import gen_comb, gen_header, gen_params
from ref.comb import Comb
from ref.curves import SECP256R1, TOY223, TOY251, Curve

from ecfit.build import combs
from ecfit.build.parts import contents
from ecfit.choices import knobs, variants
from ecfit.choices.curves import CURVES as BENCH_CURVES
from ecfit.choices.curves import EVERY_OP
from ecfit.choices.knobspace import nearest
from ecfit.choices.presets import all_presets
from ecfit.model import Configuration
from ecfit.paths import FIRMWARE, cache_dir
from ecfit.ship.amalgam import HASHES, amalgam
from workshop.paths import C_TESTS, INCLUDE, SRC

AMALGAM = bool(os.environ.get("ECFIT_TEST_AMALGAM"))
COMPILE_SECONDS = 120
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
BACKENDS = ["w32m16", "w32", "w64"]
ALL_BACKENDS = {"tiny", "balanced"}  # presets that run with each of them; the others with w32

# Choices beside the presets, as (preset, backend, knobs): every value of a slot and both ends
# of a number appear somewhere, which test_lint.py checks.
EXTRA: dict[str, tuple[str, str, dict[str, str]]] = {
    "hedged": (
        "balanced",
        "w32",
        {
            "NONCE": "hedged",
            "INVERT": "bingcd",
            "SQUARE": "as_mul",
            "REDUCE": "mont",
            "VERIFY": "hardened",
            "CHECK": "verify",
        },
    ),
    "narrow": (
        "balanced",
        "w64",
        {"WINDOW": "3", "WNAF_A": "2", "COMB_TEETH": "3", "INVERT": "fermat"},
    ),
    "wide": (
        "balanced",
        "w32",
        {
            "WINDOW": "5",
            "WNAF_A": "6",
            "COMB_TEETH": "6",
            "COMB_BLOCKS": "4",
            "REDUCE": "solinas_loop",
        },
    ),
    "odd": (
        "balanced",
        "w32m16",
        {
            "WINDOW": "5",
            "TABLE": "affine",
            "MULD": "naf",
            "WNAF_G": "3",
            "WNAF_A": "3",
            "COMB_TEETH": "5",
            "COMB_BLOCKS": "2",
            "SHA256": "caller",
            "SHA512": "caller",
        },
    ),
    "pieces": (
        "balanced",
        "w64",
        {
            "REDUCE": "mont",
            "MULG": "as_var",
            "MULD": "bits",
            "RESUME": "steps",
            "WORK": "caller",
        },
    ),
    "naf": ("balanced", "w64", {"REDUCE": "mont", "MULD": "naf", "WNAF_G": "7"}),
    "gcd": (
        "balanced",
        "w32",
        {"MULV": "binary", "INVERT": "windows", "INVERT_VAR": "gcd", "MULD": "bits_signed"},
    ),
    "xonly": ("tiny", "w64", {"MULV": "ladder_x", "SQUARE": "own", "REDUCE": "mont"}),
    "bytes": ("tiny", "w8", {"REDUCE": "mont", "MULV": "ladder_x"}),
    "halfwords": (
        "tiny",
        "w16",
        {"REDUCE": "mont", "INSTANCE": "shared", "COMPRESS": "sec1", "DER": "strict"},
    ),
    "digits": (
        "lowram",
        "w32",
        {
            "COORDINATES": "jacobian_run",
            "MULV": "digits",
            "MULD": "digits",
            "COMPRESS": "sec1",
        },
    ),
    "digits-four": (
        "lowram",
        "w64",
        {"COORDINATES": "jacobian_run", "MULV": "digits_four", "MULD": "digits", "WIPE": "stack"},
    ),
    "ladder-coz": (
        "lowram",
        "w64",
        {"COORDINATES": "jacobian_run", "MULV": "ladder_coz", "MULD": "digits", "WIPE": "stack"},
    ),
    "digits-comb": (
        "lowram",
        "w64",
        {
            "COORDINATES": "jacobian_run",
            "MULV": "digits",
            "MULD": "digits",
            "MULG": "comb_flash",
        },
    ),
    "late-comb": (
        "lowram",
        "w32",
        {
            "COORDINATES": "jacobian_run",
            "MULV": "digits_four",
            "MULD": "digits",
            "MULG": "comb_flash",
            "READ": "late",
        },
    ),
    "late-coz": (
        "lowram",
        "w64",
        {
            "COORDINATES": "jacobian_run",
            "MULV": "ladder_coz",
            "MULD": "digits",
            "READ": "late",
            "WIPE": "stack",
        },
    ),
    "complete": (
        "tiny",
        "w64",
        {
            "COMPRESS": "sec1",
            "NONCE": "deterministic",
            "SHA256": "unrolled",
            "INVERT": "bingcd",
            "REDUCE": "solinas",
        },
    ),
}


def compiler() -> list[str]:
    """The compiler of the host and its flags; debug information would take a quarter longer."""
    flags = os.environ.get("ECFIT_TEST_CFLAGS", "-O2")
    return [os.environ.get("ECFIT_TEST_CC", "gcc"), "-std=c11", *shlex.split(flags)]


def configuration(preset: str, backend: str, **sets: str) -> Configuration:
    """A configuration of secp256r1; `sets` are knobs by name."""
    return knobs.resolve(BENCH_CURVES["secp256r1"], preset, {"BACKEND": backend, **sets}, backend)


# Values that other tests take, because these give a configuration no generator of random numbers,
# run on this machine, or have secp256r1 alone.
ELSEWHERE = {
    *(("BLIND", value) for value in ("coordinates", "scalar", "both")),  # test_curves.py
    *(
        ("BACKEND", value) for value in ("armv6m", "armv7m", "armv7em", "rv32im", "avr")
    ),  # test_assembly
    ("FPU", "words"),  # test_assembly_fpu.py
    ("STATUS_TEXT", "english"),  # test_api_errors.py
    ("HASH_STREAM", "own"),  # test_hash_stream.py
    *(("MULD", "glv"), ("MULV", "glv")),  # test_endomorphism.py: secp256r1 has none
}


def for_new_values(found: Iterable[Configuration]) -> dict[str, Configuration]:
    """For each value of a slot of secp256r1 that is neither in these configurations nor elsewhere
    one that has it, as "MULV-name": who adds a value need not name it here.
    """
    used = {pair for config in found for pair in config.settings} | ELSEWHERE
    made = {}
    curve = BENCH_CURVES["secp256r1"]
    slot = knobs.find_slot(curve.name)
    hashes = {other.hash for other in knobs.curve_slots()} - {slot.hash}
    for knob in knobs.all_knobs().values():
        if knob.name in hashes or (knob.scope == "curve" and not knob.concerns(slot)):
            continue
        for value, choice in knob.choices.items():
            foreign = choice.family and slot.family not in choice.family
            if (knob.name, value) in used or foreign or value == knobs.NONE:
                continue
            sets = nearest(curve, "balanced", "w32", {knob.name: value})
            if sets is not None:
                made[f"{knob.name}-{value}"] = configuration("balanced", "w32", **sets)
    return made


def all_configurations() -> dict[str, Configuration]:
    """Every preset with every portable backend, as "tiny-w32", settings that no preset has, by
    EXTRA's names, and the values that these do not have.
    """
    presets = {
        f"{preset}-{backend}": configuration(preset, backend)
        for preset in all_presets()
        for backend in (BACKENDS if preset in ALL_BACKENDS else ["w32"])
    }
    extra = {
        name: configuration(preset, backend, **sets)
        for name, (preset, backend, sets) in EXTRA.items()
    }
    every = presets | extra
    every |= for_new_values(every.values())
    chosen = os.environ.get("ECFIT_TEST_CONFIGURATIONS", "").split()
    return {name: config for name, config in every.items() if not chosen or name in chosen}


CONFIGURATIONS = all_configurations()
ADDITIONS = "additions"  # balanced-w32m16 as for a core without a multiplier
NO_MULTIPLIER = ("-DECFIT_NO_MULTIPLIER",)

# What test_toy_mul.py runs through with more points and fewer operations.
MULTIPLICATIONS_ONLY = {"gcd", "xonly"}

# The backends are compared word by word elsewhere: here each preset and each extra configuration
# runs once or twice.
TOYS: list[tuple[Curve, str]] = [
    (curve, name)
    for curve, names in (
        (
            TOY251,
            [
                "tiny-w64",
                "balanced-w32",
                "lowram-w32",
                *(name for name in EXTRA if name not in MULTIPLICATIONS_ONLY),
            ],
        ),
        (TOY223, ["tiny-w32", "balanced-w64", "lowram-w32", "narrow"]),
    )
    for name in names
    if name in CONFIGURATIONS
]


def only(fixture: str, **values: str | set[str]) -> pytest.MarkDecorator:
    """Runs a test on `library`, `opened` or `toy` with the configurations whose knobs have
    these values alone.
    """
    wanted = {knob: {value} if isinstance(value, str) else value for knob, value in values.items()}

    def has(name: str) -> bool:
        settings = dict(CONFIGURATIONS[name].settings)
        return all(settings[knob] in some for knob, some in wanted.items())

    if fixture == "toy":
        return pytest.mark.parametrize(
            fixture, [toy for toy in TOYS if has(toy[1])], indirect=True, ids=toy_name
        )
    return pytest.mark.parametrize(
        fixture, [name for name in CONFIGURATIONS if has(name)], indirect=True
    )


def toy_name(toy: tuple[Curve, str]) -> str:
    """How a toy of TOYS is called in the name of a test."""
    return f"{toy[0].name}-{toy[1]}"


def for_toys(config: Configuration, **sets: str) -> Configuration:
    """The same configuration where no file is made for one prime only; `sets` has what secp256r1
    does not take.
    """
    toys = {"REDUCE": "mont", "INSTANCE": "own", **sets}
    settings = tuple((name, toys.get(name, value)) for name, value in config.settings)
    return msgspec.structs.replace(config, settings=settings)


def shared(
    config: Configuration,
    variant: str = "closed",
    curve: Curve = SECP256R1,
    flags: Sequence[str] = (),
) -> Path:
    """Path of the shared library, built if need be."""
    command = [*compiler(), *WARNINGS, *flags, "-shared", "-fPIC"]
    if variant == "closed":
        return build(config, units(config), command, suffix=".so")
    return build(
        config, [C_TESTS / "open.c", *units(config)[1:]], command, curve=curve, suffix=".so"
    )


def units(config: Configuration) -> list[Path]:
    """What a program of this configuration is compiled from: the library, and the hashes
    that the caller owes it.
    """
    owed = [name for name in ("SHA256", "SHA512") if dict(config.settings)[name] == "caller"]
    return [SRC / "ecfit.c", *(FIRMWARE / f"caller_{name.lower()}.c" for name in owed)]


def build(
    config: Configuration,
    sources: Iterable[Path],
    command: list[str],
    *,
    curve: Curve | None = None,
    suffix: str = "",
    replace: Mapping[str, str] | None = None,
    ops: Iterable[str] = EVERY_OP,
    curves: Sequence[str] = ("secp256r1",),
    more: Mapping[str, Configuration] | None = None,
) -> Path:
    """Compiles `sources` in one call of the compiler, unless the same was done before.
    AssertionError with its output.

    With `curve`, the file that ecfit.c includes for `template_of` is that of `curve_files`;
    `replace` gives other contents to files of lib/src, by name; operations that are not in `ops`
    are left out. `more`: further curves, with configurations of their own.
    """
    if curve is not None:
        curves = (template_of(config),)
    header = knobs.header(config, curves, ops, more=more)
    generated = dict(replace or {})
    if curve is not None:
        generated |= curve_files(curve, config)
    own = dict.fromkeys(curves, config) | dict(more or {})
    for name, one in own.items():  # of another curve's, too: the check of the configuration asks
        generated |= combs.missing_tables(name, dict(one.settings))
    generated["ecfit_config.h"] = header
    brought = [variants.brought(name, dict(one.settings), ops) for name, one in own.items()]
    apart = [found for found in brought if found]  # values that only studies measure
    for found in apart:
        generated |= found.generated
    sources = list(sources)
    whole = AMALGAM and curve is None and not replace and not apart and SRC / "ecfit.c" in sources
    if whole:
        tables = {name: text for name, text in generated.items() if name != "ecfit_config.h"}
        generated |= amalgam(header, tables, "a test", HASHES).files
    # a quoted include looks beside the including file first: the unit must stand
    # beside the replacement
    copied = bool(replace) or curve is not None
    if copied:
        generated["ecfit.c"] = (SRC / "ecfit.c").read_text(encoding="utf-8")
    names = [str(source) for source in sources]
    extra = [[str(path), contents(path)] for path in dict.fromkeys(one.folder for one in apart)]
    key = _digest([command, names, sorted(generated.items()), _contents(), *extra])
    folder = cache_dir() / "libtest" / key
    target = folder / f"out{suffix}"
    if copied or whole:
        names = [name.replace(str(SRC / "ecfit.c"), str(folder / "ecfit.c")) for name in names]
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in generated.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            _write_whole(folder / name, text)
        partial = folder / f"out.{os.getpid()}{suffix}"
        folders = (folder, SRC, C_TESTS) if whole else (folder, INCLUDE, SRC, C_TESTS)
        folders = (folder, *dict.fromkeys(one.folder for one in apart), *folders[1:])
        includes = [f"-I{path}" for path in folders]
        run = subprocess.run(
            [*command, *includes, *names, "-o", str(partial)],
            capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False,
        )  # fmt: skip
        assert run.returncode == 0, f"{' '.join(run.args)}\n{run.stderr}"
        partial.replace(target)
    return target


def template_of(config: Configuration) -> str:
    """The curve in whose place another one is: that which has the endomorphism where it is used."""
    return "secp256k1" if "glv" in dict(config.settings).values() else "secp256r1"


def curve_files(curve: Curve, config: Configuration) -> dict[str, str]:
    """A copy of the file of `template_of` for another curve, with open_curve.inc at its end,
    and what it includes.

    Everything but the parameters stays as it is in the library: a toy runs through the same
    templates by construction.
    """
    template = template_of(config)
    text = (SRC / "curve" / f"{template}.c").read_text(encoding="utf-8")
    whole = '#include "curve/instance.inc"\n#include "open_curve.inc"\n#include "curve/end.inc"'
    text = replace_once(text, '#include "curve/weierstrass.h"', whole)
    if curve is SECP256R1:
        return {"curve/secp256r1.c": text}
    text = replace_once(text, f"#define CURVE {template}", f"#define CURVE {curve.name}")
    text = gen_header.header_text(curve) + text
    text = replace_once(text, f"curve/params/{template}.inc", f"curve/params/{curve.name}.inc")
    values = dict(config.settings)
    comb = Comb(curve, int(values["COMB_TEETH"]), int(values["COMB_BLOCKS"]))
    width = int(values["WNAF_G"])
    return {
        f"curve/{template}.c": text,
        f"curve/params/{curve.name}.inc": gen_params.params_text(curve),
        f"curve/comb/{gen_comb.comb_path(comb).name}": gen_comb.comb_text(comb),
        f"curve/comb/{gen_comb.odd_path(curve, width).name}": gen_comb.odd_text(curve, width),
    }


def replace_once(text: str, old: str, new: str) -> str:
    """`text` with the one occurrence of `old` replaced; AssertionError
    when it is not exactly one.
    """
    assert text.count(old) == 1, f"expected one {old!r}, found {text.count(old)}"
    return text.replace(old, new)


@cache
def _contents() -> str:
    """Digest of all C files that a build can read."""
    files = sorted(path for folder in (INCLUDE, SRC, C_TESTS) for path in folder.rglob("*.[chi]*"))
    files += sorted(FIRMWARE.glob("caller_*.c"))
    return _digest(
        [[str(path), path.read_text(encoding="utf-8")] for path in files if path.is_file()]
    )


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:24]


def _write_whole(path: Path, text: str) -> None:
    """Writes a file so that no other process sees half of it."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
