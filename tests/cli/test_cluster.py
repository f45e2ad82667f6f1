"""`--scheduler`: the records of a cluster are those of one machine, byte for byte, whatever becomes
of a worker; what is wrong with a cluster is one line. Scheduler and workers are real processes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from ecfit import __version__
from ecfit.cli import run
from ecfit.measure import bench
from ecfit.measure import cluster as machines
from ecfit.measure.bench import Row
from workshop.cli.run import ECFIT, TIMEOUT, Ecfit

SWEEP = ("--target", "samd20,esp32c3", "--curve", "x25519,secp256r1", "--preset", "tiny",
         "--op", "keygen,ecdh", "--format", "json")  # fmt: skip
ROWS = 8
KILL_AFTER = 2  # rows


class Cluster:
    """A scheduler with workers, each a process with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen[bytes]]()
        self.file = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--port", "0", "--scheduler-file", str(self.file),
                                    "--host", "127.0.0.1")  # fmt: skip
        end = time.monotonic() + TIMEOUT
        while not self.file.exists() or not self.file.read_text():
            assert time.monotonic() < end and self.scheduler.poll() is None
            time.sleep(0.1)
        self.address: str = json.loads(self.file.read_text())["address"]

    def start(self, what: str, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        code = f"from distributed.cli.dask_{what} import main; main()"
        command = [sys.executable, "-c", code, "--no-dashboard", *options]
        variables = {**os.environ, **environment, "DASK_LOGGING__DISTRIBUTED": "critical"}
        process = subprocess.Popen(
            command, env=variables, cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self, name: str) -> subprocess.Popen[bytes]:
        cache = self.folder / name
        cache.mkdir()
        options = ("--no-nanny", "--nthreads", "1", "--name", name)
        return self.start("worker", self.address, *options, ECFIT_CACHE=str(cache))

    def joined(self, workers: int) -> None:
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=TIMEOUT)

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    one = Cluster(tmp_path)
    yield one
    one.stop()


def test_records_of_two_workers_one_killed_are_those_of_one_machine(
    ecfit: Ecfit, cluster: Cluster, tmp_path: Path
) -> None:
    here = ecfit("bench", *SWEEP, "--quiet")
    assert here.code == 0
    workers = [cluster.worker("one"), cluster.worker("two")]
    cluster.joined(2)  # both have work when the first is killed
    environment = {**os.environ, "ECFIT_CACHE": str(tmp_path / "own")}
    command = [*ECFIT, "bench", *SWEEP, "--scheduler", cluster.address, "-o", "records.json"]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    told = []
    for line in running.stderr:
        told.append(line)
        if len(told) == KILL_AFTER:
            os.kill(workers[0].pid, signal.SIGKILL)
    assert running.wait(TIMEOUT) == 0, told
    assert workers[0].wait(TIMEOUT) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert all(list(tmp_path.glob(f"{name}/images/*")) for name in ("one", "two"))
    assert [line for line in told if "] " not in line] == []  # progress alone
    assert len(told) == len({line.split("] ")[1] for line in told}) == ROWS  # each row once
    assert (tmp_path / "records.json").read_text() == here.out
    assert not list(tmp_path.glob("own/images/*")), "an image was built here"
    again = ecfit("bench", *SWEEP, "--quiet", env={"ECFIT_CACHE": str(tmp_path / "own")})
    assert again.out == here.out, "what came back was not kept"
    question = ("fit", "--target", "samd20", "--need", "x25519:ecdh", "--preset", "tiny",
                "--format", "json", "--quiet")  # fmt: skip
    other = {"ECFIT_CACHE": str(tmp_path / "other")}
    far = ecfit(*question, "--scheduler", cluster.address, env=other)
    assert (far.code, far.out) == (0, ecfit(*question).out)
    assert not list(tmp_path.glob("other/images/*"))


def test_what_is_wrong_with_a_cluster_is_one_line(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machines, "JOIN", 1)
    row = ("--target", "samd20", "--curve", "x25519", "--preset", "tiny", "--op", "ecdh")

    def line(*options: str, code: int = 2) -> str:
        assert run(["bench", *row, "--no-cache", "--quiet", *options]) == code
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1), said.err
        return said.err

    at = ("--scheduler", cluster.address)
    assert "tcp://HOST:PORT" in line("--scheduler", "somewhere")
    assert "no dask scheduler answers" in line("--scheduler", "tcp://127.0.0.1:9")
    assert "has no workers: start some with 'dask worker" in line(*at)
    assert "--cc names files of this machine" in line(*at, "--cc", "arm-none-eabi-gcc")
    worker = cluster.worker("one")
    cluster.joined(1)
    with monkeypatch.context() as other:
        other.setattr(machines, "__version__", "99")
        assert f"ecfit {__version__}, distributed" in line(*at)
    with monkeypatch.context() as other:
        other.setattr(bench, "own_code", lambda: "other sources")
        assert "would measure something else" in line(*at)
    with monkeypatch.context() as other:
        other.setitem(sys.modules, "distributed", None)
        assert "pip install distributed" in line(*at, code=3)
    with monkeypatch.context() as other:  # lost after they have joined
        other.setattr(machines, "_compare", lambda *_: worker.kill())
        assert "are gone: start some" in line(*at)
    cluster.worker("two")
    cluster.joined(1)

    def killing(row: Row) -> Row:
        cluster.scheduler.kill()
        return row

    with monkeypatch.context() as other:
        other.setattr(machines, "null_row", killing)
        assert "went away" in line(*at)
