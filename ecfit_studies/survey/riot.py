"""The sensor of examples/riot, on a real operating system: what its images take, beside those of
the paper under Contiki. Kept by tools/rigs/riot.py, which needs a checkout of RIOT.
"""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.choices.targets import find_target
from ecfit.paths import ROOT

IMAGES = ROOT / "results" / "riot.json"


class RiotImage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An image for a board of RIOT: flash is code and data, RAM data and bss, with the stacks of
    all threads. `message_bytes`: of a reading, as it came over CoAP; null without a signature.
    `sign_cycles`, `sign_stack_bytes`: of a reading that this image takes and signs on the simulated
    chip `target`, whose flash is in `mode`; null where the board's chip has no model. `riot`,
    `commit`: commits of RIOT and of this tree.
    """

    board: str
    signed: bool
    flash_bytes: int
    ram_bytes: int
    message_bytes: int | None = None
    target: str | None = None
    mode: str | None = None
    sign_cycles: int | None = None
    sign_stack_bytes: int | None = None
    riot: str
    commit: str
    date: str

    @property
    def sign_us(self) -> float | None:
        """Microseconds of taking and signing a reading, at the clock of the target."""
        clock = find_target(self.target).clock if self.target else None
        if clock is None or self.sign_cycles is None:
            return None
        return self.sign_cycles * 1e6 / clock.hz


@cache
def images() -> tuple[RiotImage, ...]:
    """The images that are kept: of each board without and with signatures."""
    lines = IMAGES.read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=RiotImage) for line in lines)


def firmware() -> dict[bool, RiotImage]:
    """Without and with signatures, of the first board."""
    first = images()[0].board
    return {image.signed: image for image in images() if image.board == first}
