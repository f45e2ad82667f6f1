"""The command `gateway`: observes, verifies and keeps until it is stopped."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ecfit.arguments.common import Common
from ecfit.errors import OK, UsageError
from ecfit.paths import read_input
from ecfit.units import quantity
from ecfit_lab.gateway import coap, library, verifier
from ecfit_lab.gateway.budgets import SMALLEST_SHARE, Limits
from ecfit_lab.gateway.coap import Sensor
from ecfit_lab.gateway.fleet import Fleet
from ecfit_lab.gateway.gateway import Gateway
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.lines import LinesStore
from ecfit_lab.gateway.postgres import PostgresStore
from ecfit_lab.gateway.stores import SqliteStore, Store

LARGEST_LIST = 1 << 20  # bytes of a file of sensors


def command(common: Common) -> int:
    """Runs the gateway. Errors: UsageError, OutputError, BuildError, MissingToolError."""
    v = common.values
    found, asked = sensors(v), limits(v)
    verify = library.load()
    keys = Keyring(Path(v["keys_folder"]), verify.takes)
    store = open_store(v, asked)
    try:
        return asyncio.run(_run(v, found, keys, store, verify))
    finally:
        store.close()


def sensors(v: Mapping[str, Any]) -> list[Sensor]:
    """Those of the command line and of the file, each once. Errors: UsageError."""
    texts = list(v["sensors"])
    if v["list_file"]:
        try:
            lines = read_input(Path(v["list_file"]), LARGEST_LIST).decode("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{v['list_file']}: cannot be read: {error}") from None
        texts += [text for line in lines if (text := line.partition("#")[0].strip())]
    found = {one.uri: one for one in map(coap.sensor, texts)}
    if not found and not v["postgres"]:
        raise UsageError("which sensors? Name one as coap://HOST/PATH, or a --sensors FILE")
    return list(found.values())


def limits(v: Mapping[str, Any]) -> Limits:
    """What each sensor may have. Errors: UsageError."""
    size = int(quantity(v["refused_size"], "size", "--refused-size"))
    if size < SMALLEST_SHARE:
        raise UsageError(f"--refused-size is at least {SMALLEST_SHARE // 1024}KiB, not {size}B")
    return Limits(v["rate"], v["burst"], size)


def open_store(v: Mapping[str, Any], asked: Limits) -> Store:
    """The one that was asked for. Errors: UsageError, OutputError, MissingToolError."""
    kinds: dict[str, Callable[[str], Store]] = {
        "sqlite": lambda path: SqliteStore(Path(path), asked),
        "lines": lambda path: LinesStore(Path(path), asked),
        "postgres": lambda url: PostgresStore(url, asked),
    }
    named = [kind for kind in kinds if v[kind]]
    if len(named) != 1:
        raise UsageError("where are readings kept? One of --sqlite, --lines and --postgres")
    return kinds[named[0]](v[named[0]])


async def _run(
    v: Mapping[str, Any],
    found: list[Sensor],
    keys: Keyring,
    store: Store,
    verify: verifier.LibraryVerifier,
) -> int:
    def say(line: str) -> None:
        if not v["quiet"]:
            sys.stderr.write(f"ecfit: gateway: {line}\n")

    gateway = Gateway(
        keys,
        store,
        verify,
        id_member=v["id_member"],
        threads=v["threads"],
        say=say,
        limits=limits(v),
    )
    gateway.load_keys()
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    fleet = Fleet(v["postgres"], found, gateway.observe, say) if v["postgres"] else None
    sharing = asyncio.create_task(fleet.run()) if fleet else None
    if fleet is None:
        gateway.observe(found)
    say(f"observes {len(found)} sensors")
    running = asyncio.create_task(gateway.run())
    both = [running, *([sharing] if sharing else [])]
    try:
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            await one
    except asyncio.CancelledError:
        pass
    finally:
        for one in both:
            one.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*both, return_exceptions=True)
        say(gateway.summary())
    return OK
