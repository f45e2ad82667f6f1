"""The commands as functions: `from ecfit import api`, then `api.bench(target="nrf52840")`.

Each function takes the options of its command under their long names and returns what the command
prints with --format json, as typed records (`ecfit.model`, `ecfit.commands.ct`). Where an option
takes a list, it takes a name or several. Nothing is printed.

A row that cannot be built or run is a record whose `status` says why. Whatever was given wrongly
raises an EcfitError (`ecfit.errors`), whose text says what to do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import click
import msgspec

from ecfit.arguments.common import Common
from ecfit.arguments.selection import rows, size_rows
from ecfit.cli import cli
from ecfit.commands import config as configurations
from ecfit.commands import ct as constant_time
from ecfit.commands import fit as fits
from ecfit.commands import measure as functions
from ecfit.commands.ct import Check
from ecfit.errors import UsageError
from ecfit.model import FunctionRecord, Record
from ecfit.show import fitted

Names = str | Iterable[str]
Files = Mapping[str, str | os.PathLike[str]]
Size = int | str | None


class Limit(msgspec.Struct, frozen=True):
    """A limit of a question, in the unit of its figures: bytes, microseconds or microjoules.

    `option`: as it was given; `most`: of `budget` what margin and reserve leave; `spent`: what the
    first answer takes of it; `binds`: whether another configuration would win without it, None
    where nothing fits.
    """

    option: str
    aim: str
    most: float
    budget: float
    spent: float
    binds: bool | None


class Place(msgspec.Struct, frozen=True):
    """A configuration that answers, measured.

    `settings`: of each curve all knobs; `exceeds`: limits that it does not keep; `asks`: what it
    asks of its caller; `again`: the command that measures it; `total`: of what is minimised;
    `battery_years`: if a battery was asked for.
    """

    configuration: str
    settings: dict[str, dict[str, str]]
    total: float
    exceeds: list[str]
    asks: list[str]
    again: str
    records: list[Record]
    battery_years: float | None = None


class Fit(msgspec.Struct, frozen=True):
    """The answer to a question: `answers` by what each minimises, `places` the best for the aim
    that was asked for; if nothing fits, the nearest.
    """

    fits: bool
    target: str
    mode: str
    minimise: str
    limits: list[Limit]
    places: list[Place]
    answers: dict[str, Place]


def bench(
    *,
    target: Names = (),
    curve: Names = "secp256r1",
    op: Names = "all",
    lib: Names = "ecfit",
    preset: Names = (),
    set: Mapping[str, str] | None = None,
    mode: str = "datasheet",
    n: int = 1,
    seed: int = 1,
    toolchain: Names = "gcc",
    opt: Names = "Os",
    cc: str | None = None,
    peer_dir: Files | None = None,
    target_file: Names = (),
    model: Mapping[str, int] | None = None,
    jobs: int | None = None,
    no_cache: bool = False,
) -> list[Record]:
    """Cycles, time, flash, stack and RAM of operations: `ecfit bench`, a record for each row.

    `set`: knobs, as {"WIPE": "none"}; `n`: runs with different keys, whose median `cycles` is.
    """
    common = _common("bench", locals())
    return common.measured(rows(common.select()), "measure")


def size(
    *,
    target: Names = (),
    curve: Names = "secp256r1",
    op: Names = "all",
    lib: Names = "ecfit",
    preset: Names = (),
    set: Mapping[str, str] | None = None,
    toolchain: Names = "gcc",
    opt: Names = "Os",
    cc: str | None = None,
    peer_dir: Files | None = None,
    target_file: Names = (),
    jobs: int | None = None,
    no_cache: bool = False,
) -> list[Record]:
    """Flash and static RAM in bytes, of each operation and of all together: `ecfit size`."""
    common = _common("size", locals())
    return common.measured(size_rows(common.select(together=True)), "size")


def ct(
    *,
    target: Names = (),
    curve: Names = "secp256r1",
    op: Names = "all",
    lib: Names = "ecfit",
    preset: Names = (),
    set: Mapping[str, str] | None = None,
    mode: str = "datasheet",
    n: int = 16,
    inputs: int = 4,
    seed: int = 1,
    toolchain: Names = "gcc",
    opt: Names = "Os",
    cc: str | None = None,
    peer_dir: Files | None = None,
    target_file: Names = (),
    jobs: int | None = None,
    no_cache: bool = False,
) -> list[Check]:
    """Whether a secret decides about time: `ecfit ct`. A check of `status` "ok" found nothing;
    "leak" says where; any other, that something was not followed or not compared, and why.
    """
    verdicts = constant_time.followed(_common("ct", locals()))
    return [check for verdict in verdicts for check in constant_time.checks(verdict)]


def measure(
    *,
    elf: str | os.PathLike[str],
    function: str,
    target: str,
    arg: Iterable[int | str] = (),
    put: Names = (),
    show: Names = (),
    before: Names = (),
    expect: int | None = None,
    n: int = 1,
    seed: int = 1,
    mode: str = "datasheet",
    map: Names = (),
    flash_at: str | None = None,
    ram_at: str | None = None,
    target_file: Names = (),
) -> FunctionRecord:
    """Cycles, stack and constant-time verdict of a function in any image: `ecfit measure`.

    `arg`: in order, integers or texts such as "secret:00ff" and "buffer:32".
    """
    return functions.measured(_common("measure", locals()))[0]


def fit(
    *,
    need: Names,
    target: Names = (),
    flash: Size = None,
    stack: Size = None,
    ram: Size = None,
    time: Names = (),
    energy: Names = (),
    minimise: str = "time",
    margin: str | None = None,
    reserve_stack: Size = None,
    weights: str | None = None,
    lib: Names = "ecfit",
    preset: Names = (),
    set: Mapping[str, str] | None = None,
    battery: str | None = None,
    every: Names = (),
    sleep: str | None = None,
    mode: str = "datasheet",
    toolchain: str = "gcc",
    peer_dir: Files | None = None,
    target_file: Names = (),
    thorough: bool = False,
    jobs: int | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Fit:
    """The best configuration for a budget: `ecfit fit`. Sizes are bytes or texts such as "8KiB";
    `need`: "x25519:ecdh", several for several curves. `output`: a new folder for the files to
    compile, written if something fits.
    """
    common = _common("fit", locals())
    asked, answers, _ = fits.answered(common)
    if answers[asked.minimise].fits and output is not None:
        fits.write(answers, asked.minimise, common)
    text = fitted.as_json(answers[asked.minimise], answers)
    return msgspec.json.decode(text, type=Fit)


def amalgamate(
    output: str | os.PathLike[str],
    *,
    target: Names = (),
    curve: Names = "secp256r1",
    op: Names = "all",
    preset: Names = (),
    set: Mapping[str, str] | None = None,
    float_abi: str | None = None,
    mode: str = "datasheet",
    target_file: Names = (),
    jobs: int | None = None,
) -> list[Record]:
    """Writes one `ecfit.c` with its header to a new folder: `ecfit amalgamate`. Returns what was
    measured of it; unless each record is "ok", nothing is written.
    """
    return configurations.amalgamated(_common("amalgamate", locals()))[0]


def _common(command: str, given: Mapping[str, object]) -> Common:
    """The options of a command as its functions take them, checked as on a command line.
    Errors: UsageError.
    """
    words = []
    for name, value in given.items():
        words += _words(f"--{name.replace('_', '-')}", value)
    try:
        context = cli.commands[command].make_context(command, words)
    except click.ClickException as error:
        raise UsageError(error.format_message()) from None
    return Common({**context.params, "quiet": True})


def _words(option: str, value: object) -> list[str]:
    """An option on a command line; nothing where it is left out."""
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        texts = [f"{key}={entry}" for key, entry in value.items()]
    elif isinstance(value, Iterable) and not isinstance(value, str):
        texts = [str(entry) for entry in value]
    else:
        texts = [str(value)]
    return [f"{option}={text}" for text in texts]
