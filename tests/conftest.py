"""The time of the stages of `make test`, printed before pytest's closing line; Ctrl-C for all."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

# Seconds on two quiet cores: of `make test`, or of `make test-ci` alone.
LIMIT = 2100 if os.environ.get("ECFIT_TEST_SCALE") == "ci" else 600
FILES = 10  # the most expensive ones
# The inner ring, beside what is marked: rooms whose tests take seconds together.
CHECK = (
    *("tests/unit/test_layers.py", "tests/unit/test_make.py"),
    *(f"tests/unit/{room}/" for room in ("energy", "gateway", "message", "oracle")),
    *(f"tests/unit/{room}/" for room in ("page", "ship", "show", "sim")),
)
EARLY = (
    *("tests/unit/tls/", "tests/lib/test_sanitizers.py", "tests/sim/test_sanitizers.py"),
    *("tests/docs/test_adding_a_curve.py", "tests/compat/test_psa.py"),
    "tests/peers/test_every_peer.py",  # compiles AWS-LC
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """--stages FILE, as tools/stage.sh writes it."""
    text = "print the time of these stages and of the tests by folder and file"
    parser.addoption("--stages", metavar="FILE", type=Path, help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Only where it is asked for, and not in the workers, whose reports come to their master.

    A shell starts what runs in the background with Ctrl-C ignored, and programs inherit that: the
    commands that the tests interrupt would not notice.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    stages = config.getoption("--stages")
    if stages and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stages(stages, config.getoption("numprocesses", None)))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the inner ring, whose tests are in no other; then the longest tests first: at the end
    a worker would do one while the others wait.
    """
    for item in items:
        if item.nodeid.startswith(CHECK) and not item.get_closest_marker("ci"):
            item.add_marker(pytest.mark.check)
    items.sort(key=lambda item: not item.nodeid.startswith(EARLY))


class Stages:
    """What was spent on what: milliseconds by stage, seconds of work by file."""

    def __init__(self, path: Path, workers: int | None) -> None:
        """`path`: lines of MILLISECONDS NAME."""
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self.before = [line.partition(" ")[::2] for line in lines]
        self.workers = workers or 1
        self.seconds: dict[str, float] = defaultdict(float)
        self.tests: Counter[str] = Counter()
        self.begin = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Set-up, call and tear-down of a test."""
        name = report.nodeid.partition("::")[0]
        self.seconds[name] += report.duration
        self.tests[name] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table."""
        terminalreporter.section("time of the stages")
        for line in self.table(time.monotonic() - self.begin):
            terminalreporter.write_line(line)

    def table(self, seconds: float) -> Iterator[str]:
        """One line for each stage; the tests took that many seconds."""
        before = [(name, int(milliseconds) / 1000) for milliseconds, name in self.before]
        yield f"{'stage':48} {'seconds':>8} {'tests':>7}"
        for name, took in before:
            yield f"{name:48} {took:8.1f}"
        work = f"tests, {self.workers} at a time"
        yield f"{work:48} {seconds:8.1f} {self.tests.total():7}"
        together = sum(took for _, took in before) + seconds
        yield f"{'all, of ' + str(LIMIT) + ' on two quiet cores':48} {together:8.1f}"
        yield "of the tests, in seconds of one worker:"
        folders: dict[str, float] = defaultdict(float)
        tests: Counter[str] = Counter()
        for name, took in self.seconds.items():
            folders[str(Path(name).parent)] += took
            tests[str(Path(name).parent)] += self.tests[name]
        for name in sorted(folders, key=folders.__getitem__, reverse=True):
            yield f"  {name:46} {folders[name]:8.1f} {tests[name]:7}"
        yield f"the {FILES} most expensive files:"
        for name in sorted(self.seconds, key=self.seconds.__getitem__, reverse=True)[:FILES]:
            yield f"  {name:46} {self.seconds[name]:8.1f} {self.tests[name]:7}"
