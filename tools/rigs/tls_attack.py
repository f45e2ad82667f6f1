"""Recordings that were tampered with: what the client makes of each byte of the server's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from ecfit_lab.tls.link import GONE, LATE, Recording, Step


class Place(NamedTuple):
    """A byte of the server's: its number among all, and where it stands."""

    number: int
    step: int
    offset: int


def places(recording: Recording, until: int | None = None) -> Iterator[Place]:
    """Each byte that the server sent, before that step."""
    number = 0
    for index, step in enumerate(recording.steps[:until]):
        if step.what == "receive":
            for offset in range(len(step.data)):
                yield Place(number, index, offset)
                number += 1


def flipped(recording: Recording, place: Place, mask: int = 0x01) -> Recording:
    """With some bits of one byte flipped."""
    old = recording.steps[place.step]
    data = bytearray(old.data)
    data[place.offset] ^= mask
    return _with(recording, place.step, msgspec.structs.replace(old, data=bytes(data)))


def cut(recording: Recording, step: int, result: int) -> Recording:
    """From that step on nothing comes: the server has closed (0), is gone, or is silent."""
    assert result in (0, GONE, LATE)
    kept = recording.steps[:step]
    return msgspec.structs.replace(recording, steps=(*kept, Step("receive", b"", result)))


def truncated(recording: Recording, step: int) -> Recording:
    """The record of that step ends in its middle, and then the server has closed."""
    old = recording.steps[step]
    half = Step("receive", old.data[: len(old.data) // 2])
    kept = recording.steps[:step]
    return msgspec.structs.replace(recording, steps=(*kept, half, Step("receive", b"", 0)))


def _with(recording: Recording, index: int, step: Step) -> Recording:
    steps = (*recording.steps[:index], step, *recording.steps[index + 1 :])
    return msgspec.structs.replace(recording, steps=steps)


def receives(steps: Iterable[Step]) -> list[int]:
    """The numbers of the steps that received something."""
    return [i for i, step in enumerate(steps) if step.what == "receive" and step.data]
