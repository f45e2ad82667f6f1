"""What it costs to send a message over a radio link: frames, time and energy of the sensor.

Over a link with IP the message is fetched over CoAP in blocks of 64 bytes: each takes a request
and a response, with the options that the sensor of firmware/net sends. Over LoRa it goes out by
itself, in as many frames as it needs. Nothing is lost, and nobody waits for a radio that sleeps:
a lower bound.
"""

from __future__ import annotations

import math

import msgspec

from ecfit.choices.links import Link

BLOCK = 64
_REQUEST = 4 + 1 + 12  # head, token, Uri-Path "temperature"
_RESPONSE = 4 + 1 + 5 + 2 + 2 + 1  # head, token, ETag, Content-Format, Max-Age, marker
_BLOCK2 = 2  # the option, where there are several


class Cost(msgspec.Struct, frozen=True):
    """Of one message: blocks of CoAP (0 without CoAP), frames of either side, time, energy
    of the sensor's radio.
    """

    blocks: int
    frames: int
    time_us: float
    energy_uj: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.blocks + other.blocks,
            self.frames + other.frames,
            self.time_us + other.time_us,
            self.energy_uj + other.energy_uj,
        )


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


def _datagram(link: Link, size: int, *, sends: bool) -> Cost:
    """A datagram of the sensor's, or one to it."""
    total = Cost(0, 0, 0, 0)
    for payload in _pieces(link, size):
        on_air = 8e6 * (link.frame_bytes + payload) / link.bit_rate
        answer = 8e6 * link.answer_bytes / link.bit_rate
        sent, heard = (on_air, answer) if sends else (answer, on_air)
        energy = sent * link.tx_milliwatts + (heard + link.gap_us) * link.rx_milliwatts
        total += Cost(0, 1, on_air + answer + link.gap_us, energy / 1000)
    return total


def message(link: Link, size: int) -> Cost:
    """What a message of so many bytes costs."""
    total = Cost(0, 0, 0, 0)
    if link.kind == "lora":
        for at in range(0, max(size, 1), link.payload_max):
            time_us = lora_us(link, link.frame_bytes + min(link.payload_max, size - at))
            total += Cost(0, 1, time_us, time_us * link.tx_milliwatts / 1000)
        return total
    several = _BLOCK2 if blocks(size) > 1 else 0
    for number in range(blocks(size)):
        payload = min(BLOCK, size - number * BLOCK)
        total += _datagram(link, _REQUEST + (_BLOCK2 if number else 0), sends=False)
        total += _datagram(link, _RESPONSE + several + payload, sends=True)
    return msgspec.structs.replace(total, blocks=blocks(size))
