"""Chips by the names that people type, where no target file describes them: what stands in a table
of some four thousand (ecfit/data/chips.txt), and by family (chips.toml) what that does not say.

A chip whose core has a model becomes a target with its own flash and RAM, timed with the flash of
the nearest target. Of every other one, the error names the core, and what there is instead.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import msgspec

from ecfit.choices.targets import Accelerator, Clock, Memory, Mode, Target, all_targets
from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA

TABLE, FAMILIES = DATA / "chips.txt", DATA / "chips.toml"
KIB = 1024
LONGEST = 40  # characters of a name; the longest of the table has 26
SHORTEST = 4  # characters of the beginning of a name
MOST = 8  # kinds of chips that an error lists
# The compiler's name, by core. Some of the Cortex-M7 have double precision; no code here uses it.
FPU = {"cortex-m4": "fpv4-sp-d16", "cortex-m7": "fpv5-sp-d16", "cortex-m33": "fpv5-sp-d16"}
ARCH = {  # what the table says of chips with a core
    "cortex-m0": "armv6m", "cortex-m0plus": "armv6m", "cortex-m3": "armv7m", "cortex-m4": "armv7em",
    "cortex-m33": "armv8m", "cortex-m7": "armv7em", "cortex-m23": "armv8m", "cortex-m55": "armv8m",
    "cortex-m85": "armv8m",
}  # fmt: skip
CORE = re.compile(r"(?:arm-?)?(?:cortex-?|^)(m\d+p?|a\d+)(\+|plus)?f?")
OWN = "for your own chip: --target-file FILE (docs/adding-a-target.md)"


class Chip(msgspec.Struct, frozen=True):
    """A chip of the table: memory as (start, size in bytes); `letters`, its name without what
    separates, and `key`, the same in lower case.
    """

    name: str
    letters: str
    key: str
    packages: tuple[str, ...]
    series: str
    arch: str
    flash: tuple[tuple[int, int], ...]
    ram: tuple[tuple[int, int], ...]


class Family(msgspec.Struct, frozen=True, array_like=True):
    """Chips by how their names begin, a regular expression, and what data sheets say of all.

    `core`: with an f at its end if it has a floating-point unit. `mhz`: the usual clock, the
    highest, 0 where it is not known here. `flash`: the target whose flash theirs resembles; with =
    in front the chip is that target. `wait_states`: of their flash at that clock, -1 where it is
    not known here. `code`: what follows a name in an order code, where the table has no packages.
    `multiplier`: cycles of a Cortex-M0 or M0+ for a product, 0 where it is not known here.
    """

    names: str
    core: str
    mhz: float = 0
    flash: str = ""
    wait_states: int = -1
    code: str = ""
    source: str = ""
    multiplier: int = 1

    @property
    def model(self) -> str:
        """The core without its floating-point unit."""
        return self.core.removesuffix("f")


class OfChips(Accelerator, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An accelerator of chips whose names begin so (a regular expression)."""

    chips: str


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of chips.toml. `nearest`: of a core without a model the core that comes nearest,
    and what differs. `words`: what a core is called, where its name does not say it.
    """

    family: tuple[Family, ...]
    nearest: dict[str, tuple[str, str]]
    words: dict[str, str]
    accelerator: tuple[OfChips, ...]


@cache
def data() -> Data:
    """What there is by family."""
    return msgspec.toml.decode(FAMILIES.read_bytes(), type=Data)


@cache
def chips() -> tuple[Chip, ...]:
    """The table."""
    return tuple(_chips(TABLE.read_text(encoding="utf-8").splitlines()))


def _chips(lines: Iterable[str]) -> Iterator[Chip]:
    series = ""
    for line in lines:
        if line.startswith("@"):
            series = line[1:]
        elif not line.startswith("#"):
            arch, flash, ram, prefix, *names = line.split()
            banks = _spans(flash), _spans(ram)
            for word in names:
                rest, _, packages = word.partition(":")
                name = prefix.strip(".") + ("" if rest == "-" else rest)
                letters = re.sub(r"[^A-Za-z0-9]", "", name)
                yield Chip(
                    name, letters, letters.lower(), tuple(packages.split(",")) if packages else (),
                    series, arch, *banks,
                )  # fmt: skip


def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """`8000000+32K,10000000+8K` as numbers."""
    spans = []
    for span in text.split(",") if text != "-" else ():
        start, _, size = span.partition("+")
        spans.append((int(start, 16), int(size.rstrip("K")) * (KIB if size.endswith("K") else 1)))
    return tuple(spans)


def plain(name: str) -> str:
    """A name as it is compared."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def family(chip: str) -> Family | None:
    """The first family whose names begin as this one does; None where there is none."""
    name = plain(chip)
    return next((one for one in data().family if re.match(one.names, name)), None)


