"""Servers that lie, to both clients on this machine: each ends with a failure, before the handshake
is done and with no byte of the payload. What is attacked is our set-up of Mbed TLS and wolfSSL.

The cases follow RFC 8446, RFC 5246, RFC 5280 and RFC 9525, and what others try their servers and
clients with. `make long WHAT=tls` runs wolfSSL's half.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import struct
from collections.abc import Callable
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit_lab.tls import certs
from ecfit_lab.tls.certs import NAME, Credentials
from ecfit_lab.tls.configs import WOLFSSL, find_connection
from ecfit_lab.tls.ends import reason
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.link import Recording, now_ms
from ecfit_lab.tls.server import PAYLOAD
from ecfit_lab.tls.simrun import CONNECTED, End
from ecfit_lab.wire import native
from tests.unit.tls import hostile
from tests.unit.tls.hostile import (
    ALERT,
    CCS,
    CERTIFICATE,
    DATA,
    HANDSHAKE,
    P384,
    REQUEST,
    TICKET,
    X25519,
    Change,
    Peer,
    also,
    extension,
    message,
    plain,
    vector,
)  # fmt: skip
from tools.rigs import tls_servers

STACKS = [
    pytest.param("ecfit-fast", id="mbedtls"),
    pytest.param(WOLFSSL, id="wolfssl", marks=pytest.mark.skipif(
        os.environ.get("ECFIT_TLS") != "all", reason="fetches wolfSSL, which is GPL: sweep tls")),
]  # fmt: skip
pytestmark = [pytest.mark.ci, pytest.mark.parametrize("stack", STACKS)]
NAMED = {"1.3": "tls1.3-ecdsa", "1.2": "tls1.2-ecdsa", "web": "tls1.3-web"}
VERSIONS = ("1.3", "1.2")
GIVEN = certs.make(find_connection(NAMED["1.3"]))
SECONDS = 2.0  # that a client waits


def connected(stack: str, version: str, change: Change, given: Credentials = GIVEN) -> End:
    """How a connection ended for the client."""
    connection = find_connection(NAMED[version])
    program = native.program(Client(find_target("host"), connection, stack), all_peers())
    recording = Recording(connection.name, 1, now_ms(), given)
    with hostile.serving("1.2" if version == "1.2" else "1.3", given, change) as port:
        return native.run(program, recording, port, SECONDS).end


# Where a client can but wait for more, or is told the end.
WAITS = ("finished left out", "done left out", "message of 16 MB", "end in the handshake")


def refused(end: End, *, waits: bool = False) -> None:
    """Nothing was accepted, no handshake, no byte; and it was the client that gave up."""
    word, sentence = reason(end)
    assert word not in ("ok", "out of memory"), sentence
    assert waits or word not in ("server closed", "server stalled"), sentence
    assert end.stage < CONNECTED, (word, sentence)
    assert end.payload_bytes == 0, (word, sentence)


def accepted(end: End) -> None:
    assert reason(end)[0] == "ok", reason(end)
    assert (end.payload_bytes, end.payload_sum) == (len(PAYLOAD), sum(PAYLOAD))


Edit = Callable[[Peer, bytes], bytes | None]


def cut(count: int) -> Edit:
    """A message of which the last bytes are missing, and its length says so."""
    return lambda peer, data: message(data[0], data[4:-count])


def longer(more: bytes) -> Edit:
    """.. or there are more."""
    return lambda peer, data: message(data[0], data[4:] + more)


def flipped(place: int) -> Edit:
    """.. or a bit is another one."""
    return lambda peer, data: (
        data[:place] + bytes([data[place] ^ 1]) + (data[place + 1 :] if place != -1 else b"")
    )


def nothing(peer: Peer, data: bytes) -> None:
    """.. or which is left out."""


def twice(peer: Peer, data: bytes) -> bytes:
    return data + data


def shares(edit: Callable[[bytes], bytes]) -> Change:
    return {"share": edit}


P = 2**256 - 2**224 + 2**192 + 2**96 - 1
OFF = {  # shares of P-256 that are none
    "cut short": lambda point: point[:-1],
    "one byte": lambda point: point[:1],
    "x alone": lambda point: point[:33],
    "longer": lambda point: point + b"\0",
    "infinity": lambda point: b"\0",
    "0, 0": lambda point: b"\4" + bytes(64),
    "off the curve": lambda point: point[:-1] + bytes([point[-1] ^ 1]),
    "compressed": lambda point: bytes([2 + (point[-1] & 1)]) + point[1:33],
    "hybrid": lambda point: bytes([6 + (point[-1] & 1)]) + point[1:],
    "x, y are p": lambda point: b"\4" + 2 * P.to_bytes(32, "big"),
    "ones": lambda point: b"\4" + b"\xff" * 64,
}  # fmt: skip
OTHER = ec.generate_private_key(ec.SECP256R1())
DOWN12, DOWN11 = (bytes(24) + b"DOWNGRD" + bytes([last]) for last in (1, 0))
OLD = {"extensions of hello": lambda data: b""}  # no supported_versions: TLS 1.2 or older


def added(kind: int, body: bytes = b"") -> Change:
    """An extension of the ServerHello that was not asked for."""
    return {"extensions of hello": lambda data: data + extension(kind, body)}


def without(kind: int) -> Change:
    """.. or one that is missing."""

    def edit(data: bytes) -> bytes:
        kept = b""
        while data:
            size = 4 + int.from_bytes(data[2:4], "big")
            if int.from_bytes(data[:2], "big") != kind:
                kept += data[:size]
            data = data[size:]
        return kept

    return {"extensions of hello": edit}


def unsealed(peer: Peer) -> None:
    """Leaves the keys: what follows is in the clear."""
    peer.out = None


def oversized(peer: Peer) -> None:
    """A record that the header says is longer than any may be (RFC 8446, 5.2)."""
    peer.raw(struct.pack(">BHH", DATA, 0x0303, (1 << 14) + 257) + bytes((1 << 14) + 257))


REQUESTED = message(REQUEST, vector(b"", 1) + vector(extension(13, vector(b"\4\3"))))
NEW_TICKET = message(TICKET, bytes(8) + vector(b"n", 1) + vector(b"ticket") + vector(b""))
CASES13: dict[str, Change] = {
    # ServerHello
    **{f"share {name}": shares(edit) for name, edit in OFF.items()},
    "share missing": without(51),
    "share twice": {"extensions of hello": lambda data: data + data[6:]},
    "share of P-384": {"group": P384, "share": lambda point: b"\4" + bytes(96)},
    "share of X25519": {"group": X25519, "share": lambda point: b"\x09" + bytes(31)},
    "share of a group of nobody": {"group": 0x7777},
    "suite that was not offered, 0x1302": {"suite": 0x1302},
    "suite that was not offered, 0x1303": {"suite": 0x1303},
    "suite of TLS 1.2": {"suite": 0xC02B},
    "suite NULL": {"suite": 0},
    "version in its extension 1.2": {"version": 0x0303},
    "version in its extension 1.0": {"version": 0x0301},
    "version in its extension of a draft": {"version": 0x7F1C},
    "version in its extension of the future": {"version": 0x0305},
    "no version in an extension": without(43),
    "TLS 1.2": {**OLD, "suite": 0xC02B},
    "TLS 1.2 with the sentinel": {**OLD, "suite": 0xC02B, "random": DOWN12},
    "TLS 1.1 with the sentinel": {**OLD, "suite": 0xC009, "random": DOWN11, "legacy": 0x0302},
    "SSL 3": {**OLD, "suite": 0x000A, "legacy": 0x0300},
    "compressed": {"packed": 1},
    "another session id": {"session": b"\1" * 32},
    "a session id of 33 bytes": {"session": b"\1" * 33},
    "extension of nobody": added(0xFAFA),
    "extension pre_shared_key": added(41, b"\0\0"),
    "extension early_data": added(42),
    "extension server_name in the hello": added(0),
    "extension cookie in the hello": added(44, vector(b"c")),
    "hello cut short": {"hello": cut(3)},
    "hello longer": {"hello": longer(b"\0\0")},
    "hello twice": {"hello": twice},
    "hello left out": {"hello": nothing},
    # HelloRetryRequest
    "retry for P-384": {"retries": [P384]},
    "retry for X25519": {"retries": [X25519]},
    "retry for what was given": {"retries": [23]},
    "retry twice": {"retries": [23, 23]},
    "retry for nobody's": {"retries": [0x7777]},
    # EncryptedExtensions
    "extensions left out": {"extensions": nothing},
    "extensions twice": {"extensions": twice},
    "extension of a protocol": {"encrypted": extension(16, vector(vector(b"h2", 1)))},
    "extension of nobody, encrypted": {"encrypted": extension(0xFAFA, b"")},
    "key share, encrypted": {"encrypted": extension(51, bytes(2))},
    "extensions that do not end": {"encrypted": b"\0\0\0\5"},
    "extensions longer": {"extensions": longer(b"\0")},
    # Certificate and its signature
    "no certificate": {"entries": lambda chain: []},
    "empty certificate": {"entries": lambda chain: [b""]},
    "certificate left out": {"certificate": nothing},
    "certificate and signature left out": {"certificate": nothing, "verify": nothing},
    "certificate with a context": {"certificate": lambda peer, data: message(
        CERTIFICATE, b"\1x" + data[5:])},
    "certificate cut short": {"certificate": cut(5)},
    "certificate's signature changed": {"entries": lambda chain: [chain[0][:-1] + bytes(
        [chain[0][-1] ^ 1]), *chain[1:]]},
    "signature left out": {"verify": nothing},
    "signature of another key": {"key": OTHER},
    "signature of a client": {"text": b"TLS 1.3, client CertificateVerify"},
    "signature without its text": {"text": b""},
    "signature before the certificate": {"certificate": lambda peer, data: None, "verify":
        lambda peer, data: data},
    "signature cut short": {"verify": cut(1)},
    "signature longer": {"verify": longer(b"\0")},
    "signature empty": {"verify": lambda peer, data: message(15, data[4:6] + b"\0\0")},
    "signature of zeros": {"verify": lambda peer, data: message(
        15, data[4:6] + vector(bytes.fromhex("3006020100020100")))},
    **{f"signature called {scheme:#06x}": {"scheme": scheme}
       for scheme in (0x0203, 0x0201, 0x0503, 0x0603, 0x0804, 0x0807, 0x0401, 0x0000)},
    # Finished
    "finished wrong": {"finished": flipped(-1)},
    "finished cut short": {"finished": cut(1)},
    "finished empty": {"finished": cut(32)},
    "finished longer": {"finished": longer(b"\0")},
    "finished left out": {"finished": nothing},
    # order and records
    "certificate in the clear": {"before certificate": [unsealed]},
    "extensions in the clear, with the hello": {"hello": lambda peer, data: data + message(
        8, b"\0\0")},
    "data before the hello": {"before hello": [plain(DATA, PAYLOAD)]},
    "data in the clear behind the hello": {"after hello": [plain(DATA, PAYLOAD)]},
    "data under the keys of the handshake": {"before certificate": [also(DATA, PAYLOAD)]},
    "data before finished": {"before finished": [also(DATA, PAYLOAD)]},
    "ticket in the handshake": {"before certificate": [also(HANDSHAKE, NEW_TICKET)]},
    "key update in the handshake": {"before finished": [also(HANDSHAKE, message(24, b"\0"))]},
    "request to start again": {"before extensions": [also(HANDSHAKE, message(0, b""))]},
    "record too long": {"before extensions": [oversized]},
    "record without a type": {"before extensions": [also(-1, bytes(20))]},
    "empty message of the handshake": {"before extensions": [also(HANDSHAKE, b"")]},
    "empty alert": {"before extensions": [also(ALERT, b"")]},
    "alert of one byte": {"before extensions": [also(ALERT, b"\2")]},
    "fatal alert": {"before extensions": [also(ALERT, b"\2\x28")]},
    "end in the handshake": {"before extensions": [also(ALERT, b"\1\0")]},
    "record of no kind": {"before extensions": [also(99, b"x")]},
    "wrong tag": {"before extensions": [plain(DATA, bytes(40))]},
    "record shorter than a tag": {"before extensions": [plain(DATA, bytes(3))]},
    "change of cipher, of another value": {"after hello": [plain(CCS, b"\2")]},
    "change of cipher of two bytes": {"after hello": [plain(CCS, b"\1\1")]},
    "change of cipher before the hello": {"before hello": [plain(CCS, b"\2")]},
    "message of 16 MB": {"before certificate": [also(HANDSHAKE, b"\x0b\xff\xff\xff" + bytes(100))]},
    "data between two pieces of a message": {"before certificate": [also(HANDSHAKE, b"\x0b\0\1"),
                                                                    also(DATA, b"x")]},
}  # fmt: skip
GOOD13: dict[str, Change] = {
    "as it should be": {},
    "pieces of 5 bytes": {"pieces": 5},  # no library here takes a header in two pieces
    "a change of cipher for old routers": {"after hello": [plain(CCS, b"\1")]},
    "a ticket after the handshake": {"before payload": [also(HANDSHAKE, NEW_TICKET)]},
}
CASES12: dict[str, Change] = {
    **{f"share {name}": shares(edit) for name, edit in OFF.items()},
    "group P-384": {"group": P384, "share": lambda point: b"\4" + bytes(96)},
    "group X25519": {"group": X25519, "share": lambda point: b"\x09" + bytes(31)},
    "group of nobody": {"group": 0x7777},
    "curve in full, of a prime": {"curve type": 1},
    "curve in full, of 2^n": {"curve type": 2},
    **{f"suite that was not offered, {suite:#06x}": {"suite": suite}
       for suite in (0xC02C, 0xC02F, 0xC009, 0xC023, 0x009C, 0x0000, 0xC006, 0x1301, 0x00FF)},
    **{f"version {version:#06x}": {"legacy": version}
       for version in (0x0300, 0x0301, 0x0302, 0x0304, 0x0200)},
    "version 1.3 in its extension": added(43, b"\3\4"),
    "compressed": {"packed": 1},
    "a session id of 33 bytes": {"session": b"\1" * 33},
    "extension of nobody": added(0xFAFA),
    "extension of a protocol": added(16, vector(vector(b"h2", 1))),
    "extension of a start again, not empty": {"extensions of hello": lambda data: extension(
        0xFF01, vector(b"x" * 12, 1)) + data[5:]},
    "hello cut short": {"hello": cut(1)},
    "hello left out": {"hello": nothing},
    "hello twice": {"hello": twice},
    "no certificate": {"entries": lambda chain: []},
    "certificate left out": {"certificate": nothing},
    "certificate twice": {"certificate": twice},
    "certificate cut short": {"certificate": cut(5)},
    "certificate's signature changed": {"entries": lambda chain: [chain[0][:-1] + bytes(
        [chain[0][-1] ^ 1]), *chain[1:]]},
    "exchange left out": {"exchange": nothing},
    "exchange twice": {"exchange": twice},
    "exchange cut short": {"exchange": cut(1)},
    "exchange longer": {"exchange": longer(b"\0")},
    "exchange without a signature": {"exchange": lambda peer, data: message(12, data[4:73])},
    "exchange signed by another key": {"key": OTHER},
    "exchange signed for another hello": {"order": lambda ours, theirs: bytes(32) + ours},
    "exchange signed by the randoms of the other side": {"order": lambda ours, theirs:
        ours + theirs},
    "exchange signed without randoms": {"order": lambda ours, theirs: b""},
    **{f"signature called {scheme:#06x}": {"scheme": scheme}
       for scheme in (0x0203, 0x0201, 0x0503, 0x0603, 0x0804, 0x0807, 0x0401, 0x0103, 0x0000)},
    "done left out": {"done": nothing},
    "done with a body": {"done": longer(b"x")},
    "finished wrong": {"finished": flipped(-1)},
    "finished cut short": {"finished": cut(1)},
    "finished empty": {"finished": cut(12)},
    "finished longer": {"finished": longer(b"\0")},
    "finished left out": {"finished": nothing},
    "change of cipher left out": {"no ccs": True},
    "change of cipher of another value": {"ccs": b"\2"},
    "change of cipher of two bytes": {"ccs": b"\1\1"},
    "change of cipher too early": {"before certificate": [plain(CCS, b"\1")]},
    "change of cipher before the key": {"before done": [plain(CCS, b"\1")]},
    "data in the handshake": {"before certificate": [plain(DATA, PAYLOAD)]},
    "data before the change": {"before ccs": [plain(DATA, PAYLOAD)]},
    "data before finished": {"before finished": [also(DATA, PAYLOAD)]},
    "record too long": {"before certificate": [oversized]},
    "empty message of the handshake": {"before certificate": [plain(HANDSHAKE, b"")]},
    "record of no kind": {"before certificate": [plain(99, b"x")]},
    "fatal alert": {"before certificate": [plain(ALERT, b"\2\x28")]},
    "message of 16 MB": {"before certificate": [plain(HANDSHAKE, b"\x0b\xff\xff\xff" + bytes(99))]},
    "request for a proof that a client has none for": {"before done": [plain(
        HANDSHAKE, message(REQUEST, b"\0"))]},
}  # fmt: skip
GOOD12: dict[str, Change] = {
    "as it should be": {},
    "pieces of 40 bytes": {"pieces": 40},
    "without the extended secret": {"no extended": True},
}


# What a library lets pass, though RFC 8446, 4.2 or RFC 5746, 3.4 say otherwise: all of it is in the
# transcript that Finished proves, so that nobody between client and server can add it.
LENIENT = {
    "ecfit-fast": {"share twice", "hello longer", "signature longer", "extension of nobody",
                   "extension of a protocol", "version 1.3 in its extension"},
    WOLFSSL: {"version 1.3 in its extension", "extension of nobody", "extension of a protocol",
              "extension of a start again, not empty"},
}  # fmt: skip


def test_a_good_server_is_accepted(stack: str) -> None:
    """So it is the change that is refused below."""
    for version, cases in (("1.3", GOOD13), ("1.2", GOOD12)):
        for name, change in cases.items():
            end = connected(stack, version, change)
            assert reason(end)[0] == "ok", (version, name, reason(end))
            accepted(end)


@pytest.mark.parametrize("name", CASES13)
def test_tls13(stack: str, name: str) -> None:
    tried(stack, "1.3", name, CASES13[name])


@pytest.mark.parametrize("name", CASES12)
def test_tls12(stack: str, name: str) -> None:
    tried(stack, "1.2", name, CASES12[name])


def tried(stack: str, version: str, name: str, change: Change) -> None:
    end = connected(stack, version, change)
    lenient = name in LENIENT[stack] and (version == "1.2" or not name.startswith("ext"))
    if lenient:
        accepted(end)
    else:
        refused(end, waits=name in WAITS)


# ---- each place of each message ------------------------------------------------------------------

MESSAGES = {
    "1.3": ("hello", "extensions", "certificate", "verify", "finished"),
    "1.2": ("hello", "certificate", "exchange", "done", "finished"),
}
SOME = 1 if os.environ.get("ECFIT_TLS") == "all" else 29
# Where another value is a good one: the server's random number, with which it goes on; in TLS 1.2
# the type of an extension, which is then one of nobody, and for wolfSSL what one holds (LENIENT).
FREE = {("1.3", "hello"): [*range(6, 38)], ("1.2", "hello"): [44, 45]}
FREE_OF = {(WOLFSSL, "1.2", "hello"): [48]}


@pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version in VERSIONS for name in MESSAGES[version]]
)
def test_a_bit_that_the_server_changes_itself(stack: str, version: str, name: str) -> None:
    """Before encryption and hash, so that Finished is right and only the message is wrong."""
    sent: list[bytes] = []

    def keep(peer: Peer, data: bytes) -> bytes:
        sent.append(data)
        return data

    accepted(connected(stack, version, {name: keep}))
    for place in range(0, len(sent[0]), SOME):
        bit = 1 << place % 8

        def flip(peer: Peer, data: bytes, place: int = place, bit: int = bit) -> bytes:
            at = min(place, len(data) - 1)  # a signature in DER may be shorter
            return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]

        end = connected(stack, version, {name: flip})
        free = [*FREE.get((version, name), []), *FREE_OF.get((stack, version, name), [])]
        if place in free:
            accepted(end)
        else:
            refused(end, waits=True)


# ---- certificates --------------------------------------------------------------------------------

NOW = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
DAY = datetime.timedelta(days=1)
DNS = x509.DNSName


def usage(*names: str) -> x509.KeyUsage:
    """Key usage with these bits alone."""
    every = (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    )  # fmt: skip
    return x509.KeyUsage(**{name: name in names for name in every})


class Maker:
    """Makes a certificate; what is not said is as it should be."""

    def __init__(self, name: str, issuer: Maker | None = None, **changes: Any) -> None:
        self.key = changes.get("key") or ec.generate_private_key(ec.SECP256R1())
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signer = issuer or self
        begin = NOW + changes.get("begin", -1) * DAY
        builder = (
            x509.CertificateBuilder().subject_name(self.subject).issuer_name(signer.subject)
            .public_key(self.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(begin).not_valid_after(NOW + changes.get("end", 1) * DAY)
        )  # fmt: skip
        authority = changes.get("authority", True)
        if authority is not None:
            depth = changes.get("depth")
            builder = builder.add_extension(x509.BasicConstraints(bool(authority), depth), True)
        for value, critical in changes.get("extensions", ()):
            builder = builder.add_extension(value, critical)
        signing = changes.get("signing") or signer.key
        self.certificate = builder.sign(signing, changes.get("hash", hashes.SHA256()))

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)


def leaf(issuer: Maker | None, *names: x509.GeneralName, cn: str = "x", **changes: Any) -> Maker:
    """A server's."""
    more = [*changes.pop("extensions", ())]
    if names:
        more.insert(0, (x509.SubjectAlternativeName(names), False))
    return Maker(cn, issuer, extensions=more, authority=changes.pop("authority", False), **changes)


