"""How every library stands beside ours: of how many of its rows one of ours is ahead, and the rows
of which none is. The claim of README.md and the page results/ahead.md of the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.curves import OPS, find_curve
from ecfit.fit.asked import Asked, answers
from ecfit.prose import wrapped
from ecfit.run.cases import OPS_WITH_SECRETS
from ecfit.show.layout import Column
from ecfit.show.report import Field, table_of, to_md
from ecfit.units import grouped, milliseconds
from ecfit_studies.survey.comparison import largest
from ecfit_studies.survey.front import Key, at_most, figures, front, key, published_rows
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import Section, StudyRecord, find_study

ALIKE = ", runs alike"  # a secret decides, but no run showed it: often a check of a range
STUDIES = ("anchors", "fronts", "presets", "micro-ecc")
MODE = "datasheet"  # of the flash, as in all of these studies
Place = tuple[str, str, str]  # chip, curve, operations of the image
CURVES = ("secp256r1", "secp256k1", "x25519", "ed25519")
SUBSETS = ("ecdh", "sign", "verify", "keygen+sign")  # and all operations
ABOUT = (
    "The constant-time column says what `ecfit ct` found on this core. `runs alike`: a branch "
    "depends on a secret, but it went the same way in all runs. An image with fewer operations has "
    "the answer of the image with all."
)


class Standing(msgspec.Struct, frozen=True):
    """How the rows of a library stand on a chip, for a curve and the operations of an image.

    `behind`: rows that one of ours is ahead of; `presets`: of these, those that a preset as it
    comes is ahead of; `named`: of the others, those that an answer of `fit` is ahead of. `left`:
    the records of each row that none of ours is ahead of.
    """

    target: str
    curve: str
    ops: str
    library: str
    rows: int
    behind: int
    presets: int
    named: int
    left: tuple[tuple[StudyRecord, ...], ...]


def standings(
    records: Sequence[StudyRecord], named: Sequence[Asked] = (), *, fronts: bool = False
) -> list[Standing]:
    """Every library on every chip, for every curve and set of operations that there are records
    of. A row of ours may have more operations than the row that it is ahead of. `named`: the
    answers of `fit`, which are rows of ours, too. `fronts`: of the rows of other libraries those
    alone that no other of theirs beats there.
    """
    made, asked = [], [(one.place, one.limits) for one in named]
    for target, curve in dict.fromkeys((r.target, r.curve) for r in records):
        mine = [r for r in records if (r.target, r.curve) == (target, curve)]
        found = [one.figures for one in named if (one.target, one.curve) == (target, curve)]
        own = found + _by_ops([r for r in mine if r.library == OWN])
        presets = _by_ops([r for r in mine if r.library == OWN and r.preset and not r.changed])
        theirs = [r for r in mine + published_rows(mine) if r.library != OWN]
        for ops, library in dict.fromkeys((r.image_ops, r.library) for r in theirs):
            some = [r for r in theirs if (r.image_ops, r.library) == (ops, library)]
            rows = figures(some)
            if fronts:
                best = _front([r for r in theirs if r.image_ops == ops])
                rows = {name: row for name, row in rows.items() if (library, name) in best}
            left = [name for name, row in rows.items() if not _has_ahead(own, row)]
            plain = [name for name, row in rows.items() if _has_ahead(presets, row)]
            made.append(
                Standing(
                    target, curve, ops, library,
                    rows=len(rows),
                    behind=len(rows) - len(left),
                    presets=len(plain),
                    named=sum(
                        name not in plain and ((target, curve, ops), row) in asked
                        for name, row in rows.items()
                    ),
                    left=tuple(tuple(r for r in some if key(r) == name) for name in left),
                )
            )  # fmt: skip
    return [one for one in made if one.rows]


def _front(records: Sequence[StudyRecord]) -> set[tuple[str, Key]]:
    """The library and name of each row that no other of these beats."""
    libraries = dict.fromkeys(r.library for r in records)
    rows = {
        (library, name): row
        for library in libraries
        for name, row in figures([r for r in records if r.library == library]).items()
    }
    return front(rows)


def without_preset(records: Sequence[StudyRecord]) -> Iterator[tuple[Place, dict[str, float]]]:
    """The chip, curve, operations and figures of each row that no unchanged preset is ahead of."""
    for target, curve in dict.fromkeys((r.target, r.curve) for r in records):
        mine = [r for r in records if (r.target, r.curve) == (target, curve)]
        presets = _by_ops([r for r in mine if r.library == OWN and r.preset and not r.changed])
        theirs = [r for r in mine + published_rows(mine) if r.library != OWN]
        for ops, library in dict.fromkeys((r.image_ops, r.library) for r in theirs):
            some = [r for r in theirs if (r.image_ops, r.library) == (ops, library)]
            for row in figures(some).values():
                if not _has_ahead(presets, row):
                    yield (target, curve, ops), row


def constant_time(records: Sequence[StudyRecord]) -> str:
    """Whether a row is constant-time on its core: "yes", "no: " and what leaks, "not checked"
    where an operation with a secret was not; "-" without a secret.
    """
    said = [r.constant_time for r in records if r.op in OPS_WITH_SECRETS]
    leaks = [f"{text} ({r.op})" for r in records if (text := r.constant_time or "yes") != "yes"]
    return leaks[0] if leaks else "-" if not said else "yes" if all(said) else "not checked"


def _by_ops(records: Sequence[StudyRecord]) -> list[dict[str, float]]:
    """The figures of each row, computed separately for each set of operations."""
    sets = dict.fromkeys(r.image_ops for r in records)
    return [
        row for ops in sets for row in figures([r for r in records if r.image_ops == ops]).values()
    ]


def _has_ahead(own: Sequence[Mapping[str, float]], row: Mapping[str, float]) -> bool:
    return any(at_most(one, row) for one in own)


def rows_left(title: str, found: Sequence[Standing]) -> Section:
    """The rows that no row of ours is ahead of."""
    rows = [row for one in found for row in one.left]
    lines = []
    for curve in dict.fromkeys(one.curve for one in found):
        some = [one for one in found if one.curve == curve]
        behind, every = sum(one.behind for one in some), sum(one.rows for one in some)
        lines.append(f"{curve}: {behind} of {every} rows are behind one of ours")
    if not rows:
        return Section(title, [Column("library", figure=False)], [["none"]], lines)
    ops = [op for op in OPS if any(record.op == op for row in rows for record in row)]
    return Section(title, *table_of(_fields(ops), rows), lines)


def table(title: str, found: Sequence[Standing]) -> Section:
    """A row for each library, chip, curve and set of operations: how many of its rows are behind
    one of ours, and how many of these behind a preset, or an answer of `fit`.
    """
    names = ("chip", "curve", "operations", "library", "rows", "behind", "a preset", "fit")
    columns = [Column(name, name in names[4:]) for name in names]
    cells = [
        [
            one.target,
            one.curve,
            one.ops,
            one.library,
            *map(str, (one.rows, one.behind, one.presets, one.named)),
        ]
        for one in found
    ]
    return Section(title, columns, cells)


def claim(found: Sequence[Standing], fronts: Sequence[Standing]) -> str:
    """How many rows of other libraries are behind one of ours, and what was not measured.
    `fronts`: of those that no other of theirs beats.
    """
    best, beaten = sum(one.rows for one in fronts), sum(one.behind for one in fronts)
    behind, every = sum(one.behind for one in found), sum(one.rows for one in found)
    chips, libraries = {one.target for one in found}, {one.library for one in found}
    presets, named = sum(one.presets for one in found), sum(one.named for one in found)
    rest = behind - presets - named
    fewer = [one for one in found if one.ops in SUBSETS]
    number, ahead = sum(one.rows for one in fewer), sum(one.behind for one in fewer)
    return (
        f"On {len(chips)} chips, {behind} of {every} rows of {len(libraries)} other libraries are "
        f"*behind*: a row of {OWN} is no larger, needs no more RAM, and is no slower in any "
        "operation. A row is one library with one of its settings, on one chip, for one curve and "
        f"some operations. {best} of the rows are on the front of these libraries, as no other row "
        f"of theirs is ahead of them: of these, {beaten} are behind. An unchanged preset is ahead "
        f"of {presets} of all rows. For {named} more, "
        "`ecfit fit` names a configuration that is ahead, if its "
        "limits are the figures of the row ([answers](../fit.md#asked-to-be-ahead)). "
        f"{_rest(rest)}In {number} of the rows, the image has fewer operations than the library: "
        f"{', '.join(SUBSETS)} alone. {ahead} of these are behind. {_not_measured(found)}".rstrip()
    )


def _rest(number: int) -> str:
    """Rows that only settings by hand are ahead of."""
    return f"Ahead of the other {number} are settings that it does not find. " * (number > 0)


def _not_measured(found: Sequence[Standing]) -> str:
    """The places that no row of another library is of, and how many rows there could be of images
    with fewer operations.
    """
    curves = {
        curve: [t for t in dict.fromkeys(one.target for one in found)
                if not any((one.target, one.curve) == (t, curve) for one in found)]
        for curve in CURVES
    }  # fmt: skip
    places = [f"{curve} on {', '.join(chips)}" for curve, chips in curves.items() if chips]
    said = [f"Not measured: {'; '.join(places)}."] if places else []
    made = {(one.target, one.curve, one.library, one.ops): one.rows for one in found}
    missing = sum(
        max(0, one.rows - made.get((one.target, one.curve, one.library, ops), one.rows))
        for one in found
        for ops in SUBSETS
        if {*ops.split("+")} < {*one.ops.split("+")} and one.ops not in SUBSETS
    )
    if missing:
        said.append(
            f"{missing} further rows with fewer operations were not measured: with all "
            "operations, another row of the same library (at -O2 and -O3, of any library) is as "
            "small and as fast, and needs as little RAM."
        )
    return " ".join(said)


def not_behind(found: Sequence[Standing]) -> list[str]:
    """A line for each curve and library with rows that no row of ours is ahead of, and on which
    chips; `leaks`: each of these rows does there.
    """
    lines = []
    for curve in dict.fromkeys(one.curve for one in found if one.left):
        some = [one for one in found if one.curve == curve and one.left]
        names = dict.fromkeys((one.library, one.ops) for one in some)
        for library, ops in names:
            alone = "" if ops == "+".join(find_curve(curve).ops) else f" ({ops} alone)"
            chips = [_place(one) for one in some if (one.library, one.ops) == (library, ops)]
            lines.append(f"{curve}: {library}{alone} on {', '.join(chips)}")
    return lines


def _place(one: Standing) -> str:
    said = [constant_time(row) for row in one.left]
    leaks = all(text.startswith("no: ") and ALIKE not in text for text in said)
    more = [f"{len(one.left)} rows"] if len(one.left) > 1 else []
    more += ["leaks"] if leaks else []
    return f"{one.target} ({', '.join(more)})" if more else one.target


def both(*, fronts: bool = False) -> list[Standing]:
    """How each library stands in the kept records of the studies. Errors: UsageError."""
    return standings(compared(), answers(), fronts=fronts)


def compared() -> list[StudyRecord]:
    """The kept records of the studies that are compared here. Errors: UsageError."""
    records = [record for name in STUDIES for record in kept(find_study(name))]
    said = {checked(r): r.constant_time for r in records if r.constant_time}
    return [
        msgspec.structs.replace(r, constant_time=said.get(checked(r)))
        for r in records
        if r.curve in CURVES and r.mode == MODE
    ]


def checked(record: StudyRecord) -> tuple[str | None, ...]:
    """What `ecfit ct` was asked about, whatever else is in the image."""
    of = record.target, record.curve, record.op, record.opt
    return *of, record.library, record.config_key


def ahead_page() -> str:
    """The page that says how each library stands: results/ahead.md. Errors: UsageError."""
    found = both()
    left, each = rows_left("Rows that are not behind", found), table("Each library", found)
    left.lines.extend(not_behind(found))
    parts = [
        "# Ahead: which library another one beats\n",
        f"{claim(found, both(fronts=True))}\n",
        *(part for one in (left, each)
          for part in (f"## {one.title}\n", to_md(one.columns, one.cells, one.lines))),
        "## Method\n",
        f"{ABOUT}\n",
        f"Made by `tools/docs/studies.py` from the records of {', '.join(STUDIES)}; do not edit."
        "\n",
    ]  # fmt: skip
    return wrapped("\n".join(parts))


def _named(record: StudyRecord) -> str:
    """The library and its settings; the groups of some studies have the settings alone."""
    named = record.group.startswith(record.library)
    return record.group if named else f"{record.library} {record.group}"


def _fields(ops: Sequence[str]) -> list[Field]:
    def time(op: str, rs: Sequence[StudyRecord]) -> str:
        return milliseconds(next((r.time_us for r in rs if r.op == op), None))

    return [
        Field(
            "chip",
            lambda rs: rs[0].target,
            False,
            lambda all_: len({r[0].target for r in all_}) > 1,
        ),
        Field("curve", lambda rs: rs[0].curve, False),
        Field("library", lambda rs: _named(rs[0]), False),
        Field("level", lambda rs: f"-{rs[0].opt}", False),
        *(Field(f"{op} ms", partial(time, op)) for op in ops),
        Field("flash B", lambda rs: grouped(largest(rs, "flash_bytes"))),
        Field("RAM B", lambda rs: grouped(largest(rs, "ram_bytes"))),
        Field("constant-time", constant_time, False),
    ]
