"""Radio links, for the time and energy of a message: a table each in ecfit_lab/data/links.toml."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from ecfit.documents import named
from ecfit.errors import unknown_name
from ecfit_lab import DATA

# What tables of messages compare.
COMPARED = ("802.15.4-contikimac", "802.15.4", "ble", "lora-sf12", "lora-sf7")


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link. Sizes in bytes: `frame_bytes` around a frame's payload of at most `payload_max`;
    `network_bytes`, once in a datagram; in what is cut in pieces, `first_fragment_bytes`
    and `fragment_bytes`. `answer_bytes`: the acknowledgement on air; `gap_us`: all waiting
    around a frame, spent receiving.

    kind lora: the frame's time follows from its symbols, and there is no acknowledgement. It sends
    for a share `duty_cycle` of the time at most, and receives only `answer_gap_us` after a frame of
    its own (class A). `payloads`: the `payload_max` of data rates 0 to 5, which are spreading
    factors 12 to 7; each is a link.

    A radio that sleeps (ContikiMAC): `wake_hz`, how often it looks whether somebody sends, with two
    checks of `check_us`; six before it sends, `pause_us` apart. Who sends to it repeats the frame,
    `strobe_us` apart, until it answers.
    """

    description: str
    kind: Literal["ieee802154", "ble", "lora"]
    frame_bytes: int
    payload_max: int
    tx_milliwatts: float
    rx_milliwatts: float
    source: str
    bit_rate: int = 0
    network_bytes: int = 0
    first_fragment_bytes: int = 0
    fragment_bytes: int = 0
    answer_bytes: int = 0
    gap_us: float = 0
    spreading_factor: int = 0
    bandwidth_hz: int = 0
    coding_rate: int = 0
    preamble_symbols: int = 0
    payloads: tuple[int, ...] = ()
    duty_cycle: float = 1.0
    answer_gap_us: float = 0
    wake_hz: int = 0
    check_us: float = 0
    pause_us: float = 0
    strobe_us: float = 0
    name: str = ""


@cache
def all_links() -> dict[str, Link]:
    """Every link by name. Errors: UsageError."""
    links = named(DATA / "links.toml", Link)
    lora = links.pop("lora")
    for rate, most in enumerate(lora.payloads):
        factor = lora.spreading_factor - rate
        links[f"lora-sf{factor}"] = msgspec.structs.replace(
            lora, name=f"lora-sf{factor}", spreading_factor=factor, payload_max=most,
            description=f"{lora.description}, spreading factor {factor} (data rate {rate})",
        )  # fmt: skip
    return links


def find_link(name: str) -> Link:
    """The link of that name, letter case ignored. Errors: UsageError."""
    if name.lower() not in all_links():
        raise unknown_name("link", name, all_links())
    return all_links()[name.lower()]
