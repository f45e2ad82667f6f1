"""timelib: two clocks that overflow, and a pin that is high while a task runs."""

from __future__ import annotations

import ctypes as ct
import re
import subprocess
from pathlib import Path

import pytest

from ecfit import cli
from ecfit.paths import FIRMWARE
from ecfit_lab.energy import timetrace
from tools.rigs.uart import emulated

PORT = """
#include "timelib.h"
uint64_t now; int pin, changes;
void timelib_port_start(void) { now = 0; }
void timelib_port_cycles_start(void) {}
uint32_t timelib_port_ticks(void) { return (uint32_t)(now * TIMELIB_TICK_HZ / TIMELIB_HZ); }
uint32_t timelib_port_cycles(void) { return (uint32_t)now & 0xFFFFFF; }
void timelib_port_pin(int high) { changes += high != pin; pin = high; }
void run(uint64_t from, uint64_t cycles, uint32_t *out)
{
    timelib_time took;
    now = from;
    timelib_begin();
    now += cycles;
    took = timelib_end();
    out[0] = took.ticks;
    out[1] = took.cycles;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ct.CDLL:
    """It, with clocks that the test sets: 24 bits of cycles, 24 of ticks."""
    folder = tmp_path_factory.mktemp("timelib")
    (folder / "port.c").write_text(PORT)
    words = ["-DTIMELIB_HZ=16000000u", "-DTIMELIB_TICK_HZ=32768u", "-DTIMELIB_TICKS=0xFFFFFFu"]
    command = ["gcc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", *words]
    command += [f"-I{FIRMWARE / 'timelib'}", str(FIRMWARE / "timelib" / "timelib.c"), "port.c"]
    subprocess.run([*command, "-o", "timelib.so"], cwd=folder, check=True)
    found = ct.CDLL(str(folder / "timelib.so"))
    found.run.argtypes = [ct.c_uint64, ct.c_uint64, ct.c_void_p]
    found.timelib_start()
    return found


@pytest.mark.parametrize("cycles", [0, 1, 487, 488, 2**23, 2**24 - 1, 2**24, 2**24 + 1, 10**8 + 7,
                                    2**32 - 1])  # fmt: skip
@pytest.mark.parametrize("start", [0, 5, 2**24 - 3, 2**33 - 1])
def test_cycles_of_a_counter_that_goes_round(library: ct.CDLL, start: int, cycles: int) -> None:
    """Exact, wherever the task begins, up to 268 s at 16 MHz."""
    out = (ct.c_uint32 * 2)()
    library.run(start, cycles, out)
    assert out[1] == cycles
    assert abs(out[0] - cycles * 32768 / 16_000_000) < 1
    assert ct.c_int.in_dll(library, "pin").value == 0


def test_the_pin_of_an_emulated_board_marks_each_kernel(tmp_path: Path) -> None:
    """QEMU says what is written to the LED that is the pin of the MPS2 boards; the time trace has
    a line for each time that it was high.
    """
    firmware, log, times = (tmp_path / name for name in ("firmware.elf", "log", "times.csv"))
    assert cli.run(["board", "mps2-an385", "--firmware", str(firmware)]) == 0
    watched = ("-icount", "shift=6", "-d", "trace:mps2_fpgaio_write", "-D", str(log))
    with emulated("mps2-an385", firmware, tmp_path / "uart", *watched) as port:
        words = ["--kernel", "alu,load", "--passes", "50", "--time-trace", str(times)]
        out = ["--format", "csv", "-o", str(tmp_path / "rows.csv")]
        assert cli.run(["board", "mps2-an385", "--port", port, *words, *out]) == 0
    levels = re.findall(r"offset 0x0 data 0x([01]) ", log.read_text())
    timed = timetrace.read(times)
    assert {run.task for run in timed} == {"empty", "alu", "load"}
    assert levels == ["0", *["1", "0"] * len(timed)]
