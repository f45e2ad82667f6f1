"""The presets for what an image does: chips, curves and the operations asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import all_presets
from ecfit.show.layout import Column
from ecfit.show.report import to_md
from ecfit.units import grouped, milliseconds
from ecfit_studies.questions.anchors import STUDY as ANCHORS
from ecfit_studies.questions.fronts import STUDY as FRONTS
from ecfit_studies.survey.dominated import behind, places
from ecfit_studies.survey.front import USUAL, equal, figures, front, row_name
from ecfit_studies.survey.plan import ON_REQUEST, ON_REQUEST_SAID, alike_with, has_own, rows
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

SUBSETS = (("ecdh",), ("sign",), ("verify",), ("keygen", "sign"))  # and all
KEYS = ("keygen", "ecdh")  # of P-256, without presets: all that P256-cortex-ecdh has
WHOLE = (ANCHORS, FRONTS)  # the studies of images with all operations


def plan(ask: Ask) -> list[Job]:
    """The presets with each subset of operations, and with all where no other study has that;
    beside them the rows of other libraries that no other row of the same library beats with all
    operations. First those of libraries that come only when asked for.
    """
    jobs = []
    for target in ask.targets:
        for curve in filter(has_own, ask.curves):
            known = any(target.name in s.targets and curve.name in s.curves for s in WHOLE)
            subsets = [ops for ops in SUBSETS if {*ops} <= {*curve.ops}]
            subsets += [KEYS] if curve.name == "secp256r1" else []
            for ops in subsets if known else [*subsets, curve.ops]:
                presets = [
                    (f"{OWN} {name}", resolve(curve, name, {}, target.backend, ops=ops))
                    for name in (all_presets() if ops != KEYS else ())
                ]
                beside = alike_with(target, curve, ops) if known else []
                for name, configuration in presets + beside:
                    for row in rows(ask, target, configuration, curve, only=ops):
                        jobs.append(Job(row, name))
    others = [*_others(ask)]
    first = [job for job in others if job.row.configuration.library in ON_REQUEST]
    return [*first, *jobs, *(job for job in others if job not in first)]


def _others(ask: Ask) -> Iterator[Job]:
    """The rows of other libraries, at the levels of the studies that have them."""
    leading = _leading()
    for study in WHOLE:
        asked = msgspec.structs.replace(
            ask,
            targets=tuple(one for one in ask.targets if one.name in study.targets),
            curves=tuple(one for one in ask.curves if one.name in study.curves),
        )
        for job in study.plan(asked):
            row = job.row
            if (row.target.name, row.curve.name, job.group, job.opt) in leading:
                for ops in SUBSETS:
                    if row.op in ops and {*ops} <= {*row.image_ops}:
                        fewer = msgspec.structs.replace(row, image_ops=ops)
                        yield msgspec.structs.replace(job, row=fewer)


def _leading() -> set[tuple[str, ...]]:
    """Chip, curve, group and level of the rows that are on the front of their own library with all
    operations; of other levels than the usual one those on the front of all libraries but ours.
    Of settings with equal figures, the first.
    """
    found: set[tuple[str, ...]] = set()
    every = [r for study in WHOLE for r in kept(study) if r.library != OWN]
    for place in dict.fromkeys((r.target, r.curve) for r in every):
        there = [r for r in every if (r.target, r.curve) == place]
        first = front(figures(there))
        for library in dict.fromkeys(r.library for r in there):
            mine = [r for r in there if r.library == library]
            best = {row for row in front(figures(mine)) if row[1] == USUAL or row in first}
            found |= {(*place, *same[0]) for same in equal(mine) if same[0] in best}
    return found


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


def answer(records: Sequence[StudyRecord]) -> str:
    """In how many images of each chip a preset has no measured row ahead of it."""
    left, by_place = behind(records), places(records)
    cells = []
    for target in dict.fromkeys(place[0] for place in by_place):
        row = [target]
        for preset in all_presets():
            images = [
                place
                for place, rows in by_place.items()
                if place[0] == target and any(_is_preset(r, preset) for r in rows)
            ]
            ahead = sum((place, preset) in left for place in images)
            row.append(f"{len(images) - ahead} of {len(images)}")
        cells.append(row)
    columns = [Column(head) for head in ("chip", *all_presets())]
    lead = "Images, one for each curve and set of operations, in which nothing measured is ahead of"
    return f"{lead} the preset ([how it was measured](#method)).\n\n" + to_md(columns, cells, [])


def _is_preset(record: StudyRecord, preset: str) -> bool:
    return record.library == OWN and record.preset == preset and record.changed is None


STUDY = Study(
    name="presets",
    title="Presets: what each has for what an image does",
    about="The values behind the name of a preset depend on the back end, the curve and the "
    "operations that an image has. This study measures the presets with each subset of "
    "operations: one image for each row, at -Os. Images with all operations are here where the "
    "studies `anchors` and `fronts` have none. `ms`: a time for each operation. `behind` names a "
    "measured row that is no larger, needs no more RAM, is no slower in any operation, and is "
    "more than 2 % better in one figure. A row of ours that clears nothing (WIPE=none) is compared "
    "with presets that clear nothing alone.\n\n"
    "Other libraries are measured with the same subsets. At -Os, these are the rows of each "
    "library that no other row of it beats with all operations. At -O2 and -O3, these are the "
    "rows that no row of any library but ours beats with all operations. [Ahead](ahead.md) "
    "compares them with ours. For that, there are also rows of ours with other settings. "
    "`unrolled`: PRODUCT=unrolled with the reduction of `fast`. `unwiped`: WIPE=none, and what "
    "P256-Cortex-M4 leaves out. `ladder`: MULV=ladder_coz with WIPE=none. `comb`: "
    f"MULG=comb_flash. {ON_REQUEST_SAID} P-384 has no rows of other libraries here.",
    targets=("samd20", "nrf52840", "lpc1114", "cc2538", "ibex"),
    curves=("secp256r1", "secp256k1", "x25519", "ed25519", "secp384r1"),
    plan=plan,
    summarise=summarise,
    answer=answer,
    outside=ON_REQUEST,
)