ROOT, STRANGER = Maker("Test root"), Maker("Test root")
GOOD = DNS(NAME)


def between(**changes: Any) -> list[Maker]:
    """A chain with an authority between server and root."""
    middle = Maker("Between", changes.pop("under", ROOT), **changes)
    return [leaf(middle, GOOD), middle]


def under(*makers: Maker) -> list[Maker]:
    return list(makers)


UNKNOWN = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4.5"), b"\5\0")
SERVER_AUTH, CLIENT_AUTH, CODE = (
    x509.ExtendedKeyUsage([one]) for one in (
        ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH,
        ExtendedKeyUsageOID.CODE_SIGNING))  # fmt: skip
NEAR = Maker("Near", ROOT, depth=0)
HELD = Maker("Held", ROOT, extensions=[(x509.NameConstraints(
    [DNS("other.test")], None), True)])  # fmt: skip
NO_CERTS = Maker("No certs", ROOT, extensions=[(usage("digital_signature"), True)])
CLIENTS = leaf(ROOT, GOOD, cn="A leaf")
SMALL = ec.generate_private_key(ec.SECP192R1())
UNTRUSTED: dict[str, list[Maker]] = {
    "another name": under(leaf(ROOT, DNS("other.test"))),
    "name and more": under(leaf(ROOT, DNS(NAME + ".evil.test"))),
    "name behind more": under(leaf(ROOT, DNS("evil-" + NAME))),
    "parent's name": under(leaf(ROOT, DNS("test"))),
    "wildcard a level too low": under(leaf(ROOT, DNS("*." + NAME))),
    "wildcard of all": under(leaf(ROOT, DNS("*"))),
    "wildcard in the middle": under(leaf(ROOT, DNS("server.*"))),
    "wildcard of two levels": under(leaf(ROOT, DNS("*.*"))),
    "the name as an address of mail": under(leaf(ROOT, x509.RFC822Name("a@" + NAME))),
    "the name as a place": under(leaf(ROOT, x509.UniformResourceIdentifier("https://" + NAME))),
    "an address": under(leaf(ROOT, x509.IPAddress(ipaddress.ip_address("127.0.0.1")))),
    "the name as subject beside another": under(leaf(ROOT, DNS("other.test"), cn=NAME)),
    "the name in a subject that is longer": under(leaf(ROOT, cn=NAME + ".evil")),
    "no name": under(leaf(ROOT, cn="nobody")),
    "signed by itself": under(leaf(None, GOOD)),
    "signed by itself, called as the root": under(leaf(None, GOOD, cn="Test root")),
    "signed by itself, an authority": under(leaf(None, GOOD, authority=True)),
    "a root of the same name": under(leaf(STRANGER, GOOD)),
    "a root of the same name, sent along": under(leaf(STRANGER, GOOD), STRANGER),
    "signed by another key": under(leaf(ROOT, GOOD, signing=STRANGER.key)),
    "expired": under(leaf(ROOT, GOOD, begin=-9, end=-8)),
    "not yet valid": under(leaf(ROOT, GOOD, begin=8, end=9)),
    "an authority that expired": between(begin=-9, end=-8),
    "an authority that is not yet valid": between(begin=8, end=9),
    "an authority that is none": between(authority=False),
    "an authority that does not say so": between(authority=None),
    "an authority that may not sign": between(extensions=[(usage("digital_signature"), True)]),
    "an authority of strangers": between(under=STRANGER),
    "a leaf as an authority": under(leaf(CLIENTS, GOOD), CLIENTS),
    "an authority that may have none below": under(
        leaf(deep := Maker("Deep", NEAR), GOOD), deep, NEAR),
    "an authority for other names": under(leaf(HELD, GOOD), HELD),
    "an authority that is left out": between()[:1],
    "for clients": under(leaf(ROOT, GOOD, extensions=[(CLIENT_AUTH, False)])),
    "for code": under(leaf(ROOT, GOOD, extensions=[(CODE, True)])),
    "not for signing": under(leaf(ROOT, GOOD, extensions=[(usage("key_agreement"), True)])),
    "an extension of nobody that must be known": under(
        leaf(ROOT, GOOD, extensions=[(UNKNOWN, True)])),
    "a key of 192 bits": under(leaf(ROOT, GOOD, key=SMALL)),
    "another certificate first": under(leaf(ROOT, DNS("other.test")), leaf(ROOT, GOOD)),
    "the root itself": under(ROOT),
}  # fmt: skip
TRUSTED: dict[str, list[Maker]] = {
    "as it should be": under(leaf(ROOT, GOOD)),
    "one of many names": under(leaf(ROOT, DNS("a.test"), GOOD, DNS("b.test"))),
    "in capitals": under(leaf(ROOT, DNS(NAME.upper()))),
    "for servers": under(leaf(ROOT, GOOD, extensions=[
        (SERVER_AUTH, False), (usage("digital_signature"), True)])),
    "an extension of nobody": under(leaf(ROOT, GOOD, extensions=[(UNKNOWN, False)])),
    "an authority between": between(),
    "an authority that may sign": between(extensions=[(usage("key_cert_sign"), True)]),
    "with its root": under(leaf(ROOT, GOOD), ROOT),
    # RFC 9525 looks at alternative names alone; both libraries at the subject where there are none.
    "the name as subject alone": under(leaf(ROOT, cn=NAME)),
}  # fmt: skip


