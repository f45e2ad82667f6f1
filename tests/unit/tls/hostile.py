"""A TLS server that does what it should not: raw sockets on loopback, each message handed to a
change before it is sent. Without a change it is a good server of TLS 1.3 or 1.2, with P-256,
AES-128-GCM and SHA-256.

Written from RFC 8446 and RFC 5246; its cryptography is of the package `cryptography`.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ecfit_lab.tls.certs import Credentials
from ecfit_lab.tls.server import HOST, PAYLOAD

ALERT, HANDSHAKE, DATA, CCS = 21, 22, 23, 20
HELLO, TICKET, EE, CERTIFICATE, SKE, REQUEST, DONE, VERIFY, CKE, FINISHED = (
    2, 4, 8, 11, 12, 13, 14, 15, 16, 20,
)  # fmt: skip
NAMES = {HELLO: "hello", EE: "extensions", CERTIFICATE: "certificate", SKE: "exchange",
         DONE: "done", VERIFY: "verify", FINISHED: "finished"}  # fmt: skip
P256, P384, X25519, HYBRID = 23, 24, 29, 0x11EC
RETRY = hashlib.sha256(b"HelloRetryRequest").digest()
Change = dict[str, Any]  # what test_hostile.py says of a server


def message(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + len(body).to_bytes(3, "big") + body


def vector(data: bytes, size: int = 2) -> bytes:
    """With its length before it."""
    return len(data).to_bytes(size, "big") + data


def extension(kind: int, body: bytes) -> bytes:
    return struct.pack(">H", kind) + vector(body)


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def expanded(secret: bytes, label: str, context: bytes, size: int) -> bytes:
    """HKDF-Expand-Label (RFC 8446, 7.1), of at most 32 bytes."""
    info = struct.pack(">H", size) + vector(b"tls13 " + label.encode(), 1) + vector(context, 1)
    return mac(secret, info + b"\1")[:size]


def prf(secret: bytes, label: bytes, seed: bytes, size: int) -> bytes:
    """RFC 5246, 5."""
    out, a = b"", label + seed
    while len(out) < size:
        a = mac(secret, a)
        out += mac(secret, a + label + seed)
    return out[:size]


class Hello:
    """What is taken of a ClientHello."""

    def __init__(self, body: bytes) -> None:
        self.random, at = body[2:34], 35 + body[34]
        self.session = body[35:at]
        at += 2 + int.from_bytes(body[at : at + 2], "big")
        at += 1 + body[at]
        rest, self.extensions = body[at + 2 :], dict[int, bytes]()
        while rest:
            kind, size = struct.unpack(">HH", rest[:4])
            self.extensions[kind], rest = rest[4 : 4 + size], rest[4 + size :]

    def share(self, group: int) -> bytes:
        """The client's key share of a group."""
        rest = self.extensions[51][2:]
        while rest:
            kind, size = struct.unpack(">HH", rest[:4])
            if kind == group:
                return rest[4 : 4 + size]
            rest = rest[4 + size :]
        raise AssertionError("no share of that group")


class Keys:
    """Of one direction; AEAD nonces count from 0."""

    def __init__(self, key: bytes, iv: bytes) -> None:
        self.aead, self.iv, self.count = AESGCM(key), iv, 0

    @classmethod
    def of(cls, secret: bytes) -> Keys:
        return cls(expanded(secret, "key", b"", 16), expanded(secret, "iv", b"", 12))

    def nonce(self) -> bytes:
        number = int.from_bytes(self.iv, "big") ^ self.count
        self.count += 1
        return number.to_bytes(12, "big")


