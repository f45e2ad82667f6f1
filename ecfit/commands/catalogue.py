"""What there is to choose from, as flat values: targets, libraries, curves, knobs, presets."""

from __future__ import annotations

from collections.abc import Mapping

from ecfit import __version__
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.knobs import all_knobs, curve_slots
from ecfit.choices.peers import Peer
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target, all_targets

Entry = dict[str, str | int | None]


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
        "ram_bytes": sum(m.size for m in target.memory if m.kind == "ram") or None,
        "backend": target.backend,
        "error_classes": ", ".join(
            f"{name} {mode.error_class}" for name, mode in target.modes.items()
        )
        or None,
        "description": target.description,
    }


def libraries(peers: Mapping[str, Peer]) -> list[Entry]:
    """This library and its peers."""
    own: Entry = {
        "name": "ecfit",
        "version": __version__,
        "licence": "MIT",
        "curves": " ".join(slot.name for slot in curve_slots()),
        "ops": " ".join(OPS),
        "options": "see 'ecfit knobs'",
        "variants": "see 'ecfit presets'",
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


def curves() -> list[Entry]:
    """The curves, with their other names."""
    return [
        {"name": c.name, "aliases": ", ".join(c.aliases), "bits": c.bits, "source": c.source}
        for c in CURVES.values()
    ]


def knobs() -> list[Entry]:
    """The settings of the library, with their values in each preset."""
    found: list[Entry] = []
    for knob in all_knobs().values():
        entry: Entry = {
            "name": knob.name,
            "scope": knob.scope,
            "values": knob.range_text,
            "default": str(knob.default),
        }
        for name, preset in all_presets().items():
            entry[name] = str(preset.values.get(knob.name, knob.default))
        found.append({**entry, "spends": knob.spends, "help": knob.help})
    return found


def presets() -> list[Entry]:
    """The named configurations of the library: what they change from the defaults."""
    return [
        {
            "name": name,
            "description": preset.description,
            "settings": _listed(preset.values) or "the defaults",
            "where": "; ".join(f"{one.words}: {_listed(one.values)}" for one in preset.where)
            or None,
            "several_curves": _listed(preset.several) or None,
        }
        for name, preset in all_presets().items()
    ]


def _listed(values: Mapping[str, str | int]) -> str:
    return " ".join(f"{knob}={value}" for knob, value in values.items())
