"""Scratch folders of processes that were killed are gone at the next start, those in use stay."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from ecfit.build.build import remove_left_behind

IN_A_BUILD = """
import sys, time
from ecfit.build import build
with build._scratch() as folder:
    (folder / "object.o").write_text("half")
    print(folder, flush=True)
    time.sleep(60)
"""


def building(cache: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process in the middle of a build, and its folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", IN_A_BUILD],
        env={**os.environ, "ECFIT_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_killed_process_and_a_living_one(tmp_path: Path) -> None:
    killed, left = building(tmp_path)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=20)
    living, used = building(tmp_path)
    try:
        assert (left / "object.o").exists()
        remove_left_behind(tmp_path)
        assert not left.exists()
        assert (used / "object.o").exists()
    finally:
        living.kill()
        living.communicate(timeout=20)


def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(timeout=20)
    return process.pid


def test_a_locked_folder_of_a_number_unknown_here_stays(tmp_path: Path) -> None:
    """Of another machine, or a container, which counts processes by itself."""
    folder = tmp_path / f"build-{gone()}-a"
    folder.mkdir()
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    remove_left_behind(tmp_path)
    assert folder.exists()
    os.close(lock)
    remove_left_behind.cache_clear()
    remove_left_behind(tmp_path)
    assert not folder.exists()


def test_what_is_no_scratch_folder_stays(tmp_path: Path) -> None:
    names = ("build-x-y", "build-1-init", "images", "building", "build-99999999999999999999-a")
    for name in names:
        (tmp_path / name).mkdir()
    (tmp_path / f"build-{gone()}-file").write_text("a file", encoding="utf-8")
    remove_left_behind(tmp_path)
    assert {name for name in names if (tmp_path / name).exists()} == set(names)


def test_many_at_once(tmp_path: Path) -> None:
    """Starts side by side: nobody fails, nothing is left."""
    number = gone()
    for index in range(200):
        folder = tmp_path / f"build-{number}-{index}"
        folder.mkdir()
        (folder / "object.o").write_text("", encoding="utf-8")
    failed: list[BaseException] = []

    def start() -> None:
        try:
            remove_left_behind.__wrapped__(tmp_path)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (failed, list(tmp_path.iterdir())) == ([], [])
