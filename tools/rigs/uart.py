"""A board in QEMU whose serial line is a socket that the caller listens on.

QEMU makes the name of its socket before it listens there, so whoever waits for the name can be
refused. Here the socket listens before QEMU starts.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

QEMU = "qemu-system-arm"


@contextmanager
def emulated(machine: str, firmware: Path, where: Path, *options: str) -> Iterator[str]:
    """Runs firmware on a machine of QEMU, its UART at the socket `where` (at most 107 bytes).

    Gives the line's name, as `--port` takes it. The emulator ends with the block.
    """
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(str(where))
        line.listen()
        command = [QEMU, "-M", machine, "-display", "none", "-kernel", str(firmware), *options]
        serial = f"socket,id=uart,fd={line.fileno()},server=on,wait=off"
        command += ["-chardev", serial, "-serial", "chardev:uart"]
        with subprocess.Popen(command, pass_fds=[line.fileno()]) as process:
            try:
                yield f"unix:{where}"
            finally:
                process.kill()