class Peer:
    """A connection to a client, whose `change` says what is done wrong."""

    def __init__(self, client: socket.socket, given: Credentials, change: Change) -> None:
        self.socket, self.change = client, change
        chain = x509.load_pem_x509_certificates(given.server_chain)
        self.chain = [one.public_bytes(serialization.Encoding.DER) for one in chain]
        key = serialization.load_pem_private_key(given.server_key, None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        self.key, self.transcript = key, b""
        self.out: Keys | None = None
        self.into: Keys | None = None
        self.after_ccs: Keys | None = None  # of TLS 1.2: the client's, from its change on
        self.modern, self.handshakes = True, b""

    # ---- records

    def raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def record(self, kind: int, data: bytes, version: int = 0x0303) -> bytes:
        """One record, encrypted where there are keys."""
        if self.out is None:
            return struct.pack(">BH", kind, version) + vector(data)
        if self.modern:
            inner = data + bytes([kind]) if kind != -1 else data
            head = struct.pack(">BHH", DATA, 0x0303, len(inner) + 16)
            return head + self.out.aead.encrypt(self.out.nonce(), inner, head)
        explicit = self.out.count.to_bytes(8, "big")
        self.out.count += 1
        aad = explicit + struct.pack(">BHH", kind, version, len(data))
        body = explicit + self.out.aead.encrypt(self.out.iv + explicit, data, aad)
        return struct.pack(">BH", kind, version) + vector(body)

    def send(self, kind: int, data: bytes) -> None:
        """In pieces of `change["pieces"]` bytes."""
        size = self.change.get("pieces", 1 << 14)
        for at in range(0, len(data), size):
            self.raw(self.record(kind, data[at : at + size]))

    def hand(self, kind: int, body: bytes) -> None:
        """A message of the handshake, changed, with what a change has before and behind it."""
        name = NAMES.get(kind, "other")
        data = self.change.get(name, lambda peer, data: data)(self, message(kind, body))
        for extra in self.change.get(f"before {name}", ()):
            extra(self)
        if data is not None:
            self.transcript += data
            self.send(HANDSHAKE, data)
        for extra in self.change.get(f"after {name}", ()):
            extra(self)

    def receive(self) -> tuple[int, bytes]:
        """A record, decrypted."""
        head = self.exactly(5)
        data = self.exactly(int.from_bytes(head[3:], "big"))
        if self.into is None or (self.modern and head[0] != DATA):
            return head[0], data
        if self.modern:
            inner = self.into.aead.decrypt(self.into.nonce(), data, head).rstrip(b"\0")
            return inner[-1], inner[:-1]
        aad = self.into.count.to_bytes(8, "big") + head[:3] + struct.pack(">H", len(data) - 24)
        self.into.count += 1
        return head[0], self.into.aead.decrypt(self.into.iv + data[:8], data[8:], aad)

    def exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise ConnectionError("the client closed")
            data += more
        return data

    def take(self, kind: int) -> bytes:
        """The body of the client's next message, which must be of this kind."""
        while len(self.handshakes) < 4 or len(self.handshakes) < 4 + int.from_bytes(
            self.handshakes[1:4], "big"
        ):
            record, data = self.receive()
            if record == HANDSHAKE:
                self.handshakes += data
            elif record == CCS:
                self.into = self.after_ccs or self.into
            else:
                raise ConnectionError(f"record {record} of the client: {data.hex()}")
        size = 4 + int.from_bytes(self.handshakes[1:4], "big")
        whole, self.handshakes = self.handshakes[:size], self.handshakes[size:]
        if whole[0] != kind:
            raise ConnectionError(f"message {whole[0]} of the client")
        self.transcript += whole
        return whole[4:]

    def digest(self) -> bytes:
        return hashlib.sha256(self.transcript).digest()

    def signed(self, data: bytes) -> bytes:
        """By ECDSA with SHA-256, in DER."""
        key: ec.EllipticCurvePrivateKey = self.change.get("key", self.key)
        return key.sign(data, ec.ECDSA(hashes.SHA256()))

    # ---- TLS 1.3

    def hello13(self, hello: Hello, share: bytes, random: bytes, group: int = P256) -> bytes:
        """The body of a ServerHello; of a HelloRetryRequest, where the share is empty."""
        named = struct.pack(">H", group)
        extensions = extension(43, struct.pack(">H", self.change.get("version", 0x0304)))
        extensions += extension(51, named + vector(share) if share else named)
        extensions = self.change.get("extensions of hello", lambda data: data)(extensions)
        return (
            struct.pack(">H", self.change.get("legacy", 0x0303)) + random
            + vector(self.change.get("session", hello.session), 1)
            + struct.pack(">HB", self.change.get("suite", 0x1301), self.change.get("packed", 0))
            + vector(extensions)
        )  # fmt: skip

    def serve13(self) -> None:
        hello = Hello(self.take(1))
        for group in self.change.get("retries", ()):
            first = message(254, hashlib.sha256(self.transcript).digest())
            self.transcript = first if not self.change.get("keep") else self.transcript
            retry = message(HELLO, self.hello13(hello, b"", RETRY, group))
            self.transcript += retry
            self.send(HANDSHAKE, retry)
            hello = Hello(self.take(1))
        own = ec.generate_private_key(ec.SECP256R1())
        point = own.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        theirs = b"" if self.change.get("deaf") else hello.share(P256)
        shared = bytes(32)
        if theirs:
            public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
            shared = own.exchange(ec.ECDH(), public)
        share = self.change.get("share", lambda data: data)(point)
        random = self.change.get("random", os.urandom(32))
        self.hand(HELLO, self.hello13(hello, share, random, self.change.get("group", P256)))
        empty = hashlib.sha256(b"").digest()
        early = mac(bytes(32), bytes(32))
        secret = mac(expanded(early, "derived", empty, 32), shared)
        mine = expanded(secret, "s hs traffic", self.digest(), 32)
        yours = expanded(secret, "c hs traffic", self.digest(), 32)
        self.out, self.into = Keys.of(mine), Keys.of(yours)
        self.hand(EE, vector(self.change.get("encrypted", b"")))
        entries = self.change.get("entries", lambda chain: chain)(self.chain)
        listed = b"".join(vector(one, 3) + vector(b"") for one in entries)
        self.hand(CERTIFICATE, vector(b"", 1) + vector(listed, 3))
        text = self.change.get("text", b"TLS 1.3, server CertificateVerify")
        scheme = self.change.get("scheme", 0x0403)
        signed = self.signed(bytes([32]) * 64 + text + b"\0" + self.digest())
        self.hand(VERIFY, struct.pack(">H", scheme) + vector(signed))
        self.hand(FINISHED, mac(expanded(mine, "finished", b"", 32), self.digest()))
        main = mac(expanded(secret, "derived", empty, 32), bytes(32))
        traffic = expanded(main, "s ap traffic", self.digest(), 32)
        self.take(FINISHED)
        self.out = Keys.of(traffic)
        self.payload()

    # ---- TLS 1.2

    def serve12(self) -> None:
        self.modern = False
        hello = Hello(self.take(1))
        random = self.change.get("random", os.urandom(32))
        extended = 23 in hello.extensions and not self.change.get("no extended")
        extensions = extension(0xFF01, b"\0") + (extension(23, b"") if extended else b"")
        extensions = self.change.get("extensions of hello", lambda data: data)(extensions)
        self.hand(
            HELLO,
            struct.pack(">H", self.change.get("legacy", 0x0303)) + random
            + vector(self.change.get("session", b""), 1)
            + struct.pack(">HB", self.change.get("suite", 0xC02B), self.change.get("packed", 0))
            + vector(extensions),
        )  # fmt: skip
        entries = self.change.get("entries", lambda chain: chain)(self.chain)
        self.hand(CERTIFICATE, vector(b"".join(vector(one, 3) for one in entries), 3))
        own = ec.generate_private_key(ec.SECP256R1())
        point = own.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        named = struct.pack(">BH", self.change.get("curve type", 3), self.change.get("group", P256))
        exchange = named + vector(self.change.get("share", lambda data: data)(point), 1)
        order = self.change.get("order", lambda ours, theirs: theirs + ours)
        signed = self.signed(order(random, hello.random) + exchange)
        scheme = struct.pack(">H", self.change.get("scheme", 0x0403))
        self.hand(SKE, exchange + scheme + vector(signed))
        self.hand(DONE, b"")
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), self.take(CKE)[1:])
        shared = own.exchange(ec.ECDH(), theirs)
        if extended:
            master = prf(shared, b"extended master secret", self.digest(), 48)
        else:
            master = prf(shared, b"master secret", hello.random + random, 48)
        block = prf(master, b"key expansion", random + hello.random, 40)
        self.after_ccs = Keys(block[:16], block[32:36])
        self.take(FINISHED)
        for extra in self.change.get("before ccs", ()):
            extra(self)
        if not self.change.get("no ccs"):
            self.raw(self.record(CCS, self.change.get("ccs", b"\1")))
            self.out = Keys(block[16:32], block[36:40])
        self.hand(FINISHED, prf(master, b"server finished", self.digest(), 12))
        self.payload()

    def payload(self) -> None:
        for extra in self.change.get("before payload", ()):
            extra(self)
        self.send(DATA, PAYLOAD)
        with suppress(OSError):
            self.socket.recv(1 << 14)


@contextmanager
def serving(version: str, given: Credentials, change: Change) -> Iterator[int]:
    """Its port; it serves one client."""

    def serve(listening: socket.socket) -> None:
        with suppress(OSError, ValueError, AssertionError, InvalidTag):  # of a client that refuses
            client, _ = listening.accept()
            with client:
                client.settimeout(10)
                peer = Peer(client, given, change)
                try:
                    (peer.serve13 if version == "1.3" else peer.serve12)()
                finally:
                    with suppress(OSError):
                        client.shutdown(socket.SHUT_WR)
                        client.recv(1 << 14)

    with socket.create_server((HOST, 0)) as listening:
        listening.settimeout(20)
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        thread.join(20)


Extra = Callable[[Peer], None]


def plain(kind: int, data: bytes) -> Extra:
    """Sends a record of its own, in the clear."""
    return lambda peer: peer.raw(struct.pack(">BH", kind, 0x0303) + vector(data))


def also(kind: int, data: bytes) -> Extra:
    """Sends a record of its own, encrypted where the others are."""
    return lambda peer: peer.raw(peer.record(kind, data))
