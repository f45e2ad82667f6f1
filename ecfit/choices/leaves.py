"""The files that several knobs choose together, from lib/leaves.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import groupby

import msgspec

from ecfit.errors import UsageError
from ecfit.paths import LIB

ANY = "*"
CURVE = "{CURVE}"
EDWARDS = {"x25519": "ed25519", "x448": "ed448"}  # whose tables serve them


class Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A macro of some curves, or of the whole library where it names none. Each of its lines has a
    value for each column, then a file.
    """

    macro: str
    columns: tuple[str, ...]
    lines: str
    curves: tuple[str, ...] = ("",)

    def rows(self) -> Iterator[tuple[dict[str, tuple[str, ...]], str]]:
        """The lines in order: what each column must be, where it matters, and the file."""
        for *wanted, file in (line.split() for line in self.lines.strip().splitlines()):
            pairs = zip(self.columns, wanted, strict=True)
            yield {name: tuple(want.split("|")) for name, want in pairs if want != ANY}, file

    def file(self, values: Mapping[str, str]) -> str:
        """The file of the first line that fits. Errors: UsageError."""
        for wanted, file in self.rows():
            if all(values[name] in allowed for name, allowed in wanted.items()):
                return file
        raise UsageError(f"lib/leaves.toml: no file for {self.macro} with these settings")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    leaf: tuple[Leaf, ...]


@cache
def all_leaves() -> tuple[Leaf, ...]:
    """All of them. Errors: UsageError."""
    try:
        return msgspec.toml.decode((LIB / "leaves.toml").read_bytes(), type=_File).leaf
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"lib/leaves.toml: {error}") from None


def leaves_of(curve: str) -> list[Leaf]:
    """Those that name a file for a curve; for `""`, those of the whole library.
    Errors: UsageError.
    """
    leaves = [leaf for leaf in all_leaves() if curve in leaf.curves]
    if not leaves:
        raise UsageError(f"lib/leaves.toml: no table names {curve}: add it to its field's")
    return leaves


def leaf_lines(curve: str, values: Mapping[str, str]) -> list[str]:
    """The macros of a curve and their files. Errors: UsageError.

    `values`: of all knobs and `with`, which is 1 where Ed25519 is in the image.
    """
    columns = {**values, "curve": curve}
    return [
        f'#define {leaf.macro.replace(CURVE, curve.upper())} "{_path(leaf.file(columns), curve)}"'
        for leaf in leaves_of(curve)
    ]


def leaf_conditions(curve: str, term: Callable[[str, str], str]) -> list[str]:
    """The same for a configuration that a compiler resolves.

    `term`: the condition that a column has a value; `1` where it always has, `0` where it cannot.
    """
    lines: list[str] = []
    for leaf in leaves_of(curve):
        name = leaf.macro.replace(CURVE, curve.upper())
        branches: dict[str, str] = {}  # of one condition, the first row holds
        for wanted, file in leaf.rows():
            terms = [
                _either([term(column, value) for value in wanted[column]]) for column in wanted
            ]
            condition = " && ".join(text for text in terms if text != "1")
            if "0" not in terms:
                branches.setdefault(condition, f'#define {name} "{_path(file, curve)}"')
            if "0" not in terms and not condition:
                break
        else:
            branches[""] = f'#error "{curve}: no file for this configuration"'
        groups = [
            (text, [condition for condition, _ in group])
            for text, group in groupby(branches.items(), key=lambda branch: branch[1])
        ]
        for at, (text, some) in enumerate(groups):
            condition = some[0] if len(some) == 1 else " || ".join(map(_apart, some))
            word = f"{'#elif' if at else '#if'} {condition}" if "" not in some else "#else"
            lines += [word, text][len(groups) == 1 :]
        lines += ["#endif"] if len(groups) > 1 else []
    return lines


def _path(file: str, curve: str) -> str:
    return file.replace("{curve}", curve)


def _apart(condition: str) -> str:
    """A condition, as one of several."""
    return f"({condition})" if " && " in condition else condition


def _either(terms: list[str]) -> str:
    """One of several conditions."""
    there = [text for text in terms if text != "0"]
    if not there or "1" in there:
        return "1" if there else "0"
    return there[0] if len(there) == 1 else f"({' || '.join(there)})"


def tables_of(curve: str, settings: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Names, as the library includes them, of the tables of this configuration, with what to ask
    the generator for.
    """
    table = EDWARDS.get(curve, curve)
    wanted: dict[str, tuple[str, ...]] = {}
    if settings["MULG"] == ("comb_flash" if table == curve else "comb_edwards"):
        teeth, blocks = settings["COMB_TEETH"], settings["COMB_BLOCKS"]
        options = (table, "--teeth", teeth, "--blocks", blocks)
        wanted[f"curve/comb/{table}_t{teeth}_v{blocks}.inc"] = options
    if settings["MULD"] in {"naf", "glv"} and table == curve:
        width = settings["WNAF_G"]
        wanted[f"curve/comb/{curve}_odd_w{width}.inc"] = (curve, "--odd", width)
    return wanted
