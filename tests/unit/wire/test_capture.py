"""Packet captures: streams put together, bytes counted, and files that are none."""

from __future__ import annotations

import struct

import pytest

from ecfit_lab.wire import capture

CLIENT, SERVER = bytes((10, 0, 2, 15)), bytes((10, 0, 2, 2))
MINE, THEIRS = bytes.fromhex("525400123456"), bytes.fromhex("525500aabbcc")
SYN, ACK = 2, 16


def frame(data: bytes, sequence: int, flags: int = ACK, *, sent: bool = True) -> bytes:
    """A frame as RFC 791 and RFC 9293 have them; checksums, which nobody looks at, are 0."""
    ends = (CLIENT, SERVER) if sent else (SERVER, CLIENT)
    ports = (49153, 4433) if sent else (4433, 49153)
    options = bytes(4) if flags & SYN else b""
    tcp = struct.pack(">HHIIBBHHH", *ports, sequence, 0, (20 + len(options)) // 4 << 4, flags,
                      8192, 0, 0) + options + data  # fmt: skip
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0, *ends)
    return (THEIRS + MINE if sent else MINE + THEIRS) + b"\x08\x00" + ip + tcp


def arp(*, sent: bool = True) -> bytes:
    return (b"\xff" * 6 + (MINE if sent else THEIRS)) + b"\x08\x06" + bytes(28)


def pcap(*frames: bytes, order: str = "<", link: int = 1) -> bytes:
    magic = 0xA1B2C3D4
    head = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, link)
    return head + b"".join(
        struct.pack(f"{order}IIII", 0, 0, len(one), len(one)) + one for one in frames
    )


@pytest.mark.parametrize("order", ["<", ">"])
def test_both_ways(order: str) -> None:
    data = pcap(
        arp(),
        arp(sent=False),
        frame(b"", 6509, SYN),
        frame(b"", 100, SYN | ACK, sent=False),
        frame(b"hello ", 6510),
        frame(b"there", 6516),
        frame(b"welcome", 101, sent=False),
        order=order,
    )
    sent, received = capture.ways(data, CLIENT, MINE)
    assert (sent.stream, received.stream) == (b"hello there", b"welcome")
    assert (sent.frames, received.frames) == (4, 3)
    assert sent.wire_bytes == 42 + 58 + 54 + 6 + 54 + 5
    assert received.wire_bytes == 42 + 58 + 54 + 7


def test_what_is_sent_again_or_late_counts_once() -> None:
    """On the wire it counts each time; and sequence numbers go round."""
    start = 0xFFFFFFFC
    parts = [frame(b"", start - 1, SYN), frame(b"defg", (start + 3) % 2**32)]
    parts += [frame(b"abc", start), frame(b"bcd", start + 1), frame(b"abc", start)]
    sent, _ = capture.ways(pcap(*parts), CLIENT, MINE)
    assert sent.stream == b"abcdefg"
    assert sent.wire_bytes == sum(map(len, parts))


def test_padding_of_a_frame_is_no_payload() -> None:
    data = pcap(frame(b"", 9, SYN), frame(b"x", 10) + bytes(5))
    sent, _ = capture.ways(data, CLIENT, MINE)
    assert sent.stream == b"x"


def test_connections_one_after_the_other() -> None:
    second = bytearray(frame(b"", 500, SYN)), bytearray(frame(b"two", 501))
    for one in second:
        one[34:36] = (49154).to_bytes(2, "big")
    data = pcap(arp(), frame(b"", 9, SYN), frame(b"one", 10), *map(bytes, second))
    sent, _ = capture.ways(data, CLIENT, MINE)
    assert (sent.stream, sent.wire_bytes) == (b"two", 42 + 58 + 57), "the last counts, and ARP"


def test_a_frame_that_is_still_being_written() -> None:
    data = pcap(frame(b"", 9, SYN), frame(b"whole", 10), frame(b"cut", 15))
    for less in (1, 40, 60):
        assert capture.ways(data[:-less], CLIENT, MINE)[0].stream == b"whole"


IMPOSSIBLE = bytearray(frame(b"", 9, SYN))
IMPOSSIBLE[46] = 0xF0  # a header of TCP of 60 bytes


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "no pcap header"),
        (b"\n\r\r\n" + bytes(40), "no pcap header"),
        (pcap()[:23], "no pcap header"),
        (pcap(link=113), "link type 113"),
        (pcap()[:24] + struct.pack("<IIII", 0, 0, 10, 60) + bytes(10), "10 bytes of a frame of 60"),
        (pcap(bytes(IMPOSSIBLE)), "impossible header"),
        (pcap(frame(b"abc", 10)[:40]), "impossible lengths"),
        (pcap(frame(b"", 9, SYN), frame(b"abc", 10), frame(b"axc", 10)), "is another"),
        (pcap(frame(b"", 9, SYN), frame(b"abc", 12)), "lacks a part"),
    ],
)
def test_what_is_no_capture(data: bytes, what: str) -> None:
    with pytest.raises(capture.CaptureError, match=what):
        capture.ways(data, CLIENT, MINE)
