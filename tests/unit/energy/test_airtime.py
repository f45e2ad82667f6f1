"""What a message costs over a radio link: against published airtimes and sums by hand."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from ecfit.errors import UsageError
from ecfit_lab.energy.airtime import blocks, lora_us, message
from ecfit_lab.energy.links import all_links, find_link


@pytest.mark.parametrize(
    ("link", "payload", "ms"),
    [
        # The Things Network, airtime calculator, EU868, 125 kHz: payload without the 13 bytes
        ("lora-sf7", 10, 61.696),
        ("lora-sf7", 51, 118.016),
        ("lora-sf12", 10, 1482.752),
        ("lora-sf12", 51, 2793.472),
    ],
)
def test_airtime_of_lora(link: str, payload: int, ms: float) -> None:
    found = find_link(link)
    assert lora_us(found, found.frame_bytes + payload) / 1000 == pytest.approx(ms, rel=1e-6)


@pytest.mark.parametrize(("size", "count"), [(0, 1), (39, 1), (64, 1), (65, 2), (154, 3)])
def test_blocks(size: int, count: int) -> None:
    assert blocks(size) == count
    assert message(find_link("802.15.4"), size).blocks == count


def test_one_block_by_hand() -> None:
    """A request of 17 bytes and a response of 15 + 39, each with 9 bytes of network, 29 of frame;
    an acknowledgement of 11 bytes and 1440 us of waiting for each: 32 us for a byte.
    """
    cost = message(find_link("802.15.4"), 39)
    heard, sent, answer, gap = 32 * (17 + 9 + 29), 32 * (54 + 9 + 29), 32 * 11, 1440
    assert cost.frames == 2
    assert cost.time_us == pytest.approx(heard + sent + 2 * (answer + gap))
    milliwatts_us = 60 * (heard + answer + 2 * gap) + 72 * (sent + answer)
    assert cost.energy_uj == pytest.approx(milliwatts_us / 1000)


def test_fragments() -> None:
    """A datagram that no frame holds is cut in pieces (RFC 4944), none longer than a frame."""
    small = msgspec.structs.replace(find_link("802.15.4"), payload_max=40)
    assert message(small, 64).frames > message(find_link("802.15.4"), 64).frames == 2


def test_longer_messages_cost_more() -> None:
    for link in all_links().values():
        costs = [message(link, size) for size in range(1, 400)]
        for one, other in pairwise(costs):
            assert one.time_us <= other.time_us
            assert one.energy_uj <= other.energy_uj


def test_a_link_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="unknown link 'lora'"):
        find_link("lora")
