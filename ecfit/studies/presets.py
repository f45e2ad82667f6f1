"""The presets for what an image does: chips, curves and the operations asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ecfit.build.parts import OWN
from ecfit.choices.curves import Curve
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target
from ecfit.show.layout import Column
from ecfit.studies.anchors import STUDY as ANCHORS
from ecfit.studies.fronts import STUDY as FRONTS
from ecfit.survey.behind import behind, places
from ecfit.survey.front import figures, row_name
from ecfit.survey.kept import kept
from ecfit.survey.plan import has_own, rows
from ecfit.survey.study import Ask, Job, Section, Study, StudyRecord
from ecfit.units import grouped, milliseconds

SUBSETS = (("ecdh",), ("sign",), ("verify",), ("keygen", "sign"))  # and all
ROOM = 1.1  # by which a figure may differ between images with more and fewer operations

Costs = Mapping[str, Mapping[str, tuple[float, float]]]  # time and RAM by row and operation


def plan(ask: Ask) -> list[Job]:
    """The presets with each subset of operations, and beside them the other libraries that may be
    ahead there; with all operations where no other study has that.
    """
    known, jobs = _known(), list[Job]()
    for target in ask.targets:
        for curve in filter(has_own, ask.curves):
            there = known.get((target.name, curve.name), {})
            subsets = [ops for ops in SUBSETS if {*ops} <= {*curve.ops}]
            for ops in subsets if there else [*subsets, curve.ops]:
                jobs += _jobs(ask, target, curve, ops, there)
    return jobs


def _jobs(
    ask: Ask, target: Target, curve: Curve, ops: tuple[str, ...], there: Costs
) -> Iterator[Job]:
    """The rows of a place."""
    for name in all_presets():
        configuration = resolve(curve, name, {}, target.backend, ops=ops)
        for row in rows(ask, target, configuration, curve, only=ops):
            yield Job(row, f"{OWN} {name}")
    for peer in ask.peers.values():
        if peer.on_request or not {*ops} <= {*peer.ops(curve.name, target.core)}:
            continue
        for variant, settings in {"": {}, **peer.variants}.items():
            group = f"{peer.name} {variant}".strip()
            if _open(there, group, ops):
                configuration = peer.configure(settings, target.core)
                yield from (
                    Job(row, group) for row in rows(ask, target, configuration, curve, only=ops)
                )


def _known() -> Mapping[tuple[str, str], Costs]:
    """What is kept by target and curve, of images with all operations."""
    found: dict[tuple[str, str], dict[str, dict[str, tuple[float, float]]]] = {}
    for r in (*kept(ANCHORS), *kept(FRONTS)):
        if r.opt == "Os" and r.status == "ok" and r.changed is None:
            place = found.setdefault((r.target, r.curve), {})
            place.setdefault(r.group, {})[r.op] = (r.time_us or 0, r.ram_bytes or 0)
    return found


def _open(there: Costs, group: str, ops: Sequence[str]) -> bool:
    """Whether a row can leave a preset behind with these operations, by what both take for them
    in an image with all: a preset is no slower in one with fewer.
    """
    theirs = there.get(group)
    if theirs is None:
        return False
    for name in all_presets():
        mine = there[f"{OWN} {name}"]
        if all(
            op in theirs and theirs[op][0] <= ROOM * mine[op][0]
            and theirs[op][1] <= ROOM * max(mine[one][1] for one in ops)
            for op in ops
        ):  # fmt: skip
            return True
    return False


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """A table for each chip: a row for each curve, subset of operations and preset."""
    left = behind(records)
    sections = []
    heads = ("curve", "operations", "preset", "ms", "flash B", "RAM B", "behind")
    columns = [Column(name, name in ("ms", "flash B", "RAM B")) for name in heads]
    by_place = places(records)
    for target in dict.fromkeys(place[0] for place in by_place):
        cells = []
        for place in (place for place in by_place if place[0] == target):
            own = [r for r in by_place[place] if r.library == OWN]
            for row, found in figures(own).items():
                name = row[0].removeprefix(f"{OWN} ")
                ahead = left.get((place, name))
                times = " / ".join(milliseconds(found[op]) for op in place[2].split("+"))
                sizes = grouped(round(found["flash"])), grouped(round(found["ram"]))
                where = (place[1], place[2].replace("+", ", "), name)
                cells.append([*where, times, *sizes, row_name(ahead) if ahead else "-"])
        own_of = [r for r in records if r.target == target]
        peers = len({(r.curve, r.image_ops, r.group) for r in own_of if r.library != OWN})
        sections.append(Section(target, columns, cells, [f"rows of other libraries: {peers}"]))
    return sections


STUDY = Study(
    name="presets",
    title="Presets: what each has for what an image does",
    about="The values behind the name of a preset depend on the back end, the curve and the "
    "operations that an image has. This study measures the presets with each subset of "
    "operations: one image for each row, at -Os. Images with all operations are here where the "
    "studies `anchors` and `fronts` have none. `ms`: a time for each operation. `behind` names a "
    "measured row that is no larger, needs no more RAM, is no slower in any operation, and is "
    "more than 2 % better in one figure. A row of ours that clears nothing (WIPE=none) is compared "
    "with presets that clear nothing alone. Other libraries take part where their time and RAM "
    "with all operations leave it open that they are ahead. No study has these for P-384, and for "
    "secp256k1 on the LPC1114, CC2538 and Ibex: there, presets are compared with each other alone.",
    targets=("samd20", "nrf52840", "lpc1114", "cc2538", "ibex"),
    curves=("secp256r1", "secp256k1", "x25519", "ed25519", "secp384r1"),
    plan=plan,
    summarise=summarise,
)
