"""What it costs to send a message over a radio link, or datagrams in both directions: frames, time
and energy of the sensor.

Over a link with IP the message is fetched over CoAP in blocks of 64 bytes: each takes a request
and a response, with the options that the sensor of firmware/net sends. Over LoRa it goes out by
itself, in as many frames as it needs. Nothing is lost, and the operating systems take no time: a
lower bound. A radio that sleeps is waited for: for half its period before the first block, and
before each of the others until it wakes up again. The other side never sleeps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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


class Exchange(msgspec.Struct, frozen=True):
    """Of datagrams in both directions: frames of the sensor (on LoRa also those that only ask for
    an answer) and of the other side; time on air with the gaps between frames; `wait_us`, in which
    the sensor may not send; energy of its radio.
    """

    sent: int
    received: int
    time_us: float
    wait_us: float
    energy_uj: float


def exchange(link: Link, datagrams: Sequence[tuple[bool, int]]) -> Exchange:
    """What datagrams cost in turn. Each: whether the sensor sends it, and its payload of UDP in
    bytes. Nothing is lost, and a radio that does not sleep listens only around its frames: a lower
    bound.
    """
    if link.kind == "lora":
        return _class_a(link, datagrams)
    steps = [step for sends, size in datagrams for step in _datagram(link, size, sends=sends)]
    frames = [(sends, len(_pieces(link, size))) for sends, size in datagrams]
    milliwatts = {"tx": link.tx_milliwatts, "rx": link.rx_milliwatts, "off": 0.0}
    return Exchange(
        sum(count for sends, count in frames if sends),
        sum(count for sends, count in frames if not sends),
        sum(step.time_us for step in steps),
        0.0,
        sum(step.time_us * milliwatts[step.state] for step in steps) / 1000,
    )


def _class_a(link: Link, datagrams: Sequence[tuple[bool, int]]) -> Exchange:
    """LoRaWAN 1.0.4, 3.3: a frame to a device of class A follows one of its own, so that it sends
    an empty one, without a port, for each frame that has none. Before a further frame of its own it
    is silent (LoRaWAN 1.0, 7: T_off = time on air / duty cycle - time on air). A datagram is cut
    without a header of its own, as if IP and UDP were known to both sides (SCHC, RFC 8724).
    """
    sent, received = list[float](), list[float]()
    answered = True
    for sends, size in datagrams:
        for at in range(0, size, link.payload_max):
            frame_us = lora_us(link, link.frame_bytes + min(link.payload_max, size - at))
            if sends:
                sent.append(frame_us)
            else:
                if answered:
                    sent.append(lora_us(link, link.frame_bytes - 1))
                received.append(frame_us)
            answered = not sends
    ends = (link.answer_gap_us + received[-1]) if answered and received else 0.0
    silence = 1 / link.duty_cycle - 1  # answers fall into it
    energy = sum(sent) * link.tx_milliwatts + sum(received) * link.rx_milliwatts
    return Exchange(
        len(sent), len(received), sum(sent) + ends, silence * sum(sent[:-1]), energy / 1000
    )
