"""Readings are kept once, and what was reported as kept is there after a kill or on a full disk;
and where gateways share sensors.
"""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ecfit.errors import OutputError
from ecfit_lab.gateway.coap import Sensor
from ecfit_lab.gateway.fleet import LEASE, Fleet
from ecfit_lab.gateway.lines import LinesStore
from ecfit_lab.gateway.readings import Refusal
from workshop.devices import pg_cluster
from workshop.devices.kept_readings import STORES, kept, reading, server_url


@pytest.mark.parametrize("name", STORES)
def test_once_for_each_key_and_id(name: str, tmp_path: Path) -> None:
    """Within a batch, between batches, and after a restart."""
    path = tmp_path / "kept"
    store = STORES[name](path)
    refused = Refusal("coap://s/t", "wrong signature", "", "{}")
    assert store.commit([reading(1), refused, reading(1), reading(2)]) == [True, True, False, True]
    assert store.commit([reading(2), reading(2, "b" * 32)]) == [False, True]
    store.close()
    store = STORES[name](path)
    assert store.commit([reading(1), reading(3)]) == [False, True]
    store.close()
    accepted, reasons = kept(path, name)
    assert sorted(accepted) == ["1", "2", "2", "3"]
    assert sorted(reasons) == ["already accepted"] * 3 + ["wrong signature"]


def test_a_line_that_a_kill_cut_off_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    store = LinesStore(path)
    store.commit([reading(1), reading(2)])
    store.close()
    whole = path.read_bytes()
    for size in sorted({*range(0, len(whole), 37), whole.index(b"\n"), whole.index(b"\n") + 1}):
        path.write_bytes(whole[:size])
        store = LinesStore(path)
        new = store.commit([reading(1), reading(2)])
        store.close()
        accepted, _ = kept(path, "lines")
        assert sorted(accepted) == ["1", "2"]
        assert new == [n >= whole[:size].count(b"\n") for n in range(2)]


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello\n")
    for name, make in STORES.items():
        with pytest.raises(OutputError, match=r"choose another file|not a database"):
            make(tmp_path / "text")
        with pytest.raises(OutputError, match="cannot keep readings"):
            make(tmp_path / "no" / name)
    assert (tmp_path / "text").read_text() == "hello\n"
    held = LinesStore(tmp_path / "mine")
    with pytest.raises(OutputError, match="is another gateway's"):
        LinesStore(tmp_path / "mine")
    held.close()


FULL = """
import sys
from pathlib import Path
from workshop.devices.kept_readings import STORES, reading
from ecfit.errors import OutputError
store = STORES[{name!r}](Path({path!r}))
n = 0
try:
    while n < 100_000:
        assert all(store.commit([reading(m) for m in range(n, n + 20)]))
        n += 20
        print(n, flush=True)
except OutputError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""


@pytest.mark.parametrize("name", STORES)
@pytest.mark.parametrize("how", ["limit", "tmpfs"])
def test_a_full_disk_loses_nothing_that_was_kept(name: str, how: str, tmp_path: Path) -> None:
    """A file that may not grow, and a file system without room: the last report stands."""
    folder = tmp_path / "full"
    folder.mkdir()
    if how == "tmpfs":
        mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"this user may not mount a file system: {done.stderr.strip()}")
    try:
        path = folder / "kept"
        code = FULL.format(name=name, path=str(path))
        size = (200_000, 200_000) if how == "limit" else (resource.RLIM_INFINITY,) * 2
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, size),
        )
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1
        assert "cannot keep readings in" in done.stderr
        reported = int(done.stdout.split()[-1])
        assert reported > 0
        if how == "tmpfs":  # room again, as its owner would make it
            remount = ["mount", "-o", "remount,size=8m", str(folder)]
            subprocess.run(remount, check=True)
        store = STORES[name](path)
        again = store.commit([reading(n) for n in range(reported + 40)])
        store.close()
        assert not any(again[:reported])
        accepted, _ = kept(path, name)
        assert sorted(map(int, accepted)) == list(range(reported + 40))
    finally:
        if how == "tmpfs" and os.path.ismount(folder):
            subprocess.run(["umount", str(folder)], check=True)


# ---- gateways that share sensors, while the database's clock jumps, or one of them dies or sleeps

SENSORS = [Sensor(f"coap://s{n}/t") for n in range(10)]
Shared = tuple[str, Callable[[float], None]]
COUNT = itertools.count()


@pytest.fixture
def shared() -> Iterator[Shared]:
    """A database whose clock can be moved."""
    with pg_cluster.clock(server_url(), f"fleet{next(COUNT)}") as made:
        yield made


def gateway(url: str, sensors: list[Sensor] = SENSORS) -> Fleet:
    return Fleet(url, sensors, lambda _: None, lambda _: None)


@pytest.mark.parametrize("jump", [0, 3600, -3600, 90, -90, -7, 7])
def test_the_sensors_of_a_dead_gateway_are_taken(shared: Shared, jump: int) -> None:
    """Within the time of a lease, whatever the clock did when it died."""
    url, move = shared
    dead, alive = gateway(url), gateway(url)
    for _ in range(2):
        dead.turn()
        alive.turn()
    assert len(dead.turn()) == len(alive.turn()) == 5
    move(jump)
    taken = set[Sensor]()
    for second in (2, 4, 6, 8):
        move(jump + second)
        taken = {*alive.turn()}
    assert taken == {*SENSORS}


@pytest.mark.parametrize("jump", [3600, -3600, 90, -90])
def test_two_that_live_share_again_after_a_jump(shared: Shared, jump: int) -> None:
    url, move = shared
    first, second = gateway(url), gateway(url)
    for _ in range(2):
        first.turn()
        second.turn()
    move(jump)
    for _ in range(3):
        first.turn()
        second.turn()
    mine, others = first.turn(), second.turn()
    assert len(mine) == len(others) == 5
    assert {*mine, *others} == {*SENSORS}


@pytest.mark.ci
def test_turns_at_once_never_wait_for_each_other(shared: Shared) -> None:
    """Four gateways, each of which takes the others for dead after a jump, while more of them come
    and go: no turn fails, as one does that the database ends because of a deadlock.
    """
    url, move = shared
    fleets = [gateway(url) for _ in range(4)]
    with ThreadPoolExecutor(5) as pool:
        for number in range(60):
            move(100 * number)
            leaving = gateway(url, SENSORS[::-1])
            work = [pool.submit(fleet.turn) for fleet in fleets]
            left = pool.submit(leaving._leave)
            assert all(len(one.result(timeout=30)) <= len(SENSORS) for one in work)
            left.result(timeout=30)


@pytest.mark.ci
def test_a_gateway_that_is_stopped_in_its_turn_holds_up_nobody(shared: Shared) -> None:
    """As a laptop that sleeps: the database ends its turn, and the others go on."""
    url, _ = shared
    stopped, alive = gateway(url), gateway(url)
    with ThreadPoolExecutor(1) as pool, pg_cluster.connect(url) as watch:
        begun = stopped._base.cursor()
        begun.execute("BEGIN")
        stopped._begin_turn(begun)
        waiting = pool.submit(alive.turn)
        assert {*waiting.result(timeout=3 * LEASE)} <= {*SENSORS}
        ((count,),) = watch.execute("SELECT count(*) FROM sensors WHERE owner IS NOT NULL")
        assert count
