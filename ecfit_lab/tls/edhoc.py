"""The other side of EDHOC (RFC 9528, method 3, cipher suite 2): independent of the client's code,
on `cryptography`. Names are those of the RFC.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import threading
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from ecfit.errors import EcfitError
from ecfit_lab.message.cbor import read, write
from ecfit_lab.message.refusal import MessageRefusedError
from ecfit_lab.tls.certs import Credentials

KID_I, KID_R = b"\x2b", b"\x32"  # the integers -12 and -19: they travel as one byte
C_R = b"\x27"
P256 = ec.SECP256R1()


class RefusedError(EcfitError):
    """A message that the responder does not take."""


def public(key: bytes) -> tuple[bytes, bytes]:
    """The coordinates of a private key's point."""
    numbers = ec.derive_private_key(int.from_bytes(key, "big"), P256).public_key().public_numbers()
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


def claims(name: str, kid: bytes, key: bytes) -> bytes:
    """A CWT claims set with a COSE key (RFC 8392, RFC 8747), as RFC 9529 has them."""
    x, y = public(key)
    return write({2: name, 8: {1: {1: 2, 2: kid, -1: 1, -2: x, -3: y}}})


def make() -> Credentials:
    """Two key pairs, whose public keys the other side knows."""
    own, server = (secrets.randbelow(2**255).to_bytes(32, "big") for _ in range(2))
    cred_r = claims("server.test", KID_R, server)
    return Credentials(cred_r, cred_r, server, "", claims("client.test", KID_I, own), own)


def _kdf(prk: bytes, label: int, context: bytes, length: int) -> bytes:
    info = write(label) + write(context) + write(length)
    return HKDFExpand(hashes.SHA256(), length, info).derive(prk)


def _ecdh(key: bytes, x: bytes) -> bytes:
    try:
        point = ec.EllipticCurvePublicKey.from_encoded_point(P256, b"\x02" + x)
    except ValueError:
        raise RefusedError("a point that is not on the curve") from None
    own = ec.derive_private_key(int.from_bytes(key, "big"), P256)
    return own.exchange(ec.ECDH(), point)


def _sequence(data: bytes) -> list[Any]:
    """The items of a CBOR sequence."""
    items, at = [], 0
    while at < len(data):
        end = next((e for e in range(at + 1, len(data) + 1) if _whole(data[at:e])), 0)
        if not end:
            raise RefusedError("no CBOR")
        items.append(read(data[at:end]))
        at = end
    return items


def _whole(data: bytes) -> bool:
    try:
        read(data)
    except MessageRefusedError:
        return False
    return True


class Responder:
    """One exchange. `y`: its ephemeral private key, new if not given."""

    def __init__(self, given: Credentials, y: bytes | None = None, c_r: bytes = C_R) -> None:
        self._given, self._c_r = given, c_r
        self._y = y or (1 + secrets.randbelow(2**255)).to_bytes(32, "big")
        self._prk = self._th = b""
        self.c_i: Any = None

    def message_2(self, message_1: bytes) -> bytes:
        """The answer to a message_1 (5.2, 5.3). Errors: RefusedError."""
        method, suites, g_x, self.c_i, *_ = [*_sequence(message_1), None, None, None, None]
        chosen = suites[-1] if isinstance(suites, list) and suites else suites
        if method != 3 or chosen != 2 or not isinstance(g_x, bytes) or len(g_x) != 32:
            raise RefusedError("message_1 is not of method 3 and suite 2")
        g_y = public(self._y)[0]
        th_2 = sha256(write(g_y) + write(sha256(message_1).digest())).digest()
        prk_2e = hmac.digest(th_2, _ecdh(self._y, g_x), "sha256")
        salt = _kdf(prk_2e, 1, th_2, 32)
        self._prk = hmac.digest(salt, _ecdh(self._given.server_key, g_x), "sha256")
        cred_r = self._given.server_chain
        context = self._c_r + write({4: KID_R}) + write(th_2) + cred_r
        plain = self._c_r + KID_R + write(_kdf(self._prk, 2, context, 8))
        self._th = sha256(write(th_2) + plain + cred_r).digest()
        stream = _kdf(prk_2e, 0, th_2, len(plain))
        return write(g_y + bytes(a ^ b for a, b in zip(plain, stream, strict=True)))

    def message_4(self, message_3: bytes) -> bytes:
        """The answer to a message_3 (5.4, 5.5). Errors: RefusedError."""
        th_3, cred_i = self._th, self._given.certificate
        key, iv = _kdf(self._prk, 3, th_3, 16), _kdf(self._prk, 4, th_3, 13)
        try:
            sealed, *rest = _sequence(message_3) or [b""]
            plain = AESCCM(key, 8).decrypt(iv, sealed, write(["Encrypt0", b"", th_3]))
            known, mac_3 = plain[:1] == KID_I and not rest, read(plain[1:])
        except (InvalidTag, TypeError, ValueError, MessageRefusedError):
            raise RefusedError("message_3 is not authentic") from None
        salt, g_i = _kdf(self._prk, 5, th_3, 32), read(cred_i)[8][1][-2]
        prk = hmac.digest(salt, _ecdh(self._y, g_i), "sha256")
        expected = _kdf(prk, 6, write({4: KID_I}) + write(th_3) + cred_i, 8)
        if not known or not hmac.compare_digest(expected, mac_3):
            raise RefusedError("message_3 is of another client")
        th_4 = sha256(write(th_3) + plain + cred_i).digest()
        self._exporter = _kdf(_kdf(prk, 7, th_4, 32), 10, b"", 32)
        key, iv = _kdf(prk, 8, th_4, 16), _kdf(prk, 9, th_4, 13)
        return write(AESCCM(key, 8).encrypt(iv, b"", write(["Encrypt0", b"", th_4])))

    def exported(self) -> tuple[bytes, bytes]:
        """Master secret and master salt of OSCORE (A.1)."""
        return _kdf(self._exporter, 0, b"", 16), _kdf(self._exporter, 1, b"", 8)


class EdhocServer:
    """A context manager: responders on `port` of loopback, one for each exchange. `last`: the one
    that ended last, and the datagram that came after it.
    """

    def __init__(self, given: Credentials) -> None:
        self.failures: list[str] = []
        self.last: tuple[Responder, bytes] | None = None
        self._given, self._leaving = given, threading.Event()

    def __enter__(self) -> EdhocServer:
        self._door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._door.bind(("127.0.0.1", 0))
        self._door.settimeout(0.1)
        self.port = int(self._door.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving.set()
        self._thread.join(5)
        self._door.close()

    def _serve(self) -> None:
        """Until nothing waits at the door: the last datagram has no answer, so a client may be done
        before it is read.
        """
        exchanges: dict[object, list[Responder]] = {}
        while True:
            try:
                data, where = self._door.recvfrom(2048)
            except TimeoutError:
                if self._leaving.is_set():
                    return
                continue
            try:
                self._answer(data, where, exchanges.setdefault(where, []))
            except EcfitError as error:
                self.failures.append(str(error))

    def _answer(self, data: bytes, where: Any, met: list[Responder]) -> None:
        """`met` has the responder once for each message that it took."""
        responder = met[0] if met else Responder(self._given)
        if len(met) > 1:
            self.last = responder, data
            return
        answer = responder.message_4(data) if met else responder.message_2(data)
        self._door.sendto(answer, where)
        met.append(responder)