def core_of(name: str) -> str | None:
    """The core that a name is, or that the chips of such names have; None where it says nothing."""
    text = name.lower().replace("_", "-")
    if match := CORE.fullmatch(text):
        number, plus = match.groups()
        return "aarch64" if number[0] == "a" else f"cortex-{number}{'plus' if plus else ''}"
    if text in data().nearest:
        return text
    of = family(text)
    return of.model if of else None


def matching(name: str) -> list[Chip]:
    """The chips that a name stands for: a chip, with its package or as an order code; a series; or
    how names of chips begin.
    """
    key = plain(name)
    if not key or not name.isascii():
        return []
    keys = [key, f"at{key}"] if key.startswith("sam") else [key]
    kinds = (_named, _of_series, _beginning, _ordered)
    for kind in kinds if len(key) >= SHORTEST else kinds[:1]:
        for typed in keys:
            if fitting := kind(typed):
                return fitting
    return []


def _fits(name: str, key: str) -> bool:
    """Whether both begin alike: a small x of a name stands for any letter or digit."""
    return all(a == "x" or a.lower() == b for a, b in zip(name, key, strict=False))


def _named(key: str) -> list[Chip]:
    """Chips of that name, or in that package: letters for the reel may follow."""
    return [chip for chip in chips() if chip.key == key] or [
        chip
        for chip in chips()
        for rest in [key[len(chip.key) :]]
        if len(key) >= len(chip.key)
        and _fits(chip.letters, key)
        and (
            not rest
            or any(
                len(package) <= len(rest) <= len(package) + 3 and _fits(package, rest)
                for package in chip.packages
            )
        )
    ]


def _of_series(key: str) -> list[Chip]:
    return [chip for chip in chips() if plain(chip.series) == key]


def _beginning(key: str) -> list[Chip]:
    return [c for c in chips() if len(c.key) > len(key) and _fits(c.letters, key)]


def _ordered(key: str) -> list[Chip]:
    """Chips whose name the key begins with, followed by what order codes of the family have."""
    longest: dict[int, list[Chip]] = {}
    for chip in chips():
        if len(chip.key) < len(key) and _fits(chip.letters, key):
            of = family(chip.name)
            if of and of.code and re.fullmatch(of.code, key[len(chip.key) :]):
                longest.setdefault(len(chip.key), []).append(chip)
    return longest[max(longest)] if longest else []


def named(name: str) -> Target:
    """The target that a chip of the table becomes. Errors: UsageError, one line: an unknown name,
    several chips, or a core without a model.
    """
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[:LONGEST])
    shown += ".." * (len(name) > LONGEST)
    found = matching(name) if len(name) <= LONGEST else []
    kinds = {(_core(chip), chip.flash, chip.ram): chip for chip in reversed(found)}
    cores = {core for core, _, _ in kinds}
    if not found:
        raise _unknown(shown)
    if len(cores) == 1 and None in cores:
        raise UsageError(
            f"unknown target '{shown}': its core ({found[0].arch}) is not known here; {OWN}"
        )
    if len(cores) == 1 and not _with_core(next(iter(cores)) or ""):
        raise _not_modelled(shown, next(iter(cores)) or "")
    if len(kinds) > 1:
        raise _several(shown, list(reversed(kinds.values())))
    return _target(found[0])


def target_of(chip: Chip) -> Target:
    """The target of a chip of the table. Errors: UsageError, one line, where its core is not known
    or has no model, or the table lacks its memory.
    """
    core = _core(chip)
    if core is None:
        raise UsageError(f"{chip.name}: its core ({chip.arch}) is not known here; {OWN}")
    if not _with_core(core):
        raise _not_modelled(chip.name, core)
    return _target(chip)


def _core(chip: Chip) -> str | None:
    of = family(chip.name)
    return of.core if of else None


def _several(name: str, kinds: Sequence[Chip]) -> UsageError:
    """The error for a name that fits chips which differ: some of them."""
    cores = {_core(chip) for chip in kinds}
    core = f", all with {called(next(iter(cores)) or '')}" if len(cores) == 1 else ""
    some = ", ".join(f"{chip.name.lower()} ({_sizes(chip)})" for chip in kinds[:MOST])
    more = f", and {len(kinds) - MOST} kinds more" if len(kinds) > MOST else ""
    return UsageError(f"'{name}' fits several chips{core}; name one: {some}{more}")


def _sizes(chip: Chip) -> str:
    """Flash and RAM in KiB."""
    flash, ram = (sum(size for _, size in spans) / KIB for spans in (chip.flash, chip.ram))
    return f"{flash:.5g} KiB flash, {ram:.5g} KiB RAM"


