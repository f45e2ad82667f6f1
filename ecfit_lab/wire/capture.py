"""What went over the wire: a packet capture (pcap), its frames, and both streams of a connection.

https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html, 4 and 5; Ethernet, RFC 791,
RFC 9293.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import msgspec

from ecfit.errors import EcfitError

_MAGIC = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">"}
_FILE_HEADER, _PACKET_HEADER = 24, 16
_ETHERNET = 1  # link type
_ETHERNET_HEADER, _IP_HEADER, _TCP_HEADER = 14, 20, 20
_IPV4, _TCP = 0x0800, 6
_SYN = 0x02


class CaptureError(EcfitError):
    """What should be a capture is none."""


class Segment(msgspec.Struct, frozen=True):
    """A segment of TCP: who sent it, from which port to which, where in the stream its data are."""

    source: bytes
    ports: tuple[int, int]
    sequence: int
    syn: bool
    data: bytes

    def ends(self, client: bytes) -> tuple[int, int]:
        """The ports of the connection, the client's first."""
        return self.ports if self.source == client else (self.ports[1], self.ports[0])


class Way(msgspec.Struct, frozen=True):
    """One direction: frames, their bytes (Ethernet's header to the end of IP's packet; without
    preamble, padding and checksum), and the stream that TCP carried in them.
    """

    frames: int
    wire_bytes: int
    stream: bytes


def frames(data: bytes) -> list[bytes]:
    """The frames of a capture of Ethernet. A last one that is cut off was being written: it does
    not count. Errors: CaptureError.
    """
    order = _MAGIC.get(data[:4])
    if order is None or len(data) < _FILE_HEADER:
        raise CaptureError("the packet capture is none: no pcap header")
    (link,) = struct.unpack_from(f"{order}I", data, 20)
    if link & 0xFFFF != _ETHERNET:
        raise CaptureError(f"the packet capture is not of Ethernet: link type {link & 0xFFFF}")
    found, at = [], _FILE_HEADER
    while at + _PACKET_HEADER <= len(data):
        kept, whole = struct.unpack_from(f"{order}II", data, at + 8)
        if kept != whole:
            raise CaptureError(f"the packet capture has {kept} bytes of a frame of {whole}")
        frame = data[at + _PACKET_HEADER : at + _PACKET_HEADER + kept]
        if len(frame) < kept:
            break
        found.append(frame)
        at += _PACKET_HEADER + kept
    return found


def segment(frame: bytes) -> Segment | None:
    """The segment in a frame; None where it has none. Errors: CaptureError when a header says
    what the frame does not hold.
    """
    if len(frame) < _ETHERNET_HEADER + _IP_HEADER or frame[12:14] != _IPV4.to_bytes(2, "big"):
        return None
    packet = frame[_ETHERNET_HEADER:]
    header, size = 4 * (packet[0] & 15), int.from_bytes(packet[2:4], "big")
    if packet[9] != _TCP:
        return None
    inner = packet[header:size]
    if header < _IP_HEADER or size > len(packet) or len(inner) < _TCP_HEADER:
        raise CaptureError("a captured packet has impossible lengths")
    source, destination, sequence = struct.unpack_from(">HHI", inner)
    begin = 4 * (inner[12] >> 4)
    if not _TCP_HEADER <= begin <= len(inner):
        raise CaptureError("a captured segment has an impossible header")
    syn = bool(inner[13] & _SYN)
    return Segment(packet[12:16], (source, destination), sequence, syn, inner[begin:])


def stream(segments: Sequence[Segment]) -> bytes:
    """The bytes that one side of a connection sent, each once and in order.
    Errors: CaptureError when bytes are missing, or were sent twice and differ.
    """
    start = next((one.sequence + 1 for one in segments if one.syn), None)
    if start is None:
        return b""
    found: dict[int, int] = {}
    for one in segments:
        place = (one.sequence + one.syn - start) % (1 << 32)
        for index, byte in enumerate(one.data):
            if found.setdefault(place + index, byte) != byte:
                raise CaptureError("a captured byte was sent again and is another")
    if found and max(found) != len(found) - 1:
        raise CaptureError("the packet capture lacks a part of the stream")
    return bytes(found[place] for place in range(len(found)))


def ways(data: bytes, client: bytes, hardware: bytes) -> tuple[Way, Way]:
    """What the client at this address sent, and what it received, in the last of its connections;
    frames that are not of TCP (ARP) count, too. Errors: CaptureError.
    """
    found = [(frame, segment(frame)) for frame in frames(data)]
    opened = [part.ports for _, part in found if part and part.syn and part.source == client]
    ports = opened[-1:]  # the client's first
    mine = [(frame, part) for frame, part in found if part is None or ports == [part.ends(client)]]
    both = []
    for sent in (True, False):
        way = [(frame, part) for frame, part in mine if (frame[6:12] == hardware) == sent]
        carried = stream([part for _, part in way if part is not None])
        both.append(Way(len(way), sum(len(frame) for frame, _ in way), carried))
    return both[0], both[1]
