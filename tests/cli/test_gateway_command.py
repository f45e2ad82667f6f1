"""`ecfit gateway` as a user runs it, under a part of the load that sweep `gateway-load` applies."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tools.rigs import gateway_load
from workshop.cli.run import ECFIT, Ecfit
from workshop.devices import pg_cluster
from workshop.devices.kept_readings import small_disk


def load(
    folder: Path, url: str = "", move: Callable[[float], None] | None = None, **options: object
) -> int:
    """A small load."""
    small = {"messages": 300, "sensors": 6, "share": 0.05, "kills": 2, "gateways": 1, "seed": 3}
    asked = argparse.Namespace(**small, store="sqlite", leave_dead=False, pace=0.0, clock_jumps=0)
    vars(asked).update(options)
    one = gateway_load.Load(asked, folder, url)
    one.move = move
    return asyncio.run(one.run())


@pytest.mark.parametrize("store", ["sqlite", "lines"])
def test_none_lost_none_doubled_none_wrong(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Forged, replayed and malformed messages among good ones, the gateway killed twice."""
    assert load(tmp_path, store=store) == 0
    assert ", 2 kills," in capsys.readouterr().out


def test_two_gateways_one_is_killed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other takes its sensors; each reading is kept once."""
    if pg_cluster.programs() is None:
        pytest.skip("PostgreSQL is not installed: tools/setup.sh test installs it")
    with pg_cluster.running() as url:
        options: dict[str, Any] = {
            "store": "postgres",
            "gateways": 2,
            "kills": 1,
            "leave_dead": True,
            "pace": 0.1,
            "messages": 300,
        }
        assert load(tmp_path, url, **options) == 0
        assert "2 gateways, 1 kills" in capsys.readouterr().out
        with pg_cluster.connect(url) as base:
            (owners,) = base.execute("SELECT count(*) FROM gateways").fetchone()
            assert owners == 1, "the dead one is still there, the other has left in good order"


@pytest.mark.ci
def test_two_gateways_and_a_clock_that_jumps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed three times, while the database's clock jumps by up to an hour: nothing is lost."""
    if pg_cluster.programs() is None:
        pytest.skip("PostgreSQL is not installed: tools/setup.sh test installs it")
    options: dict[str, Any] = {"store": "postgres", "gateways": 2, "kills": 3, "pace": 0.2}
    with pg_cluster.running() as url, pg_cluster.clock(url) as (shifted, move):
        assert load(tmp_path, shifted, move, clock_jumps=6, **options) == 0
    assert "2 gateways, 3 kills, 6 jumps" in capsys.readouterr().out


class Flood(asyncio.DatagramProtocol):
    """A sensor that answers its observer with more rubbish than anybody keeps."""

    def __init__(self) -> None:
        self.sent = self.answers = 0
        self.observer: tuple[bytes, Any] | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        if data[1] == 1:  # a request: its token is where the notifications go
            self.observer = data[4 : 4 + (data[0] & 15)], addr
            self.transport.sendto(bytes([0x60, 0, *data[2:4]]), addr)
        else:
            self.answers += 1

    async def run(self, rate: int, count: int) -> None:
        """Notifications of 4 KiB that want an acknowledgement."""
        for _ in range(count):
            if self.observer is not None:
                token, addr = self.observer
                head = bytes([0x40 | len(token), 69, *(self.sent % 65536).to_bytes(2, "big")])
                data = head + token + bytes([0x61, self.sent % 256, 0xFF]) + b"x" * 4090
                self.transport.sendto(data, addr)
                self.sent += 1
            await asyncio.sleep(1 / rate)


def _itself(flood: Flood) -> Flood:
    return flood


async def flooded(disk: Path, store: str) -> int:
    """The exit code of a load of honest sensors, who have six others beside them."""
    loop = asyncio.get_running_loop()
    options = argparse.Namespace(
        messages=160, sensors=4, share=0.0, kills=1, gateways=1, seed=3, store=store,
        leave_dead=False, pace=0.3, clock_jumps=0,
    )  # fmt: skip
    load, floods = gateway_load.Load(options, disk, ""), [Flood() for _ in range(6)]
    load.budget = ()
    for one in floods:
        await loop.create_datagram_endpoint(partial(_itself, one), local_addr=("127.0.0.1", 0))
        port = one.transport.get_extra_info("sockname")[1]
        load.more.append(f"sensor0=coap://127.0.0.1:{port}/t")
    running = [asyncio.create_task(one.run(150, 4000)) for one in floods]
    begin = time.monotonic()
    code = await load.run()
    seconds = time.monotonic() - begin
    for task in running:
        task.cancel()
    assert sum(one.sent for one in floods) > 3000, "less than the disk would have held"
    answers = sum(one.answers for one in floods)
    assert 6 * 50 <= answers < 6 * (2 * 50 + 10 * seconds), "a burst for each start"
    return code