def credentials(chain: list[Maker], name: str = NAME) -> Credentials:
    key = chain[0].key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    anchor = ROOT.certificate.public_bytes(serialization.Encoding.DER)
    return Credentials(anchor, b"".join(one.pem for one in chain), key, name)


@pytest.mark.parametrize("version", VERSIONS)
def test_good_chains_are_accepted(stack: str, version: str) -> None:
    for name, chain in TRUSTED.items():
        end = connected(stack, version, {}, credentials(chain))
        assert reason(end)[0] == "ok", (name, reason(end))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", UNTRUSTED)
def test_a_server_that_cannot_be_trusted(stack: str, version: str, name: str) -> None:
    """And the reason is the certificate."""
    end = connected(stack, version, {}, credentials(UNTRUSTED[name]))
    refused(end)
    assert reason(end)[0] in {
        "wrong name", "not trusted", "certificate expired", "certificate not yet valid",
        "bad certificate", "wrong key type", "refused",
    }  # fmt: skip


ADDRESS = "192.0.2.7"
ADDRESSES = {  # of a server that is called by its address, and whether it is accepted
    "its address": (leaf(ROOT, x509.IPAddress(ipaddress.ip_address(ADDRESS))), True),
    "another address": (leaf(ROOT, x509.IPAddress(ipaddress.ip_address("192.0.2.8"))), False),
    "a name, and its address as subject": (leaf(ROOT, GOOD, cn=ADDRESS), False),
    # Mbed TLS compares the text with names, too: docs/tls.md
    "its address as a name": (leaf(ROOT, DNS(ADDRESS)), True),
    "a wildcard that its address fits": (leaf(ROOT, DNS("*.0.2.7")), True),
}