def called(core: str) -> str:
    """A core, with its article, as in a sentence."""
    if core in data().words:
        return data().words[core]
    return f"a {core.replace('cortex-m', 'Cortex-M').replace('plus', '+').replace('f', 'F')}"


def _target(chip: Chip) -> Target:
    """The target of a chip whose core has a model. Errors: UsageError where the table lacks its
    memory.
    """
    of = family(chip.name)
    if of is None or not chip.flash or not chip.ram:
        raise UsageError(f"{chip.name}: the table of chips has no flash or RAM of it; {OWN}")
    near = all_targets()[of.flash.removeprefix("=")]
    if of.flash.startswith("=") or _is(chip, near):
        return near
    base = next(target for target in all_targets().values() if target.core == of.model)
    source = f"{TABLE.name}: series {chip.series}"
    clock = f"{of.mhz:g} MHz" if of.mhz else "clock not known: cycles only"
    banks = chip.ram if len(chip.ram) > 1 else ()
    memory = [
        Memory(f"flash{number + 1}" if number else "flash", "flash", *span, source)
        for number, span in enumerate(chip.flash)
    ]
    memory += [
        Memory(f"sram{number + 1}" if banks else "sram", "ram", *span, source)
        for number, span in enumerate(chip.ram)
    ]
    return Target(
        name=chip.name.lower(),
        description=(
            f"{chip.name}, {called(of.core).removeprefix('a ')}, {clock}, {_sizes(chip)}; "
            f"{'' if of.multiplier else 'a multiplier of 1 cycle assumed; '}"
            f"its flash timed as that of {near.name}"
        ),
        core=of.model,
        arch=base.arch,
        runner="sim",
        backend=base.backend,
        model=base.model,
        model_options=base.model_options,
        clock=Clock(round(of.mhz * 10**6), of.source) if of.mhz else None,
        memory=tuple(memory),
        modes={name: _mode(name, mode, of, near) for name, mode in near.modes.items()},
        fpu=FPU[of.model] if of.core != of.model else "",
        accelerator=tuple(one for one in data().accelerator if re.match(one.chips, chip.key)),
        like=near.name,
    )


def _is(chip: Chip, target: Target) -> bool:
    """Whether a target is this chip: the name, and as much memory."""
    sizes = [sum(m.size for m in target.memory if m.kind == kind) for kind in ("flash", "ram")]
    own = [sum(size for _, size in spans) for spans in (chip.flash, chip.ram)]
    return chip.key.startswith(plain(target.name)) and sizes == own


def _mode(name: str, mode: Mode, of: Family, near: Target) -> Mode:
    """A mode of the nearest target for another chip: its class is not that target's."""
    waits = of.wait_states if mode.wait_states and of.wait_states >= 0 else mode.wait_states
    flash = "" if name == "zero-ws" else f", its flash taken to answer as that of {near.name} does"
    other = "" if waits == mode.wait_states else f"; here {waits} wait states"
    if mode.wait_states and of.wait_states < 0:
        other = f"; its wait states are not known here: those of {near.name}"
    return msgspec.structs.replace(
        mode,
        wait_states=waits,
        flash=None,
        error_class="C",
        fitted={},
        reason=f"no published time of this chip was compared. Its core is modelled{flash}{other}",
        source=f"{near.name}: {mode.source}",
        help=f"{mode.help}{other}",
    )


def _unknown(name: str) -> UsageError:
    """The error for a name that is no target: which have its core, or what comes nearest."""
    core = core_of(name)
    if core is None:
        error = str(unknown_name("target", name, all_targets())).partition("known:")[0]
        return UsageError(f"{error}'ecfit list targets' lists all; {OWN}")
    if same := _with_core(core):
        close = difflib.get_close_matches(name.lower(), same, n=1, cutoff=0.75)
        hint = f"did you mean {close[0]}? " if close else ""
        return UsageError(f"unknown target '{name}': {hint}with {core}: {', '.join(same)}; {OWN}")
    return _not_modelled(name, core)


def _not_modelled(name: str, core: str) -> UsageError:
    """The error for a core without a model: what there is instead."""
    model = core.removesuffix("f") if core.startswith("cortex") else core
    near, why = data().nearest.get(model, ("", "its core is none with a cycle model"))
    same = ", ".join(_with_core(near))
    what = f" ({data().words[model]})" if model in data().words else ""
    more = f"; nearest, {near}: {same}" if same else ""
    return UsageError(f"unknown target '{name}': {model}{what} is not modelled: {why}{more}")


def _with_core(core: str) -> list[str]:
    """The targets with a core."""
    model = core.removesuffix("f") if core.startswith("cortex") else core
    return [target.name for target in all_targets().values() if target.core == model]
