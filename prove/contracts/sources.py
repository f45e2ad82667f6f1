"""The routines of a back end and their banners, as workshop/assembly/routines.py finds them."""

from __future__ import annotations

import re
from functools import cache

from ecfit.ship.assembly import cut
from workshop.assembly.routines import FUNCTION, sources
from workshop.paths import SRC

BANNER = re.compile(r"/\*(?P<text>.*?)\*/", re.DOTALL)


@cache
def banners(backend: str) -> dict[str, str]:
    """The banner of each routine of a back end, and of each entry that has one."""
    found: dict[str, str] = {}
    texts = sources(backend)
    if backend in ("armv7m", "armv7em"):  # some of the files that they share name no core
        texts = {n: t for n, t in sources("armv6m").items() if n in _shared()} | texts
    for name, text in texts.items():
        names = [n for _, n in FUNCTION.findall(text)] + [name]
        for match in BANNER.finditer(text):
            plain = " ".join(re.sub(r"\n \* ?", "\n", match["text"]).split())
            for n in names:
                if re.match(rf"(?:[\w ]+ \*?)?{n}[:(]", plain):
                    found.setdefault(n, plain)
            entry = re.search(r"The entry (\w+) is for the interpreter: ", plain)
            if entry:  # with an argument more
                own = re.sub(r"^void \w+\(([^)]*)\)", rf"void {entry[1]}(\1, int op)", plain)
                found.setdefault(entry[1], own)
    return found


@cache
def _shared() -> set[str]:
    """The routines in a folder `thumb`."""
    texts = (path.read_text(encoding="utf-8") for path in SRC.rglob("thumb/*.S"))
    return {name for text in texts for name in cut(text)}


def routines(backend: str) -> list[str]:
    """All routines of a back end's assembly: functions, and inner functions."""
    banners(backend)
    return sorted(sources(backend))


def layer(backend: str, name: str) -> str:
    """mp, field, group or mul: the folder of its file."""
    return _layers(backend)[name]


@cache
def _layers(backend: str) -> dict[str, str]:
    banners(backend)
    from workshop.assembly.routines import sources

    known = sources(backend)
    found = {}
    for path in sorted(SRC.rglob("*.S")):
        for name in cut(path.read_text(encoding="utf-8")):
            if name in known and (backend in path.parts or "thumb" in path.parts):
                found[name] = path.relative_to(SRC).parts[0]
    return found
