"""Which cases of a test `make test` takes; the time of its stages, printed before pytest's closing
line; Ctrl-C for all.
"""

from __future__ import annotations

import json
import math
import os
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

# Seconds on two quiet cores: of `make test`, or of `make test-ci` alone.
LIMIT = 3000 if os.environ.get("ECFIT_TEST_SCALE") == "ci" else 300
# `make test` takes as many cases of a test as fit into so many seconds of processor time, one at
# least, and none of a test whose every case takes longer than LONGEST: the outer ring has the rest,
# as many as fit into its own share (CONTRIBUTING.md).
SHARE, LONGEST, OUTER_SHARE = 0.4, 1.0, 4.0
# Such seconds of a case, of the tests that are longer than their share. `ECFIT_KEEP_SECONDS=1
# make test test-ci` measures them again, on however busy a machine.
KEPT = Path(__file__).with_name("seconds.json")
FILES = 10  # the most expensive ones
# The inner ring, beside what is marked: rooms whose tests take seconds together.
CHECK = (
    *("tests/unit/test_layers.py", "tests/unit/test_make.py"),
    *(f"tests/unit/{room}/" for room in ("energy", "gateway", "message", "oracle")),
    *(f"tests/unit/{room}/" for room in ("page", "ship", "show", "sim")),
)
LONG = 10.0  # seconds of a case that begins before all others


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
    config.pluginmanager.register(Clock())
    stages = config.getoption("--stages")
    if stages and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stages(stages, config.getoption("numprocesses", None)))


def test_of(item: pytest.Item) -> str:
    """FILE::FUNCTION, of all its cases."""
    return item.nodeid.partition("[")[0]


def beyond_their_share(
    items: Iterable[pytest.Item], seconds: Mapping[str, float], share: float, longest: float
) -> Iterator[pytest.Item]:
    """The cases beyond `share` seconds of each test: those between cases that are taken are alike.

    Of a test whose every case takes more than `longest` seconds, all cases.
    """
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[test_of(item)].append(item)
    for test, all_cases in cases.items():
        each = seconds.get(test, 0.0)
        most = 0 if each > longest else max(1, int(share / each)) if each else len(all_cases)
        taken = {number * len(all_cases) // most for number in range(most)} if most else set()
        yield from (case for number, case in enumerate(all_cases) if number not in taken)


def marked(item: pytest.Item, *names: str) -> bool:
    """With one of these markers at least."""
    return any(item.get_closest_marker(name) for name in names)


@pytest.hookimpl(tryfirst=True)  # before -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the inner ring, whose tests are in no other, then the outer one and what is beyond it;
    then the longest tests first: at the end a worker would do one while the others wait.
    """
    seconds = json.loads(KEPT.read_text(encoding="utf-8"))
    for item in items:
        if item.nodeid.startswith(CHECK) and not item.get_closest_marker("ci"):
            item.add_marker(pytest.mark.check)
    inner = [item for item in items if not marked(item, "ci", "check")]
    for item in beyond_their_share(inner, seconds, SHARE, LONGEST):
        item.add_marker(pytest.mark.ci)
    outer = [item for item in items if marked(item, "ci", "sampled") and not marked(item, "every")]
    for item in beyond_their_share(outer, seconds, OUTER_SHARE, math.inf):
        item.add_marker(pytest.mark.beyond)
    items.sort(key=lambda item: seconds.get(test_of(item), 0.0) < LONG)


def spent() -> float:
    """Seconds of processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


class Clock:
    """In each worker: what the parts of a test took. A clock on the wall would say what else this
    machine does.
    """

    def __init__(self) -> None:
        self.before = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self,
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """`report.processor`: seconds since the last part, of processor time."""
        report = yield
        now = spent()
        vars(report)["processor"], self.before = now - self.before, now
        return report


class Stages:
    """What was spent on what: milliseconds by stage, processor time by file."""

    def __init__(self, path: Path, workers: int | None) -> None:
        """`path`: lines of MILLISECONDS NAME."""
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self.before = [line.partition(" ")[::2] for line in lines]
        self.workers = workers or 1
        self.seconds: dict[str, float] = defaultdict(float)
        self.tests: Counter[str] = Counter()
        self.of_test: dict[str, list[float]] = defaultdict(list)
        self.begin = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Set-up, call and tear-down of a test."""
        name = report.nodeid.partition("::")[0]
        seconds = getattr(report, "processor", 0.0)  # not of a worker that died
        self.seconds[name] += seconds
        self.tests[name] += report.when == "call"
        times = self.of_test[report.nodeid.partition("[")[0]]
        if report.when == "setup":
            times.append(0.0)
        times[-1] += seconds

    def pytest_sessionfinish(self) -> None:
        """Keeps the seconds of the tests that are longer than their share."""
        if not os.environ.get("ECFIT_KEEP_SECONDS"):
            return
        seconds = json.loads(KEPT.read_text(encoding="utf-8"))
        for test, times in self.of_test.items():
            if sum(times) > SHARE:
                seconds[test] = round(sum(times) / len(times), 3)
        KEPT.write_text(json.dumps(seconds, indent=0, sort_keys=True) + "\n", encoding="utf-8")

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
        yield f"{'processor time of the tests':48} {sum(self.seconds.values()):8.1f}"
        yield "of that:"
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
