"""Locks of files between processes. Windows has no `fcntl`: there nothing is locked."""

from __future__ import annotations

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def lock(file: int, *, wait: bool) -> None:
    """Locks an open file for this process alone, until it is closed.

    Errors: BlockingIOError when another process has it and `wait` is False.
    """
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
