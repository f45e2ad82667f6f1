#!/usr/bin/env python3
"""The site of the documentation: pages of docs/ as they are, pages that are made of the headers,
of the commands, of the data and of the records of studies, in one folder; and MkDocs, which makes
HTML of it.

tools/docs/docs_site.py [FOLDER]    writes the site, to build/site by default; a dead link is an
                                    error
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from ecfit import cli
from ecfit.errors import EcfitError
from ecfit.paths import LIB, ROOT
from tools.docs import docs_api, docs_examples, docs_reference, studies

DOCS = ROOT / "docs"
CONFIG = ROOT / "mkdocs.yml"
OUTSIDE = {  # files of the repository that are pages of the site, too
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "lib/slots.md": "slots.md",
    "lib/psa/README.md": "psa.md",
}
START = {"docs/README.md": "start.md"}  # index.html is the page of the product, start.md of tools
WIDE = "---\nhide: [toc]\n---\n\n"  # a page of results needs the room for its tables
CHOOSER = "chooser.html"  # the page of `ecfit report`
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^ *```.*?^ *```[^\n]*$)", re.MULTILINE | re.DOTALL)
MENTION = re.compile(r"(?<![\w/`])docs/([\w/-]+)\.md")


class DeadLinkError(EcfitError):
    """A link of a document that leads nowhere."""


def headers() -> dict[str, Path]:
    """The headers that have a page in the folder `api`."""
    found = {"ecfit": LIB / "include" / "ecfit.h", "ecfit_msg": LIB / "msg" / "ecfit_msg.h"}
    return found | {one.stem: one for one in sorted((LIB / "include" / "ecfit").glob("*.h"))}


def made_pages() -> dict[str, Callable[[], str]]:
    """Pages that are made, by their place in the site."""
    made: dict[str, Callable[[], str]] = {
        "reference/commands.md": docs_reference.commands_page,
        "reference/records.md": docs_reference.records_page,
        "reference/targets.md": docs_reference.targets_page,
        "reference/curves.md": docs_reference.curves_page,
        "index.md": (ROOT / "tools" / "docs" / "start.md").read_text,
    }
    for name, path in headers().items():
        text = path.read_text(encoding="utf-8")
        made[f"api/{name}.md"] = partial(_api_page, name, text)
    return made


def _api_page(name: str, text: str) -> str:
    return docs_api.api_page(text, *docs_examples.examples(name, text))


def written_pages() -> dict[str, str]:
    """Documents that are pages: their place in the repository, and in the site."""
    own = {path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")}
    return {name: name.removeprefix("docs/") for name in sorted(own)} | OUTSIDE | START


@cache
def results() -> dict[str, str]:
    """Pages and plots of the studies, by their place in the site."""
    return {f"results/{name}": text for name, text in studies.pages().items()}


def assemble(folder: Path) -> None:
    """Writes what MkDocs reads. Errors: DeadLinkError."""
    written = written_pages()
    places = written | {f"docs/{place}": place for place in results()}
    for name, place in written.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        _write(folder / place, relinked(text, name, places))
    for place, text in results().items():
        linked = relinked(text, f"docs/{place}", places) if place.endswith(".md") else text
        _write(folder / place, WIDE + linked if place.endswith(".md") else linked)
    for place, page in made_pages().items():
        _write(folder / place, mentions_linked(page(), place))
    with redirect_stderr(io.StringIO()):  # it says how far it is
        if cli.run(["report", "-o", str(folder / CHOOSER)]):
            raise DeadLinkError(f"{CHOOSER} is not made: run ecfit report")
    for name in ("site.css", "site.js"):
        _write(folder / name, (ROOT / "tools" / "docs" / name).read_text(encoding="utf-8"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _in_prose(pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], text: str) -> str:
    """Replaces what stands outside of fences; a link may go over the end of a line."""
    parts = FENCE.split(text)
    parts[::2] = [pattern.sub(new, part) for part in parts[::2]]
    return "".join(parts)


def relinked(text: str, name: str, places: dict[str, str]) -> str:
    """A document whose links hold in the site: to pages there; what else is in the repository
    is named, not linked. Errors: DeadLinkError.
    """
    here = PurePosixPath(name).parent

    def new(found: re.Match[str]) -> str:
        image, said, target = found.groups()
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found[0]
        there = os.path.normpath(here / path)
        if there in places:
            way = os.path.relpath(places[there], PurePosixPath(places[name]).parent)
            return f"{image}[{said}]({way}{mark}{anchor})"
        if not (ROOT / there).exists():
            raise DeadLinkError(f"{name}: {target} is not there")
        return found[0] if image else f"{said} (`{there}`)"

    return _in_prose(LINK, new, text)


def mentions_linked(text: str, place: str) -> str:
    """A page that is made, with docs/NAME.md as a link to that page."""

    def new(found: re.Match[str]) -> str:
        if not (DOCS / f"{found[1]}.md").is_file():
            raise DeadLinkError(f"{place}: {found[0]} is not there")
        way = os.path.relpath(f"{found[1]}.md", PurePosixPath(place).parent)
        return f"[{found[1].rpartition('/')[2]}]({way})"

    return _in_prose(MENTION, new, text)


def build(folder: Path) -> None:
    """Writes the site to a folder, which is replaced. Errors: DeadLinkError, MkDocsException."""
    with tempfile.TemporaryDirectory(prefix="ecfit-docs-") as name:
        pages, site = Path(name) / "pages", Path(name) / "site"
        assemble(pages)
        logging.getLogger("mkdocs").setLevel(logging.WARNING)
        config = load_config(str(CONFIG), docs_dir=str(pages), site_dir=str(site), strict=True)
        nav: list[dict[str, list[Any]]] = config.nav or []
        for place in unnamed(pages, str(nav)) if nav else []:
            _section(nav, place).append(place)
        mkdocs_build(config)
        # Where there is no server the theme takes the index of the search from a script.
        index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
        _write(site / "search" / "search_index.js", f"var __index = {index}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(site, folder)


def _section(nav: list[dict[str, list[Any]]], place: str) -> list[Any]:
    """The section of the pages of a folder; the last one where there is none."""
    folder = place.rpartition("/")[0]
    sections = [next(iter(one.values())) for one in nav]
    return next((one for one in sections if folder and f"'{folder}/" in str(one)), sections[-1])


def unnamed(pages: Path, nav: str) -> list[str]:
    """Pages that mkdocs.yml does not name: they stand at the end of a section."""
    found = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.md"))
    return [place for place in found if f"'{place}'" not in nav]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="The site of the documentation.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    folder = parser.parse_args().folder
    logging.basicConfig(format="docs: %(levelname)s: %(message)s", level=logging.WARNING)
    try:
        build(folder)
    except (EcfitError, MkDocsException) as error:
        sys.exit(f"docs: {error}")
    sys.stdout.write(f"docs: wrote {folder}/index.html\n")


if __name__ == "__main__":
    main()
