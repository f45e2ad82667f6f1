"""The page itself: what is shown, as data and tables, around the chart library. One file of HTML,
the same bytes for the same content; it asks nothing of the network.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import jinja2
import msgspec

from ecfit.choices.curves import OPS
from ecfit.choices.targets import ERROR_CLASSES, ERRORS, Target
from ecfit.measure.battery import cells
from ecfit_studies import DATA
from ecfit_studies.page.chooser import Choices
from ecfit_studies.page.cycles import Frame
from ecfit_studies.page.handshakes import Handshake
from ecfit_studies.page.parts import KINDS, Part
from ecfit_studies.page.setups import Setup
from ecfit_studies.survey.study import Section

FILES = DATA / "page"
SCRIPTS = ("charts.js", "fits.js", "choose.js", "page.js")


class Table(msgspec.Struct, frozen=True):
    """A published table beside what was measured: its study, and where its records come from."""

    name: str
    title: str
    about: str
    origin: str
    sections: list[Section]
    lines: list[str]


class Fidelity(msgspec.Struct, frozen=True):
    """Published figures of silicon beside the modelled ones. `rows`: those of `ecfit fidelity`."""

    rows: list[dict[str, Any]]
    section: Section
    origin: str


class Content(msgspec.Struct, frozen=True):
    """All that the page shows.

    `command`: what makes it; `origin`: of the records, in words; `measured`: by this command,
    not kept; `parts` and `cycles`: by the place of the setup, and by operation; empty where
    the records are kept ones. `fidelity` None, `tables`, `handshakes` empty: where nothing is kept.
    `choices`: of every chip, where nothing was measured; then `setups` are of other libraries.
    """

    command: str
    origin: str
    measured: bool
    mode: str
    targets: tuple[Target, ...]
    setups: list[Setup]
    failures: list[str]
    notes: list[str]
    parts: Mapping[int, list[Part]] = {}
    cycles: Mapping[int, Mapping[str, list[Frame]]] = {}
    fidelity: Fidelity | None = None
    tables: Sequence[Table] = ()
    handshakes: Sequence[Handshake] = ()
    choices: Choices | None = None


class Chapter(msgspec.Struct, frozen=True):
    """A part of the page: sections/NAME.html, and in page.js the function of that name, if any."""

    name: str
    title: str


def chapters(content: Content) -> list[Chapter]:
    """The sections of this content, in the order of the page."""
    found = [
        (True, Chapter("fits", "What fits")),
        (bool(content.parts), Chapter("flash", "Where the flash goes")),
        (bool(content.cycles), Chapter("cycles", "Where the cycles go")),
        (bool(content.handshakes), Chapter("tls", "What a TLS handshake takes")),
        (content.fidelity is not None, Chapter("fidelity", "How far the model can be trusted")),
        (bool(content.tables), Chapter("tables", "Published tables, measured again")),
        (True, Chapter("origin", "Where the figures come from")),
    ]
    return [chapter for there, chapter in found if there]


def render(content: Content, charts: str) -> str:
    """The page. `charts`: the text of the chart library."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FILES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html").render(
        content=content,
        chapters=chapters(content),
        curves=list(dict.fromkeys(curve for curve, _ in _images(content))),
        names=sum(len(names.split()) for *_, names in content.choices.chips)
        if content.choices
        else 0,
        rows=sum(
            len(columns.labels)
            for charts in content.choices.charts.values()
            for columns in charts.values()
        )
        if content.choices
        else 0,
        cells=cells(),
        classes={name: ERROR_CLASSES[name] for name in ERRORS},
        style=_inline((FILES / "page.css").read_text(encoding="utf-8"), "style"),
        data=_json(_data(content)),
        library=_inline(charts, "script"),
        scripts=[_inline((FILES / name).read_text(encoding="utf-8"), "script") for name in SCRIPTS],
    )


def _images(content: Content) -> list[tuple[str, Collection[str]]]:
    """The curve and the operations of all that can be chosen."""
    if content.choices is None:
        return [(setup.curve, setup.ops) for setup in content.setups]
    charts = content.choices.charts.values()
    return [(curve, columns.ops) for chart in charts for curve, columns in chart.items()]


def _data(content: Content) -> dict[str, Any]:
    """What the scripts read."""
    names: dict[str, int] = {}
    graphs = {
        place: {
            op: [[f.caller, names.setdefault(f.name, len(names)), f.own] for f in found]
            for op, found in by_op.items()
        }
        for place, by_op in content.cycles.items()
    }
    return {
        "ops": [op for op in OPS if any(op in ops for _, ops in _images(content))],
        "choices": content.choices,
        "mode": content.mode,
        "setups": content.setups,
        "kinds": KINDS,
        "parts": content.parts,
        "functions": list(names),
        "cycles": graphs,
        "handshakes": content.handshakes,
        "fidelity": content.fidelity.rows if content.fidelity else [],
    }


def _json(value: Any) -> str:
    """JSON that can stand inside an element of HTML."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _inline(text: str, element: str) -> str:
    """A text that can stand inside this element. Errors: ValueError where it would end it."""
    if f"</{element}" in text.lower():
        raise ValueError(f"a text for <{element}> contains its end")
    return text
