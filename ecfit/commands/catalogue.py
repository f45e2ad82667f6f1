"""What there is to choose from, as flat values: targets, libraries, curves, knobs, presets."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from ecfit import __version__
from ecfit.arguments.common import Common
from ecfit.choices.curves import CURVES, MEASURED, OPS
from ecfit.choices.knobs import all_knobs, curve_slots
from ecfit.choices.peers import Peer
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import (
    NOT_ON_CHIP,
    Target,
    all_targets,
    core_accuracy,
    find_target,
    malformed,
)
from ecfit.errors import UsageError
from ecfit.show import layout

Entry = dict[str, str | int | None]
BROAD = 26  # characters of a text in a table of one line a row; the rest is in its own entry


def show(common: Common, what: str, entries: Sequence[Entry]) -> int:
    """Lists what there is of a kind, a line each; of one, all its fields. Errors: UsageError."""
    matching = _matching(entries, what, common.values["text"])
    if len(matching) == 1:
        fields: list[Entry] = [
            {"field": name, "value": None if value is None else str(value)}
            for name, value in matching[0].items()
        ]
        return common.listing(matching, ("value",), (), fields)
    note = f"all of one, or those with a word: 'ecfit list {what}s NAME' or WORD"
    return common.listing(matching, (), (note,), [_brief(what, entry) for entry in matching])


def listed(common: Common) -> int:
    """The command `list`. Errors: UsageError."""
    what = str(common.values["what"])
    if what == "targets":
        for line in malformed():
            sys.stderr.write(f"ecfit: left out: {line}\n")
    entries = {
        "targets": targets,
        "libs": lambda: libraries(common.peers()),
        "curves": lambda: curves(every=bool(common.values["text"])),
        "knobs": knobs,
        "presets": presets,
    }[what]()
    return show(common, what.removesuffix("s"), entries)


def _class_of(classes: str) -> str:
    """The accuracy class of a chip with its flash."""
    return classes.rpartition("datasheet ")[2].partition(",")[0]


def _matching(entries: Sequence[Entry], what: str, text: str | None) -> Sequence[Entry]:
    """The one whose name this is, or those in which the text stands. Errors: UsageError."""
    if not text:
        return entries
    wanted = text.lower()
    named = [entry for entry in entries if str(entry["name"]).lower() == wanted]
    matching = named or [
        entry for entry in entries if any(wanted in str(value).lower() for value in entry.values())
    ]
    if not matching and what == "target":
        return [_target(find_target(text))]
    if not matching:
        raise UsageError(f"no {what} has '{text}' in its entry; 'ecfit list {what}s' lists all")
    return matching


def _brief(what: str, entry: Entry) -> Entry:
    """One line of 80 columns: what decides, and `..` where a text goes on in its own entry."""
    if what == "target":
        flash, ram = (entry[name] for name in ("flash_bytes", "ram_bytes"))
        clock = entry["clock_hz"]
        return {
            "name": entry["name"],
            "core": entry["core"],
            "MHz": int(clock) // 10**6 if clock else None,
            "flash KiB": int(flash) // 1024 if flash else None,
            "RAM KiB": int(ram) // 1024 if ram else None,
            "back end": entry["backend"],
            "class": _class_of(str(entry["error_classes"] or "-")),
        }
    if what == "curve":
        return {
            "name": entry["name"],
            "bits": entry["bits"],
            "also": cut(entry["aliases"]),
            "source": cut(str(entry["source"]).partition(";")[0], 22),
        }
    if what == "lib":
        return {
            "name": entry["name"],
            "version": cut(str(entry["version"]).partition(" (")[0], 18),
            "licence": cut(entry["licence"], 14),
            "curves": len(str(entry["curves"]).split()),
            "keys only": "" if "sign" in str(entry["ops"]) else "yes",
        }
    if what == "preset":
        text = str(entry["description"])
        return {"name": entry["name"], "what it is": cut(text.partition(";")[0], 68)}
    return {
        "name": entry["name"],
        "default": entry["default"],
        "costs": cut(entry["spends"], 22),
        "values": cut(entry["values"]),
    }


def cut(value: str | int | None, limit: int = BROAD) -> str:
    """A field as a text of at most so many characters."""
    return layout.cut(str(value or "-"), limit)


def targets() -> list[Entry]:
    """The chips, and this machine."""
    return [_target(target) for target in all_targets().values()]


def _target(target: Target) -> Entry:
    return {
        "name": target.name,
        "core": target.core,
        "arch": target.arch,
        "clock_hz": target.clock.hz if target.clock else None,
        "flash_bytes": sum(m.size for m in target.memory if m.kind == "flash") or None,
        "ram_bytes": sum(m.size for m in target.memory if m.kind == "ram" and m.name != NOT_ON_CHIP)
        or None,
        "backend": target.backend,
        "error_classes": ", ".join(f"{name} {mode.accuracy}" for name, mode in target.modes.items())
        or target.counts_class,
        **_accuracy(target),
        "accelerator": ", ".join(unit.name for unit in target.accelerator) or None,
        "description": target.description,
    }


def _accuracy(target: Target) -> Entry:
    """What core and flash of a chip are worth, each by its rows of `ecfit fidelity`."""
    mode = target.modes.get("datasheet")
    if mode is None:
        return {"core_class": None, "flash_class": None}
    waits = "not validated" if mode.wait_states else "never waits"
    flash = mode.flash.text if mode.flash else waits
    return {"core_class": core_accuracy(target).text, "flash_class": flash}


def libraries(peers: Mapping[str, Peer]) -> list[Entry]:
    """This library and its peers."""
    own: Entry = {
        "name": "ecfit",
        "version": __version__,
        "licence": "MIT",
        "curves": " ".join(slot.name for slot in curve_slots()),
        "ops": " ".join(OPS),
        "options": "see 'ecfit list knobs'",
        "variants": "see 'ecfit list presets'",
        "package": None,
        "description": "this library",
    }
    return [own, *(_peer(peer) for peer in peers.values())]


def _peer(peer: Peer) -> Entry:
    ops = dict.fromkeys(op for offered in peer.curves.values() for op in offered)
    options = [
        f"{name}={'|'.join(o.values)} (default {o.default})" for name, o in peer.options.items()
    ]
    return {
        "name": peer.name,
        "version": peer.library_version,
        "licence": peer.licence,
        "curves": " ".join(peer.curves),
        "ops": " ".join(ops),
        "options": "; ".join(options) or None,
        "variants": " ".join(peer.variants) or None,
        "package": f"{peer.package.name} {peer.package.version}" if peer.package else None,
        "description": peer.description,
    }


def curves(*, every: bool) -> list[Entry]:
    """The curves, with their other names; and what is post-quantum, for those who look for it."""
    return [
        {"name": c.name, "aliases": ", ".join(c.aliases), "bits": c.bits, "source": c.source}
        for c in (MEASURED if every else CURVES).values()
    ]


def knobs() -> list[Entry]:
    """The settings of the library, with their values in each preset."""
    entries: list[Entry] = []
    for knob in all_knobs().values():
        entry: Entry = {
            "name": knob.name,
            "scope": knob.scope,
            "values": knob.range_text,
            "default": str(knob.default),
        }
        for name, preset in all_presets().items():
            entry[name] = str(preset.values.get(knob.name, knob.default))
        entries.append({**entry, "spends": knob.spends, "help": knob.help})
    return entries


def presets() -> list[Entry]:
    """The named configurations of the library: what they change from the defaults."""
    return [
        {
            "name": name,
            "description": preset.description,
            "settings": _settings(preset.values) or "the defaults",
            "where": "; ".join(
                f"{where.words}: {_settings(where.values)}" for where in preset.where
            )
            or None,
            "several_curves": _settings(preset.several) or None,
        }
        for name, preset in all_presets().items()
    ]


def _settings(values: Mapping[str, str | int]) -> str:
    return " ".join(f"{knob}={value}" for knob, value in values.items())
