"""The site of the documentation: built whole and strictly, no dead link or anchor, nothing from
elsewhere; what a reader sees of it in Chromium, on a wide screen and on a phone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import axe_playwright_python.sync_playwright as axe
import msgspec
import pytest
from mkdocs.exceptions import MkDocsException
from playwright.sync_api import Browser

from ecfit import cli
from ecfit.arguments.examples import EXAMPLES
from ecfit.choices.boards import Board
from ecfit.choices.targets import all_targets
from ecfit.model import FunctionRecord, Record
from ecfit.show.origin import stamped
from ecfit_lab.tls.record import TlsRecord
from ecfit_studies.survey.study import StudyRecord
from tools.docs import docs_api, docs_reference, docs_site
from workshop.cli.browser import PHONE, WIDE, chromium

ROOT = Path(__file__).resolve().parents[2]
LOOKED_AT = ("index.html", "knobs.html", "reference/commands.html", "api/secp256r1.html",
             "results/anchors.html")  # fmt: skip
CONTRAST = {"runOnly": ["color-contrast", "link-in-text-block"]}
FETCHED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links to, what it fetches, and the places in it that have a name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.names: set[str] = set()
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element."""
        told = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.names.update(told[name] for name in ("id", "name") if name in told)
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        if tag in FETCHED and FETCHED[tag] in told and told.get("rel") != "canonical":
            self.fetched.append(told[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    docs_site.build(folder)
    return folder


def dead(site: Path) -> Iterator[str]:
    """Links of the site that lead nowhere, or out of its folder."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        if path.name == "404.html":
            continue
        for link in [*page.links, *page.fetched]:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https"):
                host = re.fullmatch(r"[\w.-]+\.[a-z]+(:\d+)?", parts.netloc)
                if link in page.fetched or not host:
                    yield f"{path.name}: {link}"
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            gone = parts.scheme or link.startswith("/") or not there.is_file()
            if gone or (parts.fragment and unquote(parts.fragment) not in pages[there].names):
                yield f"{path.name}: {link}"


def test_what_stands_in_angle_brackets_is_text(site: Path) -> None:
    """As ecfit_<curve>_keygen."""
    for path in site.rglob("*.html"):
        unknown = Page(path.read_text(encoding="utf-8")).tags & {"curve", "name", "file", "knob"}
        assert unknown == set(), path.name
    assert "ecfit/&lt;curve&gt;.h" in (site / "api/ecfit.html").read_text(encoding="utf-8")


def test_no_dead_link_and_nothing_from_elsewhere(site: Path) -> None:
    assert list(dead(site)) == []
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "planted",
    ["missing.html", "index.html#missing", "/index.html", "https://nowhere/", "mailto:x"],
)
def test_a_planted_dead_link_is_found(planted: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f'<a href="{planted}">x</a>', encoding="utf-8")
    assert list(dead(tmp_path)) == [f"index.html: {planted}"]


@pytest.mark.parametrize(
    "text", ["[x](missing.md)", "[x](design.md#missing)", "[x](/design.md)", "[x](../tools)x"]
)
def test_a_document_with_a_dead_link_is_not_built(text: str, tmp_path: Path) -> None:
    pages = {"docs/fit.md": "fit.md", "docs/design.md": "design.md"}
    if text.startswith("[x](../tools"):  # it is there, and no page: named, not linked
        assert docs_site.relinked(text, "docs/fit.md", pages) == "x (`tools`)x"
    elif "#" in text:  # MkDocs finds it: see the next test
        assert docs_site.relinked(text, "docs/fit.md", pages) == text
    else:
        with pytest.raises(docs_site.DeadLinkError, match="is not there"):
            docs_site.relinked(text, "docs/fit.md", pages)


def test_links_are_those_of_the_prose() -> None:
    """Over the end of a line, too; what stands in a fence is no link."""
    pages = {"CHANGELOG.md": "changelog.md", "docs/fit.md": "fit.md"}
    text = "[a\nb](docs/fit.md#x) ``` [a](docs/fit.md)\n```\n[a](docs/fit.md)\n```\n"
    new = "[a\nb](fit.md#x) ``` [a](fit.md)\n```\n[a](docs/fit.md)\n```\n"
    assert docs_site.relinked(text, "CHANGELOG.md", pages) == new


# What a page names in the tree: a file; a test (`test_x..`: all that begin so); a target of make.
FILE = re.compile(r"`((?:ecfit|examples|firmware|lib|peers|prove|results|sim|tests|tools|workshop)/"
                  r"[\w./-]+\.\w+)")  # fmt: skip
TEST, TARGET = (
    re.compile(r"`(?:[\w/]+\.py::)?(test_\w+)(\.\.)?`"),
    re.compile(r"`make ([a-z][a-z-]*)"),
)


def not_there(text: str) -> Iterator[str]:
    """What a page names, and is not in the tree; but for files that it asks to write."""
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    defined = re.findall(r"^def (test_\w+)\(", "\n".join(tests), re.MULTILINE)
    words = re.findall(r"[a-z-]+", (ROOT / "Makefile").read_text(encoding="utf-8"))
    for path in FILE.findall(text):
        asked = re.search(rf"New\sfile\s`{path}`", text) or "NAME" in path
        if not asked and not (ROOT / path).is_file():
            yield path
    for test, more in TEST.findall(text):
        if not any(name == test or (more and name.startswith(test)) for name in defined):
            yield test
    yield from (f"make {target}" for target in TARGET.findall(text) if target not in words)


def test_what_the_pages_name_in_the_tree_is_there() -> None:
    """Or a promise has lost what holds it. The changelog names what was."""
    for name in docs_site.written_pages().keys() - {"CHANGELOG.md"}:
        assert list(not_there((ROOT / name).read_text(encoding="utf-8"))) == [], name


@pytest.mark.parametrize(
    "planted", ["`lib/src/none.c`", "`test_none`", "`test_no_on..`", "`make x`"]
)
def test_a_planted_name_is_found(planted: str) -> None:
    assert len(list(not_there(f"{planted} `lib/src/ct.h`, `test_not..`, `make test`"))) == 1


def test_the_navigation_has_four_parts_and_every_page() -> None:
    """Tutorials lead, how-tos solve, references list, explanations argue (Diataxis)."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    parts = re.findall(r"^  - (.+):$", nav, re.MULTILINE)
    assert parts == ["Tutorials", "How-to", "Reference", "Explanation"]
    named = set(re.findall(r": (\S+\.md)$", nav, re.MULTILINE))
    results = {place for place in docs_site.results() if place.endswith(".md")}
    assert named == {*docs_site.written_pages().values(), *docs_site.made_pages(), *results}


def test_a_dead_anchor_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[0]
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    monkeypatch.setattr(docs_site, "CONFIG", tmp_path / "mkdocs.yml")
    monkeypatch.setattr(docs_site, "assemble", _one_page)
    with pytest.raises(MkDocsException, match="strict"):
        docs_site.build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def _one_page(pages: Path) -> None:
    pages.mkdir()
    (pages / "index.md").write_text("# A page\n\n[x](#missing)\n", encoding="utf-8")


def test_every_command_target_and_function_is_there(site: Path) -> None:
    commands = (site / "reference/commands.html").read_text(encoding="utf-8")
    for name, command in cli.cli.every().items():
        assert f'id="ecfit-{name}"' in commands
        assert all(html.escape(line, quote=False) in commands for line in EXAMPLES[name])
        for parameter in command.params:
            assert all(option in commands for option in parameter.opts if option.startswith("--"))
    targets = Page((site / "reference/targets.html").read_text(encoding="utf-8"))
    assert set(all_targets()) <= targets.names
    for name, path in docs_site.headers().items():
        text = path.read_text(encoding="utf-8")
        page = Page((site / f"api/{name}.html").read_text(encoding="utf-8"))
        declared = set(re.findall(r"^(?:ECFIT_CHECK )?\w+ (ecfit_\w+)\(", text, re.MULTILINE))
        declared |= set(re.findall(r"^#define (ECFIT_\w+)[( ]\S", text, re.MULTILINE))
        declared |= set(re.findall(r"^\} (ecfit_\w+);", text, re.MULTILINE))
        declared -= {"ECFIT_CHECK"}
        assert declared <= set(docs_api.names(text))
        assert {one.lower() for one in declared} <= page.names


def test_every_field_of_a_record_has_an_entry(site: Path) -> None:
    """Each field once: those of `bench` stand for the same fields of other commands."""
    (row,) = stamped([{"schema": 1, "target": "samd20"}])
    printed = {
        "bench": set(Record.__struct_fields__),
        "origin": set(row) - {"schema", "target"},
        "measure": set(FunctionRecord.__struct_fields__),
        "study": set(StudyRecord.__struct_fields__),
        "tls": set(TlsRecord.__struct_fields__),
    }
    told = {name: set(some) for name, some in docs_reference.fields().items()}
    assert told.keys() == printed.keys() == docs_reference.RECORDS.keys()
    for name, names in printed.items():
        assert told[name] <= names
        assert names <= told[name] | told["bench"], name
    names = Page((site / "reference/records.html").read_text(encoding="utf-8")).names
    assert {f"{name}-{field}" for name, some in told.items() for field in some} <= names


def test_the_board_of_the_page_is_one() -> None:
    """docs/adding-a-board.md: its table is read as one of ecfit/data/boards.toml."""
    text = (ROOT / "docs" / "adding-a-board.md").read_text(encoding="utf-8")
    table = text.partition("```toml\n")[2].partition("```")[0]
    (board,) = msgspec.toml.decode(table, type=dict[str, Board]).values()
    assert all((ROOT / "firmware" / "board" / source).is_file() for source in board.sources)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_it_is_readable_and_asks_for_nothing(
    site: Path, browser: Browser, scheme: str, size: dict[str, int]
) -> None:
    """No complaint in the console, no request that leaves the folder, nothing wider than
    the window.
    """
    chosen: dict[str, Any] = {"viewport": size, "color_scheme": scheme}
    context = browser.new_context(**chosen)
    asked: list[str] = []
    complaints: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for name in LOOKED_AT:
        page.goto((site / name).as_uri())
        page.wait_for_selector("h1")
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{name} is wider than {size['width']} pixels"
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:"))] == []
    assert complaints == []
    page.goto((site / "adding-a-backend.html").as_uri())  # code in three languages, links
    assert axe.Axe().run(page, options=CONTRAST).response["violations"] == []
    context.close()


# Of each page: pixels by which it is too wide; tables beyond the edge of the paper; cells whose
# text lies over the next one, or stands in many lines of a few letters; plots as they are drawn,
# black on white.
SEEN = """paper => {
  const all = (what) => [...document.querySelectorAll(what)];
  const text = (cell) => cell.textContent.trim();
  const em = (cell) => parseFloat(getComputedStyle(cell).fontSize);
  const box = (cell) => cell.getBoundingClientRect();
  const cells = all('.md-typeset table:not([class]) td');
  return {
    wider: paper ? 0 : document.documentElement.scrollWidth - innerWidth,
    cut: paper ? all('table').filter(t => box(t).right > innerWidth + 1).length : 0,
    over: cells.filter(c => c.scrollWidth > c.clientWidth + 1).map(text),
    narrow: paper ? [] : cells.filter(c => text(c).length > 40 && box(c).width < 11 * em(c)
      && box(c).height > 14 * em(c)).map(text),
    plots: all('.md-typeset img').filter(i => getComputedStyle(i).filter === 'none').length,
  };
}"""


@pytest.mark.ci
@pytest.mark.parametrize(
    ("media", "scheme", "width"), [("screen", "dark", 360), ("screen", "light", 768),
                                   ("print", "light", 718)],
)  # fmt: skip
def test_every_page_fits(
    site: Path, browser: Browser, media: Literal["screen", "print"], scheme: Any, width: int
) -> None:
    """A phone in the dark, a tablet, and A4 with the browser's margins, where nothing scrolls."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.route("**/search/*", lambda route: route.abort())
    page.emulate_media(media=media, color_scheme=scheme)
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":  # a server shows it
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]" if path.name == "chooser.html" else "h1")
            seen = page.evaluate(SEEN, media == "print")
            assert seen.pop("wider") <= 0, path.name
            assert scheme == "light" or seen.pop("plots") == 0, path.name
            seen.pop("plots", None)
            assert not any(seen.values()), (path.name, seen)


def test_headings_go_down_by_one(site: Path) -> None:
    """Who hears a page goes by them. One is the title."""
    for path in site.rglob("*.html"):
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", path.read_text("utf-8"))]
        if path.name not in ("404.html", "chooser.html"):
            assert levels.count(1) == 1, path.name
            assert all(b <= a + 1 for a, b in pairwise(levels)), path.name


def test_the_search_finds_without_a_server(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially("ecfit_ed25519_verify")  # it hears keys
    page.wait_for_selector(".md-search-result__link")
    assert "ed25519" in (page.locator(".md-search-result__link").first.get_attribute("href") or "")
