"""What a connection is: version of TLS, keys and certificates, what the client can do.

A name stands for one of them (`tls1.3-ecdsa`); what a client's image holds follows from it,
so that flash and RAM are those of this connection and no other.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ecfit.choices.curves import CURVES, HYBRIDS, Curve
from ecfit.errors import UsageError, unknown_name

PAYLOAD_BYTES = 64
TCP, EDHOC = "tcp", "edhoc"
MBEDTLS, WOLFSSL, LAKERS = "mbedtls", "wolfssl", "lakers"
STACKS = {  # and who brings their elliptic curves; the second is GPL: only where it is asked for
    MBEDTLS: (MBEDTLS, "p256-m", "ecfit-tiny", "ecfit-balanced", "ecfit-fast"),
    WOLFSSL: (WOLFSSL, *(f"{WOLFSSL}-{one}" for one in ("asm", "asm-fast", "c", "c-fast"))),
}
BACKENDS = (*STACKS[MBEDTLS], *STACKS[WOLFSSL])
KEM = "+"  # then whose ML-KEM a hybrid group has, and settings: wolfssl+mlkem-native:KECCAK=serial
OWN_BACKEND = "ecfit-"  # then the name of a preset, and settings: ecfit-fast:COMB_BLOCKS=2

Key = Literal["rsa2048", "secp256r1", "secp384r1", "secp521r1", "brainpoolP256r1", "ed25519"]


# How a session is resumed: by a ticket; in TLS 1.3 by a ticket and without a new key exchange; in
# TLS 1.2 by its number, which the server remembers.
Resumption = Literal["", "ticket", "psk", "number"]


class Connection(msgspec.Struct, frozen=True):
    """A server's configuration, and the client's that fits. `version`: "tcp", "1.2", "1.3" or
    "edhoc";
    `key`: of the certificates; `group`: of the key exchange, which may be hybrid; `mutual`: the
    client has a certificate too; `chain`: an authority stands between the server and the one that
    is trusted; `resumes`: the client connects twice, and the second connection, which is measured,
    resumes the first; `web`: the client takes RSA, P-256 and P-384 in one chain, and longer
    records; `datagram`: DTLS over UDP, with a connection ID (RFC 9146); `psk`: a key that both
    sides share stands for certificates and key exchange.
    """

    name: str
    version: Literal["tcp", "1.2", "1.3", "edhoc"]
    key: Key = "rsa2048"
    group: str = "secp256r1"
    mutual: bool = False
    chain: bool = False
    resumes: Resumption = ""
    web: bool = False
    datagram: bool = False
    psk: bool = False
    help: str = ""

    @property
    def authenticated(self) -> str:
        """Who proves who he is: "both", "server", "nobody"; "shared" where a key is shared."""
        if self.psk or self.mutual:
            return "shared" if self.psk else "both"
        return "nobody" if self.version == TCP else "server"

    @property
    def rsa(self) -> bool:
        """Whether certificates may be RSA."""
        return self.web or self.key == "rsa2048"

    @property
    def ecdsa(self) -> bool:
        """Whether certificates may be of an elliptic curve."""
        return self.web or self.key != "rsa2048"

    @property
    def curves(self) -> tuple[Curve, ...]:
        """The elliptic curves that the client needs: none for TCP and where a key is shared."""
        if self.version == TCP or self.psk:
            return ()
        keys = ["secp256r1", "secp384r1"] if self.web else [self.key] if self.ecdsa else []
        group = HYBRIDS[self.group].curve.name if self.hybrid else self.group
        return tuple(CURVES[name] for name in dict.fromkeys([group, *keys]))

    @property
    def hybrid(self) -> bool:
        """Whether the key exchange has a KEM beside its curve."""
        return self.group in HYBRIDS


_EVERY = [
    Connection(TCP, "tcp", help="no TLS"),
    Connection("tls1.2-rsa", "1.2", help="TLS 1.2, ECDHE P-256, RSA-2048"),
    Connection("tls1.3-rsa", "1.3", help="TLS 1.3, ECDHE P-256, RSA-2048"),
    Connection("tls1.3-ecdsa", "1.3", "secp256r1", help="TLS 1.3, ECDHE P-256, ECDSA P-256"),
    Connection("tls1.2-ecdsa", "1.2", "secp256r1", help="TLS 1.2, ECDHE P-256, ECDSA P-256"),
    Connection(
        "tls1.3-ecdsa-x25519", "1.3", "secp256r1", "x25519", help="key exchange with X25519"
    ),
    Connection(
        "tls1.3-ecdsa-x25519mlkem768", "1.3", "secp256r1", "x25519mlkem768",
        help="key exchange with X25519 and ML-KEM-768",
    ),
    Connection(
        "tls1.3-ecdsa-p384", "1.3", "secp384r1", "secp384r1", help="P-384 for both, with SHA-384"
    ),
    Connection(
        "tls1.3-ecdsa-mutual", "1.3", "secp256r1", mutual=True, help="the client signs, too"
    ),
    Connection("tls1.3-ecdsa-chain", "1.3", "secp256r1", chain=True, help="two certificates"),
    Connection(
        "tls1.3-ecdsa-ticket", "1.3", "secp256r1", resumes="ticket", help="resumed by a ticket"
    ),
    Connection(
        "tls1.3-ecdsa-psk", "1.3", "secp256r1", resumes="psk", help="resumed, no key exchange"
    ),
    Connection(
        "tls1.2-ecdsa-ticket", "1.2", "secp256r1", resumes="ticket", help="resumed by a ticket"
    ),
    Connection(
        "tls1.2-ecdsa-number", "1.2", "secp256r1", resumes="number", help="resumed by its number"
    ),
    Connection("tls1.3-ed25519", "1.3", "ed25519", help="TLS 1.3, ECDHE P-256, Ed25519"),
    Connection(
        "dtls1.2-cid", "1.2", "secp256r1", datagram=True, help="DTLS 1.2, ECDHE P-256, ECDSA P-256"
    ),
    Connection(
        "dtls1.2-cid-mutual", "1.2", "secp256r1", mutual=True, datagram=True,
        help="the client signs, too",
    ),
    Connection(
        "dtls1.2-psk", "1.2", "secp256r1", datagram=True, psk=True,
        help="DTLS 1.2, a shared key, AES-128-CCM-8",
    ),
    Connection(
        EDHOC, "edhoc", "secp256r1", mutual=True, datagram=True,
        help="EDHOC, static Diffie-Hellman, and a reading sealed with OSCORE",
    ),
]  # fmt: skip
CONNECTIONS = {one.name: one for one in _EVERY}
_WEB = [
    Connection("tls1.3-web", "1.3", "secp256r1", web=True, help="any chain, TLS 1.3"),
    Connection("tls1.2-web", "1.2", "secp256r1", web=True, help="any chain, TLS 1.2"),
    Connection(
        "tls1.3-web-ticket", "1.3", "secp256r1", resumes="ticket", web=True, help=".. resumed"
    ),
    Connection(
        "tls1.2-web-ticket", "1.2", "secp256r1", resumes="ticket", web=True, help=".. resumed"
    ),
]
WEB = {one.name: one for one in _WEB}  # for servers that others run: `ecfit tls --connect`
WEB_ROOM = {"name": 128, "anchor": 3600, "certificate": 4, "key": 256}  # bytes: port.h
DEFAULT_WEB = "tls1.3-web"
# What is asked for, and no client here has: by a part of the name.
ABSENT = {
    "ed448": "Ed448 signatures",
    "raw": "raw public keys (RFC 7250)",
    "rpk": "raw public keys (RFC 7250)",
}
DOCUMENT = (TCP, "tls1.2-rsa", "tls1.3-rsa", "tls1.3-ecdsa")  # the four of the document


def find_connection(name: str) -> Connection:
    """The connection of that name. Errors: UsageError."""
    for part, what in ABSENT.items():
        if part in name.lower():
            raise UsageError(
                f"{name}: the clients have no {what}; 'ecfit tls --help' says what they can do"
            )
    every = CONNECTIONS | WEB
    if name.lower() not in every:
        raise unknown_name("server configuration", name, every)
    return every[name.lower()]


def find_backend(name: str) -> str:
    """The canonical name of a back end of elliptic curves, with the settings of ours, or with
    whose ML-KEM it has. Errors: UsageError.
    """
    curves, kem, library = name.partition(KEM)
    known, *settings = curves.split(":")
    if known.lower() not in BACKENDS:
        raise unknown_name("back end", known, BACKENDS)
    if settings and not known.lower().startswith(OWN_BACKEND):
        raise UsageError(f"'{name}': settings are of this library: ecfit-fast:COMB_BLOCKS=2")
    if kem and known.lower() not in STACKS[WOLFSSL]:
        raise UsageError(f"'{name}': a library of ML-KEM is named after a back end of {WOLFSSL}")
    if wrong := [one for one in settings if "=" not in one]:
        raise UsageError(f"'{name}': a setting is KNOB=VALUE, not '{wrong[0]}'")
    library, *options = library.split(":")
    return ":".join([known.lower(), *settings]) + kem + ":".join([library.lower(), *options])


def find_stack(name: str) -> str:
    """The canonical name of a stack. Errors: UsageError."""
    if name.lower() not in STACKS:
        raise unknown_name("stack", name, STACKS)
    return name.lower()


def stack_of(backend: str) -> str:
    """The stack that a back end belongs to."""
    return WOLFSSL if backend.partition(KEM)[0] in STACKS[WOLFSSL] else MBEDTLS


def lack(stack: str, connection: Connection, backend: str = "") -> str:
    """What the client on a stack lacks for a connection, with a back end if it is given; "" where
    it can do it.
    """
    if stack == MBEDTLS and connection.key == "ed25519":
        return "Mbed TLS 3.6 has no Ed25519 signatures, --stack wolfssl has"
    if stack == MBEDTLS and connection.hybrid:
        return "Mbed TLS 3.6 has no ML-KEM, --stack wolfssl has"
    if stack == WOLFSSL and connection.web:
        return "the client on wolfSSL takes one kind of certificate: leave --stack out"
    if connection.version == EDHOC and backend and not backend.startswith(OWN_BACKEND):
        return f"its curves are those of this library, not of {backend}"
    if stack == WOLFSSL and connection.datagram:
        return "the client on wolfSSL has TCP alone: leave --stack out"
    if stack == WOLFSSL and connection.resumes:
        return "the client on wolfSSL resumes no sessions: leave --stack out"
    return ""


def kem_of(backend: str) -> tuple[str, dict[str, str]]:
    """The library of ML-KEM in the name of a back end, "" where none is, and its settings.
    Errors: UsageError.
    """
    name, *settings = backend.partition(KEM)[2].split(":")
    if wrong := [one for one in settings if "=" not in one]:
        raise UsageError(f"'{backend}': a setting is OPTION=VALUE, not '{wrong[0]}'")
    return name, dict(one.split("=", 1) for one in settings)


def preset_of(backend: str) -> tuple[str, dict[str, str]]:
    """The preset of a back end of ours, and the settings on top."""
    preset, *settings = backend.removeprefix(OWN_BACKEND).split(":")
    return preset, dict(one.split("=", 1) for one in settings)
