"""What it costs to send a message over a radio link: frames, time and energy of the sensor.

Over a link with IP the message is fetched over CoAP in blocks of 64 bytes: each takes a request
and a response, with the options that the sensor of firmware/net sends. Over LoRa it goes out by
itself, in as many frames as it needs. Nothing is lost, and the operating systems take no time: a
lower bound. A radio that sleeps is waited for: for half its period before the first block, and
before each of the others until it wakes up again. The other side never sleeps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import msgspec

from ecfit_lab.energy.links import Link

BLOCK = 64
_REQUEST = 4 + 1 + 12  # head, token, Uri-Path "temperature"
_RESPONSE = 4 + 1 + 5 + 2 + 2 + 1  # head, token, ETag, Content-Format, Max-Age, marker
_BLOCK2 = 2  # the option, where there are several


class Step(msgspec.Struct, frozen=True):
    """So long the sensor's radio is in that state."""

    state: Literal["tx", "rx", "off"]
    time_us: float


class Cost(msgspec.Struct, frozen=True):
    """Of one message: blocks of CoAP (0 without CoAP), frames of either side, time, energy
    of the sensor's radio.
    """

    blocks: int
    frames: int
    time_us: float
    energy_uj: float


def blocks(size: int) -> int:
    """Blocks of CoAP that a message takes."""
    return max(1, math.ceil(size / BLOCK))


def lora_us(link: Link, size: int) -> float:
    """Time on air of a frame with so many bytes (SX1276 data sheet, 4.1.1.7): explicit header,
    check on; low data rate optimisation from symbols of 16 ms on.
    """
    symbol_us = (1 << link.spreading_factor) * 1e6 / link.bandwidth_hz
    slow = symbol_us > 16_000
    bits = 8 * size - 4 * link.spreading_factor + 28 + 16
    coded = math.ceil(bits / (4 * (link.spreading_factor - 2 * slow)))
    symbols = 8 + max(0, coded * (link.coding_rate + 4))
    return (link.preamble_symbols + 4.25 + symbols) * symbol_us


def _pieces(link: Link, size: int) -> list[int]:
    """The frames of a datagram: the payload of each."""
    whole = link.network_bytes + size
    if whole <= link.payload_max:
        return [whole]
    first = (link.payload_max - link.first_fragment_bytes) // 8 * 8  # RFC 4944: in units of 8
    rest = (link.payload_max - link.fragment_bytes) // 8 * 8
    sizes = [first + link.first_fragment_bytes]
    left = whole - first
    while left > 0:
        sizes.append(min(rest, left) + link.fragment_bytes)
        left -= rest
    return sizes


def _datagram(link: Link, size: int, *, sends: bool) -> Iterator[Step]:
    """A datagram of the sensor's, or one to it."""
    for payload in _pieces(link, size):
        on_air = 8e6 * (link.frame_bytes + payload) / link.bit_rate
        yield Step("rx", link.gap_us)
        yield Step("tx" if sends else "rx", on_air)
        yield Step("rx" if sends else "tx", 8e6 * link.answer_bytes / link.bit_rate)


def _checks(link: Link, count: int) -> list[Step]:
    return [Step("rx", link.check_us), Step("off", link.pause_us)] * count


def listening(link: Link) -> list[Step]:
    """A period of a radio that sleeps, when nobody sends."""
    checks = _checks(link, 2)
    return [*checks, Step("off", 1e6 / link.wake_hz - sum(step.time_us for step in checks))]


def _fetched(link: Link, size: int, first_wait_us: float | None) -> Iterator[Step]:
    """The blocks of a message, one exchange after the other."""
    several = _BLOCK2 if blocks(size) > 1 else 0
    cycle = 1e6 / link.wake_hz if link.wake_hz else 0.0
    wait = cycle / 2 if first_wait_us is None else first_wait_us
    for number in range(blocks(size)):
        payload = min(BLOCK, size - number * BLOCK)
        steps = list(_datagram(link, _REQUEST + (_BLOCK2 if number else 0), sends=False))
        answer = _datagram(link, _RESPONSE + several + payload, sends=True)
        if link.wake_hz:
            yield Step("off", wait)
            frame = max(step.time_us for step in steps)  # it wakes up in the middle of one
            steps = [*_checks(link, 1), Step("rx", (frame + link.strobe_us) / 2), *steps]
            steps += _checks(link, 6)
        steps += answer
        yield from steps
        taken = sum(step.time_us for step in steps)
        wait = cycle * math.ceil(taken / cycle) - taken if cycle else 0.0


def message_steps(link: Link, size: int, first_wait_us: float | None = None) -> list[Step]:
    """What the radio does for a message; `first_wait_us`: until it wakes up, if it sleeps."""
    if link.kind != "lora":
        return list(_fetched(link, size, first_wait_us))
    sizes = [min(link.payload_max, size - at) for at in range(0, max(size, 1), link.payload_max)]
    return [Step("tx", lora_us(link, link.frame_bytes + one)) for one in sizes]


def message(link: Link, size: int) -> Cost:
    """What a message of so many bytes costs."""
    steps = message_steps(link, size)
    milliwatts = {"tx": link.tx_milliwatts, "rx": link.rx_milliwatts, "off": 0.0}
    return Cost(
        0 if link.kind == "lora" else blocks(size),
        sum(step.state == "tx" for step in steps),
        sum(step.time_us for step in steps),
        sum(step.time_us * milliwatts[step.state] for step in steps) / 1000,
    )