@pytest.mark.ci
@pytest.mark.parametrize("store", ["sqlite", "lines"])
def test_a_flood_on_a_small_disk(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Others have 8 of its 20 MB, and six sensors send rubbish of 4 KiB as fast as they can: honest
    ones beside them lose nothing, the gateway is killed and starts again, and it never ends.
    """
    with small_disk() as disk:
        (disk / "of others").write_bytes(bytes(8_000_000))
        assert asyncio.run(flooded(disk, store)) == 0
    said = capsys.readouterr().out
    assert ", 1 kills," in said
    assert "not JSON" in said


WRONG = [
    (["--sqlite", "r.db"], "which sensors?"),
    (["coap://127.0.0.1/t"], "where are readings kept?"),
    (["coap://127.0.0.1/t", "--sqlite", "r.db", "--lines", "r.jsonl"], "where are readings kept?"),
    (["http://127.0.0.1/t", "--sqlite", "r.db"], "a sensor is coap://"),
    (["--sensors", "none.txt", "--sqlite", "r.db"], "none.txt: cannot be read"),
    (["coap://127.0.0.1/t", "--sqlite", "no/r.db"], "cannot keep readings in no/r.db"),
    (["coap://127.0.0.1/t", "--lines", "no/r"], "cannot keep readings in no/r"),
    (
        ["coap://127.0.0.1/t", "--postgres", "postgresql://ecfit:secret@/x?host=/nowhere"],
        "cannot keep readings in the database",
    ),
    (["coap://127.0.0.1/t", "--keys", "none", "--sqlite", "r.db"], "there is no folder of keys"),
    (["coap://127.0.0.1/t", "--sqlite", "r.db", "--refused-size", "1kB"], "is at least 64KiB"),
    (["coap://127.0.0.1/t", "--sqlite", "r.db", "--refused-size", "many"], "--refused-size"),
    (["coap://127.0.0.1/t", "--sqlite", "r.db", "--rate", "0"], "--rate"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_a_wrong_option_is_one_line(
    ecfit: Ecfit, tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "keys").mkdir()
    done = ecfit("gateway", "--quiet", "--keys", "keys", *arguments, cwd=tmp_path)
    assert done.code == 2
    assert said in done.error
    assert "secret" not in done.err


def test_a_full_disk_stops_it_with_one_line(tmp_path: Path) -> None:
    """What the sensors were told is kept is in the file, and a gateway with room has the rest."""
    script = f"ulimit -f 4096; exec {sys.executable} -c 'from ecfit.cli import main; main()' \"$@\""
    line = b'{"accepted":true,"identity":"of another","measurement":"%06d"}\n'
    full = b"".join(line % n for n in range((4096 - 20) * 1024 // len(line % 0)))
    (tmp_path / "readings.jsonl").write_bytes(full)
    kept = gateway_load.ECFIT
    gateway_load.ECFIT = ["bash", "-c", script, "ecfit"]
    try:
        with pytest.raises(RuntimeError) as stopped:
            load(tmp_path, store="lines", kills=0)
    finally:
        gateway_load.ECFIT = kept
    assert "ended with 2" in str(stopped.value)
    assert "error: cannot keep readings in" in str(stopped.value)
    assert "File too large" in str(stopped.value)
    data = (tmp_path / "readings.jsonl").read_bytes()
    assert len(full) < len(data) <= 4096 * 1024
    assert data.startswith(full)
    assert data.endswith(b"}\n")


def test_it_stops_in_good_order(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    options = ["--keys", str(tmp_path / "keys"), "--sqlite", str(tmp_path / "r.db")]
    with subprocess.Popen(
        [*ECFIT, "gateway", "coap://127.0.0.1:9/t", *options], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        lines = [process.stderr.readline(), process.stderr.readline()]
        assert lines == [
            "ecfit: gateway: keys: none\n",
            "ecfit: gateway: observes 1 sensors\n",
        ]
        begin = time.monotonic()
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(20) == 0
        assert time.monotonic() - begin < 15
        assert process.stderr.read() == "ecfit: gateway: 0 accepted, 0 refused\n"
