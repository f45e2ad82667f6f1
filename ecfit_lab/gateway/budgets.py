"""What one sensor may take of what all share: messages a second, and room for what is refused.

Readings have the first right to the disk. What is refused has a share for each sensor, and leaves a
reserve free in the file system; where that is gone, it goes first, the oldest before the others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

RESERVE = 64_000_000  # bytes of the file system that are for readings alone
RESERVED_PART = 4  # or this part of a small one
BLOCKS = 16  # of a message, that its budget pays for
SMALLEST_SHARE = 65_536  # bytes: less has no room for the longest message of each kind


class Limits(msgspec.Struct, frozen=True):
    """What each sensor may have: messages a second after a burst, bytes of refused messages."""

    rate: int = 10
    burst: int = 50
    refused_bytes: int = 1_000_000


DEFAULT = Limits()


class Budget:
    """So many at once, and so many a second from then on."""

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = float(burst), clock()

    def take(self) -> bool:
        """Whether there is one left. It is taken."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Shares:
    """The room for what is refused, by sensor. A store counts what it has of one when it is asked
    to: here is only what that sensor may add until then.
    """

    def __init__(self, each: int) -> None:
        self.each = each
        self._left: dict[str, int] = {}

    def spend(self, sensor: str, size: int) -> bool:
        """Whether the store must look what this sensor has, and drop the oldest."""
        self._left[sensor] = self._left.get(sensor, 0) - size
        return self._left[sensor] < 0

    def counted(self, sensor: str, size: int) -> None:
        """It has so much."""
        self._left[sensor] = self.each - size

    @property
    def after(self) -> int:
        """Bytes that stay when the oldest are dropped: less than all, so that it is seldom."""
        return self.each * 3 // 4


def room(file: Path) -> int:
    """Bytes of its file system that are free beyond the reserve; below zero, readings alone are
    kept. Errors: OSError.
    """
    disk = os.statvfs(file)
    reserve = min(RESERVE, disk.f_blocks * disk.f_frsize // RESERVED_PART)
    return disk.f_bavail * disk.f_frsize - reserve
