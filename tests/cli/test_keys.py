"""Key pairs: other programs read them, the two halves belong together,
and nothing is overwritten unasked.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, x448, x25519
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from ecfit.choices.curves import CURVES, Curve, find_curve
from ecfit.oracle.der import object_identifier, tagged
from ecfit.oracle.keyformats import KeyPair, text
from ecfit.oracle.keygen import generate
from ecfit.paths import ROOT
from workshop.cli.run import Ecfit

WEIERSTRASS = [name for name, curve in CURVES.items() if curve.form == "weierstrass"]
WRITTEN = ("secp128r1", "secp160r1")  # not known to `cryptography`
RAW: dict[str, Any] = {
    "x25519": x25519.X25519PrivateKey,
    "ed25519": ed25519.Ed25519PrivateKey,
    "x448": x448.X448PrivateKey,
    "ed448": ed448.Ed448PrivateKey,
}
NAMES: dict[str, Any] = {
    "P-256": ec.SECP256R1,
    "P-384": ec.SECP384R1,
    "P-521": ec.SECP521R1,
    "secp256k1": ec.SECP256K1,
}


def openssl(pem: str, *arguments: str) -> str:
    """What OpenSSL makes of a PEM text. The test fails when it refuses it."""
    return subprocess.run(
        ["openssl", *arguments], input=pem, capture_output=True, text=True, check=True, timeout=30
    ).stdout


def digits(listing: str, title: str) -> bytes:
    """The hexadecimal block under a title of `openssl pkey -text`."""
    found = re.search(rf"{title}:\s+((?:[0-9a-f]{{2}}[:\s]*)+)", listing)
    assert found, listing
    return bytes.fromhex(re.sub(r"[:\s]", "", found[1]))


@pytest.mark.parametrize("form", ["pem", "sec1"])
@pytest.mark.parametrize("name", [n for n in WEIERSTRASS if n not in WRITTEN])
def test_cryptography_reads_pem(name: str, form: str) -> None:
    pair = generate(find_curve(name))
    private, public = re.findall(
        r"-----BEGIN [^-]+-----.*?-----END [^-]+-----\n", text([pair], form), re.S
    )
    assert ("BEGIN EC PRIVATE KEY" in private) == (form == "sec1")
    key: Any = load_pem_private_key(private.encode(), None)
    assert key.curve.name.lower() == name.lower()
    assert key.private_numbers().private_value == int.from_bytes(pair.private, "big")
    other = load_pem_public_key(public.encode())
    assert other.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint) == pair.public


@pytest.mark.parametrize("form", ["pem", "sec1"])
@pytest.mark.parametrize("name", WRITTEN)
def test_openssl_reads_the_keys_written_here(name: str, form: str) -> None:
    """OpenSSL derives the public key again and checks it against the one in the file."""
    curve = find_curve(name)
    pair = generate(curve)
    both = text([pair], form)
    listing = openssl(both, "pkey", "-text", "-noout", "-check")
    assert "Key is valid" in listing
    assert (
        digits(listing, "priv").rjust(curve.scalar_bytes, b"\0")[-curve.scalar_bytes :]
        == pair.private
    )
    assert digits(listing, "pub") == pair.public
    public = both[both.index("-----BEGIN PUBLIC") :]
    assert digits(openssl(public, "pkey", "-pubin", "-text", "-noout"), "pub") == pair.public


@pytest.mark.parametrize("name", RAW)
def test_keys_of_the_rfc_curves(name: str) -> None:
    pair = generate(find_curve(name))
    key: Any = load_pem_private_key(text([pair], "pem").encode(), None)
    assert key.private_bytes_raw() == pair.private
    assert key.public_key().public_bytes_raw() == pair.public


@pytest.mark.parametrize("name", ["secp256r1", "secp384r1", "secp521r1", "secp256k1", *RAW])
def test_jwk(name: str) -> None:
    def number(key: str) -> bytes:
        return base64.urlsafe_b64decode(jwk[key] + "=" * (-len(jwk[key]) % 4))

    pair = generate(find_curve(name))
    jwk = json.loads(text([pair], "jwk"))
    if jwk["kty"] == "OKP":
        assert RAW[jwk["crv"].lower()].from_private_bytes(
            number("d")
        ).public_key().public_bytes_raw() == number("x")
        return
    numbers = ec.EllipticCurvePublicNumbers(
        int.from_bytes(number("x"), "big"), int.from_bytes(number("y"), "big"), NAMES[jwk["crv"]]()
    )
    ec.EllipticCurvePrivateNumbers(
        int.from_bytes(number("d"), "big"), numbers
    ).private_key()  # raises on a mismatch
    assert len(number("d")) == pair.curve.scalar_bytes
    assert "keys" in json.loads(text([pair, pair], "jwk"))


@pytest.mark.parametrize("name", CURVES)
def test_every_curve_has_keys_in_c_and_json(name: str) -> None:
    curve: Curve = find_curve(name)
    pair = generate(curve)
    (plain,) = json.loads(text([pair], "json"))
    assert bytes.fromhex(plain["private_key"]) == pair.private
    source = text([pair], "c")
    arrays = re.findall(r"_key\[(\d+)\] = \{(.*?)\};", source, re.S)
    assert [int(size) for size, _ in arrays] == [len(pair.private), len(pair.public)]
    assert [bytes(int(b, 16) for b in re.findall(r"0x\w+", body)) for _, body in arrays] == [
        pair.private,
        pair.public,
    ]


@pytest.mark.parametrize("name", ["secp128r1", "secp192r1", "secp256r1", "secp384r1"])
def test_words_are_what_the_interface_of_2013_takes(name: str, tmp_path: Path) -> None:
    """A C program with ecc.h prints the keys again, the most significant byte first."""
    curve = find_curve(name)
    pairs = [generate(curve) for _ in range(2)]
    body = "".join(
        f"ecc_native2bytes(b, {name}_private_key_{i}); out(b); "
        f"ecc_native2bytes(b, {name}_public_key_{i}.x); out(b); "
        f"ecc_native2bytes(b, {name}_public_key_{i}.y); out(b);"
        for i in range(2)
    )
    program = (
        "#include <stdio.h>\nstatic void out(const unsigned char *b) { for (int i = 0; i < "
        'ECC_CURVE; i++) printf("%02x", b[i]); }\n'
        f"int main(void) {{ unsigned char b[ECC_CURVE]; {body} return 0; }}"
    )
    (tmp_path / "p.c").write_text(text(pairs, "words") + program)
    include = [f"-I{ROOT / path}" for path in ("compat/uecc", "packages/include", "lib/include")]
    enabled = f"-DCONFIG_ECFIT_{name.upper()}"
    command = ["cc", *include, f"-I{ROOT / 'lib/src'}", enabled, f"-DECC_CURVE={name}", "p.c"]
    subprocess.run([*command, "-O1", "-o", "p"], cwd=tmp_path, check=True, timeout=60)
    printed = subprocess.run([tmp_path / "p"], capture_output=True, text=True, check=True).stdout
    assert printed == "".join(pair.private.hex() + pair.public.hex()[2:] for pair in pairs)


def test_keys_differ_and_are_in_range() -> None:
    curve = find_curve("secp128r1")
    keys = {generate(curve).private for _ in range(20)}
    assert len(keys) == 20
    assert all(0 < int.from_bytes(key, "big") < curve.n for key in keys)


def test_the_mismatch_that_openssl_would_see(tmp_path: Path) -> None:
    """The check above can fail: a public key of another private key is refused."""
    curve = find_curve("secp160r1")
    one, other = generate(curve), generate(curve)
    with pytest.raises(subprocess.CalledProcessError):
        openssl(
            text([KeyPair(curve, one.private, other.public)], "pem"), "pkey", "-check", "-noout"
        )


def test_der_lengths_and_identifiers() -> None:
    assert tagged(4, b"x" * 127)[:2] == b"\x04\x7f"
    assert tagged(4, b"x" * 128)[:3] == b"\x04\x81\x80"
    assert tagged(4, b"x" * 300)[:4] == b"\x04\x82\x01\x2c"
    assert object_identifier("1.2.840.10045.2.1").hex() == "06072a8648ce3d0201"  # RFC 5480


def test_file_is_private_and_not_overwritten(ecfit: Ecfit, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    assert ecfit("keys", "--curve", "P-256", "--format", "pem", "-o", str(path)).code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    first = path.read_text()
    done = ecfit("keys", "--format", "pem", "-o", str(path))
    assert (done.code, path.read_text()) == (2, first)
    assert "exists" in done.error
    assert ecfit("keys", "--format", "pem", "-o", str(path), "--force").code == 0
    assert path.read_text() != first
    assert [p.name for p in tmp_path.iterdir()] == ["key.pem"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--curve", "secp256r2"), "did you mean secp256r1?"),
        (("--curve", "brainpoolP256r1", "--format", "jwk"), "JWK has no name for brainpoolP256r1"),
        (("--curve", "x25519", "--format", "sec1"), "SEC 1 has no form"),
        (("--curve", "secp521r1", "--format", "words"), "secp384r1, not for secp521r1: use c"),
        (("--count", "0"), "--count"),
        (("-o", "/nonexistent/key"), "there is no folder"),
    ],
)
def test_what_cannot_be_had(ecfit: Ecfit, arguments: tuple[str, ...], word: str) -> None:
    done = ecfit("keys", *arguments)
    assert (done.code, done.out) == (2, "")
    assert word in done.error
