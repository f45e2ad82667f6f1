"""Certificates, made when they are needed: of an authority, a server, and a client."""

from __future__ import annotations

import datetime
import secrets
import warnings
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

from ecfit.errors import UsageError
from ecfit.paths import read_input
from ecfit_lab.tls.configs import WEB_ROOM, Connection, Key

NAME = "server.test"
PSK_IDENTITY, PSK_BYTES = "sensor", 16
_MOST_CA = 1 << 20  # bytes of a file
_CURVES: dict[str, ec.EllipticCurve] = {
    "secp256r1": ec.SECP256R1(),
    "secp384r1": ec.SECP384R1(),
    "secp521r1": ec.SECP521R1(),
    "brainpoolP256r1": ec.BrainpoolP256R1(),
}
_HASHES: dict[str, hashes.SHA384 | hashes.SHA512 | None] = {
    "ed25519": None,  # it brings its own
    "secp384r1": hashes.SHA384(),
    "secp521r1": hashes.SHA512(),
}
_DAY = datetime.timedelta(days=1)
# Chains of the web, by name: the kinds of their keys, from the root to the server.
CHAINS: dict[str, tuple[Key, ...]] = {
    "rsa": ("rsa2048", "rsa2048", "rsa2048"),
    "mixed": ("rsa2048", "secp384r1", "secp256r1"),
    "six": ("secp384r1", *("rsa2048",) * 4, "secp384r1", "secp256r1"),  # the server sends six
}
Private = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


class Credentials(msgspec.Struct, frozen=True):
    """Who trusts whom: for the server PEM (its certificate first, then what stands between),
    for the client DER. `name`: whom the client expects. A shared key is both `key` and
    `server_key`, and `name` its identity.
    """

    anchor: bytes
    server_chain: bytes
    server_key: bytes
    name: str = NAME
    certificate: bytes = b""
    key: bytes = b""

    @property
    def anchor_pem(self) -> bytes:
        """The authority, for servers that ask for certificates."""
        return x509.load_der_x509_certificate(self.anchor).public_bytes(serialization.Encoding.PEM)


def private_key(key: Key) -> Private:
    """A new key."""
    if key == "rsa2048":
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    if key == "ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    return ec.generate_private_key(_CURVES[key])


class Issuer:
    """An authority and its key."""

    def __init__(self, key: Key, name: str, parent: Issuer | None = None) -> None:
        self.kind, self.key, self.name = key, private_key(key), _name(name)
        signer = parent or self
        self.certificate = signer.issue(self.name, self.key, authority=True)

    def issue(
        self,
        subject: x509.Name,
        key: Private,
        *,
        host: str = "",
        authority: bool = False,
        age: datetime.timedelta = datetime.timedelta(0),
    ) -> x509.Certificate:
        """A certificate of a day's validity from `age` ago; authorities live for ten years."""
        begin = datetime.datetime.now(datetime.UTC).replace(microsecond=0) - _DAY / 2 - age
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(begin + (3650 * _DAY if authority else _DAY))
            .add_extension(x509.BasicConstraints(authority, None), critical=True)
        )
        if host:
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(self.key, _HASHES.get(self.kind, hashes.SHA256()))


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_bytes(key: Private, encoding: serialization.Encoding) -> bytes:
    return key.private_bytes(
        encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def private_part(key: bytes) -> tuple[int, int]:
    """Where in a DER key of an elliptic curve the private number stands: begin and bytes; (0, 0)
    where there is no key.
    """
    if not key:
        return 0, 0
    loaded = serialization.load_der_private_key(key, None)
    assert isinstance(loaded, ec.EllipticCurvePrivateKey)
    size = (loaded.curve.key_size + 7) // 8
    number = loaded.private_numbers().private_value.to_bytes(size, "big")
    return key.index(number), size


def make(
    connection: Connection,
    *,
    host: str = NAME,
    age_days: int = 0,
    stranger: bool = False,
    chain: str = "mixed",
) -> Credentials:
    """Credentials for a connection. What can be wrong with them: `host`, another name; `age_days`,
    a server's certificate that began so long ago; `stranger`, an authority that is not trusted.
    `chain`: of CHAINS, for connections of the web.
    """
    if connection.psk:
        shared = secrets.token_bytes(PSK_BYTES)
        return Credentials(b"", b"", shared, name=PSK_IDENTITY, key=shared)
    one: tuple[Key, ...] = (connection.key,)
    kinds = CHAINS[chain] if connection.web else (3 if connection.chain else 2) * one
    root = Issuer(kinds[0], "Test root")
    issuer, between = root, list[x509.Certificate]()
    for index, kind in enumerate(kinds[1:-1]):
        issuer = Issuer(kind, f"Test authority{f' {index}' if index else ''}", issuer)
        between.insert(0, issuer.certificate)
    key = private_key(kinds[-1])
    server = issuer.issue(_name(host), key, host=host, age=age_days * _DAY)
    trusted = Issuer(kinds[0], "Test root") if stranger else root
    certificate_der, own_der = b"", b""
    if connection.mutual:
        own = private_key(connection.key)
        certificate = root.issue(_name("client.test"), own)
        certificate_der = certificate.public_bytes(serialization.Encoding.DER)
        own_der = _key_bytes(own, serialization.Encoding.DER)
    return Credentials(
        anchor=trusted.certificate.public_bytes(serialization.Encoding.DER),
        server_chain=b"".join(map(_pem, [server, *between])),
        server_key=_key_bytes(key, serialization.Encoding.PEM),
        certificate=certificate_der,
        key=own_der,
    )


def anchors_of(name: str) -> bytes:
    """The certificates of a file, DER, one behind the other. Errors: UsageError."""
    try:
        data = read_input(Path(name), _MOST_CA)
        with warnings.catch_warnings():  # of certificates that are old and odd
            warnings.simplefilter("ignore")
            if b"-----BEGIN" in data:
                found = x509.load_pem_x509_certificates(data)
            else:
                found = [x509.load_der_x509_certificate(data)]
        ders = [one.public_bytes(serialization.Encoding.DER) for one in found]
    except OSError as error:
        raise UsageError(f"--ca {name}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"--ca {name}: no certificate in PEM or DER") from None
    anchors, room = b"".join(ders), WEB_ROOM["anchor"]
    if len(anchors) > room:
        raise UsageError(
            f"--ca {name}: {len(ders)} certificates of {len(anchors)} bytes; the client has room "
            f"for {room}: name a file with the server's own authority alone"
        )
    return anchors
