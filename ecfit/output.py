"""Standard output and error, as a command finds and leaves them."""

from __future__ import annotations

import errno
import os
import signal
import sys
from pathlib import Path
from typing import TypeGuard

from ecfit.errors import OutputError


def open_streams() -> None:
    """Standard output and error: where one is closed it leads nowhere, and what its encoding does
    not have is written as a question mark.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # to the end
            setattr(sys, name, stream)
        stream.reconfigure(errors="replace")


def listen() -> None:
    """A request to end this process, or a closed terminal, has the effect of Ctrl-C."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # not every system has both
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def drop_output() -> None:
    """Nobody takes standard output any more: what is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_output() -> None:
    """Writes what is left of standard output. Errors: OutputError where it takes no more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone: nobody is left to tell
        drop_output()
    except OSError as error:
        drop_output()
        raise OutputError(f"cannot write the output: {error.strerror or error}") from None


def is_full(error: Exception) -> TypeGuard[OSError]:
    """Returns whether standard output is closed, which no error names."""
    return isinstance(error, OSError) and error.errno == errno.ENOSPC and error.filename is None


def fail(text: str, code: int, prefix: str = "error") -> int:
    """One line on standard error; returns the exit code."""
    sys.stderr.write(f"ecfit: {prefix}: {' '.join(text.split())}\n")
    return code