def test_a_server_that_is_called_by_its_address(stack: str) -> None:
    """As `--connect` does without `--sni`."""
    if stack == WOLFSSL:
        pytest.skip("the client on wolfSSL is for servers of its own")
    for name, (maker, good) in ADDRESSES.items():
        end = connected(stack, "web", {}, credentials([maker], ADDRESS))
        assert (reason(end)[0] == "ok") == good, (name, reason(end))


# ---- a hybrid share ------------------------------------------------------------------------------

POINT, CIPHERTEXT = 32, 1088  # bytes: draft-ietf-tls-ecdhe-mlkem; ML-KEM's comes first
HYBRIDS = {
    "cut short": bytes(range(32)) * 34 + bytes(31),
    "ML-KEM alone": bytes(range(32)) * 34,
    "X25519 alone": b"\x09" + bytes(31),
    "longer": bytes(range(32)) * 34 + b"\x09" + bytes(32),
    "one byte": b"\x09",
    "at random": bytes(range(32)) * 34 + b"\x09" + bytes(31),
    "the point of order 1": bytes(range(32)) * 34 + bytes(32),
}


def test_a_hybrid_share_that_is_none(stack: str) -> None:
    """Of the wrong size; or with a secret that the server does not have."""
    if stack != WOLFSSL:
        pytest.skip("Mbed TLS 3.6 has no ML-KEM")
    connection = find_connection("tls1.3-ecdsa-x25519mlkem768")
    given = certs.make(connection)
    client = Client(find_target(tls_servers.CHIP), connection, WOLFSSL)
    for name, share in HYBRIDS.items():
        change = {"deaf": True, "group": hostile.HYBRID, "share": lambda _, share=share: share}
        with hostile.serving("1.3", given, change) as port:
            ran = tls_servers.connect(client, given, port)
        assert ran.status == "ok", (name, ran.status)
        refused(ran.end)
