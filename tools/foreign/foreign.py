#!/usr/bin/env python3
"""Every edge against somebody else's program: this library's keys, signatures, shared secrets, JWK
and COSE messages given to implementations of others, and theirs to it; their vectors (vectors.py);
CoAP (coap.py); TLS (tls.py); objects of current compilers (images.py). Packages come from their
registries, in the versions below; nothing of this project helps them.

tools/foreign/foreign.py [NAME ..]   prints the table, or the part of these programs and of
                                     `images`, `tls`, `vectors`; exit code 1 if a cell failed
        --peer-dir NAME=CHECKOUT,..  what is in no registry: google/boringssl, C2SP/CCTV as `cctv`,
                                     RIOT-OS/RIOT

A cell differs by a rule where a standard lets both sides be as they are (table.py).
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ecfit import cli
from ecfit.choices.curves import CURVES
from ecfit.oracle import keyformats
from ecfit.oracle.keyformats import KeyPair
from ecfit.oracle.keyreader import public_key
from ecfit.paths import cache_dir
from ecfit_lab.message import cose, jss
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.refusal import MessageRefusedError
from tools.foreign import coap, images, table, tls, vectors
from tools.foreign.table import Row
from workshop.library.messages import Messages
from workshop.paths import INCLUDE, SRC

HERE = Path(__file__).resolve().parent
PYTHON = ["cryptography==50.0.2", "coincurve==21.0.0", "PyNaCl==1.6.2", "pycose==1.1.0"]
PYTHON += ["cwt==3.3.0", "aiocoap==0.4.17", "jwcrypto==1.6.1"]
NPM = ["@noble/curves@2.4.0", "coap@1.5.0", "jose@6.2.18"]
GO_COSE = "github.com/veraison/go-cose@v1.3.0"
GO_COAP = "github.com/plgd-dev/go-coap/v3@v3.8.1"
SIZES = {"secp256r1": 32, "secp384r1": 48, "secp521r1": 66, "secp256k1": 32}
SIGNERS = {"secp256r1": "es256", "secp384r1": "es384", "secp521r1": "es512"}
SIGNERS |= {"secp256k1": "es256k", "ed25519": "eddsa"}
JOSE = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512", "secp256k1": "ES256K"}
JOSE |= {"ed25519": "EdDSA"}
TRIED = (*SIZES, "ed25519", "x25519")
CASES = 40  # of each curve
# By implementation, curve and edge, the rule by which it differs. noble-curves wants low s on the
# curves of NIST too, unless it is told otherwise; then all hold.
RULES = {
    ("noble", curve, f"ours, {form}, key {key}"): "FIPS 186-5, 6.4.2"
    for curve in SIZES
    for form in ("DER", "raw")
    for key in ("public", "compressed")
    if curve != "secp256k1"
}
CALIFORNIUM, BOUNCYCASTLE = "3.14.0", "1.87"
COAP = {"aiocoap", "libcoap", "go-coap", "node-coap", "californium"}
PARTS = {"images", "tls", "vectors"}  # what NAME may be beside programs
OUTSIDE = {"boringssl", "cctv", "riot"}  # what --peer-dir names
DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>"
JARS = (
    ("org.eclipse.californium", "californium-core", CALIFORNIUM),
    ("org.bouncycastle", "bcprov-jdk18on", BOUNCYCASTLE),
)
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>peer</groupId>
<artifactId>peer</artifactId><version>0</version><dependencies>
"""
POM += "\n".join(DEPENDENCY.format(*jar) + "</dependency>" for jar in JARS)
POM += "</dependencies></project>\n"
CARGO = """
[package]
name = "peer"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "peer"
path = "peer.rs"

[dependencies]
k256 = "=0.14.0"
p256 = "=0.14.0"
p384 = "=0.14.0"
hex = "=0.4.3"
serde_json = "=1.0.145"

[workspace]
"""
Case = dict[str, str]


class Library:
    """The functions of ecfit.h in a shared object, as a C program calls them."""

    def __init__(self, folder: Path) -> None:
        curves = ",".join((*SIZES, "ed25519", "x25519"))
        sets = ",".join(f"{curve}.DER=strict,{curve}.COMPRESS=sec1" for curve in SIZES)
        words = ["--target", "host", "--curve", curves, "--preset", "balanced", "--set", sets]
        if cli.run(["config", *words, "-o", str(folder)]) != 0:
            sys.exit("no configuration")
        include = [f"-I{path}" for path in (folder, INCLUDE, SRC)]
        command = ["cc", "-O2", "-shared", "-fPIC", *include, str(SRC / "ecfit.c")]
        subprocess.run([*command, "-o", str(folder / "ecfit.so")], check=True)
        self.dll = ctypes.CDLL(str(folder / "ecfit.so"))
        self.messages = Messages()

    def out(self, name: str, size: int, *arguments: Any) -> bytes:
        """What a function writes first. Errors: AssertionError when it refuses."""
        room = ctypes.create_string_buffer(size)
        status = getattr(self.dll, f"ecfit_{name}")(room, *arguments)
        assert status == 0, f"{name}: {status}"
        return room.raw

    def case(self, curve: str, rng: random.Random) -> Case:
        """A key, a message and what this library makes of them."""
        size = SIZES.get(curve, 32)
        private = rng.randbytes(size) if size != 66 else b"\0" + rng.randbytes(65)
        message = rng.randbytes(rng.randrange(1, 200))
        one = {"curve": curve, "private": private.hex(), "message": message.hex()}
        if curve == "x25519":
            peer = self.out("x25519_public_key", 32, rng.randbytes(32))
            shared = self.out("x25519", 32, private, peer)
            public = self.out("x25519_public_key", 32, private)
            return one | {"public": public.hex(), "peer": peer.hex(), "shared": shared.hex()}
        length = ctypes.c_size_t(len(message))
        _, sign1 = self.messages.sign("cose_sign1", SIGNERS[curve], private, [("t", 1)])
        one["sign1"] = sign1.hex()
        head = json.dumps({"alg": JOSE[curve]}).encode()
        to_sign = f"{jss.base64url(head)}.{jss.base64url(message)}"
        if curve == "ed25519":
            public = self.out("ed25519_public_key", 32, private)
            raw = self.out("ed25519_sign", 64, private, message, length)
            own = self.out("ed25519_sign", 64, private, to_sign.encode(), len(to_sign))
            one |= jwk_and_jws(KeyPair(CURVES[curve], private, public), to_sign, own)
            return one | {"public": public.hex(), "raw": raw.hex()}
        name = f"{curve}_"
        public = self.out(name + "public_key", 2 * size + 1, private, None)
        small = self.out(name + "compress", size + 1, public)
        raw = self.out(name + "ecdsa_sign_message", 2 * size, private, message, length, None)
        text = to_sign.encode()
        own = self.out(name + "ecdsa_sign_message", 2 * size, private, text, len(text), None)
        one |= jwk_and_jws(KeyPair(CURVES[curve], private, public), to_sign, own)
        taken = ctypes.c_size_t()
        der = self.out(name + "signature_to_der", 2 * size + 9, ctypes.byref(taken), raw)
        secret = b"\0" * (size - 16) + rng.randbytes(16)
        peer = self.out(name + "public_key", 2 * size + 1, secret, None)
        shared = self.out(name + "ecdh", size, private, peer, None)
        made = {"public": public, "compressed": small, "raw": raw, "der": der[: taken.value]}
        made |= {"peer": peer, "shared": shared}
        return one | {key: value.hex() for key, value in made.items()}

    def takes(self, one: Case) -> bool:
        """Whether a signature of others verifies here."""
        if one.get("jws"):
            curve, key = public_key(one["jwk"].encode())
            signed, _, signature = one["jws"].rpartition(".")
            text = jss.from_base64url(signature).hex()
            one = {"curve": curve, "public": key.hex(), "message": signed.encode().hex()}
            one |= {"raw": text, "der": ""}
        curve, public = one["curve"], bytes.fromhex(one["public"])
        if one.get("cose"):
            try:
                cose.check(bytes.fromhex(one["cose"]), Key(curve, public))
            except MessageRefusedError:
                return False
            return True
        message = bytes.fromhex(one["message"])
        given = public, message, ctypes.c_size_t(len(message))
        if curve == "ed25519":
            return bool(self.dll.ecfit_ed25519_verify(bytes.fromhex(one["raw"]), *given) == 0)
        raw, der = bytes.fromhex(one["raw"]), bytes.fromhex(one["der"])
        if der:
            room = ctypes.create_string_buffer(2 * SIZES[curve])
            read = getattr(self.dll, f"ecfit_{curve}_signature_from_der")
            if read(room, der, ctypes.c_size_t(len(der))) != 0:
                return False
            raw = room.raw
        return bool(getattr(self.dll, f"ecfit_{curve}_ecdsa_verify_message")(raw, *given) == 0)


def jwk_and_jws(pair: KeyPair, to_sign: str, signature: bytes) -> Case:
    """A public key as this product writes it, and a message signed as RFC 7515 has it."""
    jwk = json.loads(keyformats.text([pair], "jwk"))
    del jwk["d"]
    return {"our_jwk": json.dumps(jwk), "our_jws": f"{to_sign}.{jss.base64url(signature)}"}


def commands(folder: Path) -> dict[str, tuple[str, list[str]]]:
    """The programs of others, their packages fetched: name of the library, command."""
    python = folder / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python)], check=True)
    pip = [str(python / "bin" / "python"), "-m", "pip", "install", "--quiet", *PYTHON]
    subprocess.run(pip, check=True)
    peer = [str(python / "bin" / "python"), str(HERE / "peer.py")]
    coap_peer = [str(python / "bin" / "python"), str(HERE / "coap_peer.py")]
    found = {
        "openssl": ("OpenSSL", [*peer, "openssl"]),
        "libsecp256k1": ("libsecp256k1", [*peer, "libsecp256k1"]),
        "libsodium": ("libsodium", [*peer, "libsodium"]),
        "pycose": ("", [*peer, "pycose"]),
        "python-cwt": ("", [*peer, "python-cwt"]),
        "jwcrypto": ("", [*peer, "jwcrypto"]),
        "aiocoap": ("aiocoap", [*coap_peer, "aiocoap"]),
    }
    if here("coap-client-notls") or here("coap-client"):
        found["libcoap"] = ("libcoap", [*coap_peer, "libcoap"])
    if here("go"):
        found["go"] = ("Go crypto", ["go", "run", str(HERE / "peer.go")])
        found["go-cose"] = ("go-cose", [str(built_go(folder / "cose", "cose_peer.go", GO_COSE))])
        found["go-coap"] = ("go-coap", [str(built_go(folder / "go", "coap_peer.go", GO_COAP))])
    if here("cargo"):
        (folder / "rust").mkdir(exist_ok=True)
        (folder / "rust" / "Cargo.toml").write_text(CARGO)
        shutil.copy(HERE / "peer.rs", folder / "rust")
        cargo = ["cargo", "run", "--quiet", "--manifest-path", str(folder / "rust" / "Cargo.toml")]
        found["rust"] = ("k256, p256, p384", cargo)
    if here("npm"):
        shutil.copy(HERE / "peer.mjs", folder)
        npm = ["npm", "install", "--silent", "--no-save", "--ignore-scripts", *NPM]
        subprocess.run([*npm, "--prefix", str(folder)], check=True)
        found["noble"] = ("noble-curves", ["node", str(folder / "peer.mjs"), "noble"])
        found["jose"] = ("jose", ["node", str(folder / "peer.mjs"), "jose"])
        found["node-coap"] = ("node-coap", ["node", str(folder / "peer.mjs")])
    if here("mvn"):
        (folder / "pom.xml").write_text(POM)
        jars = folder / "jars"
        mvn = ["mvn", "-q", "-f", str(folder / "pom.xml"), "dependency:copy-dependencies"]
        subprocess.run([*mvn, f"-DoutputDirectory={jars}"], check=True)
        java = ["java", f"-Dcalifornium={CALIFORNIUM}", f"-Dbouncycastle={BOUNCYCASTLE}"]
        java += ["-cp", f"{jars}/*", str(HERE / "Peer.java")]
        found["californium"] = ("Californium", java)
        found["bouncycastle"] = ("Bouncy Castle", [*java, "signatures"])
    return found


def here(program: str) -> bool:
    """Whether it is installed; else what it would be used for is a line."""
    if shutil.which(program) is None:
        print(f"not here, so not tried: {program}", file=sys.stderr)
        return False
    return True


def built_go(folder: Path, source: str, module: str) -> Path:
    """A program of Go with a module of others."""
    folder.mkdir(exist_ok=True)
    shutil.copy(HERE / source, folder)
    if not (folder / "go.mod").exists():
        subprocess.run(["go", "mod", "init", "peer"], cwd=folder, check=True, capture_output=True)
    for words in (["get", module], ["build", "-o", "peer", source]):
        subprocess.run(["go", *words], cwd=folder, check=True, capture_output=True)
    return folder / "peer"


def form(one: Case) -> str:
    """What others made."""
    return next((name for name in ("jws", "cose", "der") if one.get(name)), "raw")


def asked(library: Library, name: str, command: list[str], cases: list[Case]) -> list[Row]:
    """The rows of one implementation, a curve each. Errors: RuntimeError when its program ends
    with an error.
    """
    done = subprocess.run(
        command, input=json.dumps(cases), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    answer = json.loads(done.stdout)
    tried = [(curve, f"ours, {what}", right) for curve, what, right in answer["answers"]]
    tried += [
        (one["curve"], f"theirs, {form(one)}", library.takes(one)) for one in answer["signed"]
    ]
    rows = []
    for curve in dict.fromkeys(curve for curve, _, _ in tried):
        passed = sum(right for where, _, right in tried if where == curve)
        wrong = Counter(what for where, what, right in tried if where == curve and not right)
        ruled = {what: RULES[name, curve, what] for what in wrong if (name, curve, what) in RULES}
        differs = sum(wrong[what] for what in ruled)
        lines = tuple(f"{count} x {what}" for what, count in wrong.items() if what not in ruled)
        cells = passed, wrong.total() - differs, differs, next(iter(ruled.values()), "")
        rows.append(Row(curve, answer["version"], *cells, lines))
    return rows


def outside(words: str) -> dict[str, Path]:
    """Checkouts by name. Errors: SystemExit."""
    pairs = dict(pair.split("=", 1) for pair in words.split(",") if "=" in pair)
    if not pairs.keys() <= OUTSIDE or not all(Path(path).is_dir() for path in pairs.values()):
        sys.exit(f"--peer-dir is NAME=CHECKOUT of {', '.join(sorted(OUTSIDE))}, not '{words}'")
    for name in sorted(OUTSIDE - pairs.keys()):
        print(f"not here, so not tried: {name} (--peer-dir {name}=CHECKOUT)", file=sys.stderr)
    return {name: Path(path).resolve() for name, path in pairs.items()}


def main(names: list[str], checkouts: dict[str, Path]) -> int:
    """Tries all, or those of these names."""
    folder = cache_dir() / "foreign"
    folder.mkdir(parents=True, exist_ok=True)
    library, rng = Library(folder), random.Random(1)
    cases = [library.case(curve, rng) for curve in TRIED for _ in range(CASES)]
    rows: list[Row] = []
    asks_peers = not names or not PARTS.issuperset(names)
    peers = commands(folder) if asks_peers else {}
    peers = {name: peer for name, peer in peers.items() if not names or name in names}
    for name, (called, command) in peers.items():
        if name not in COAP:
            answers = asked(library, name, command, cases)
            rows += [row._replace(by=f"{called} {row.by}".strip()) for row in answers]
    if not names or "vectors" in names:
        rows += vectors.matrix(folder / "ecfit.so", [*TRIED], checkouts)
    rows += coap.matrix({name: peers[name][1] for name in peers if name in COAP})
    if not names or "tls" in names:
        rows += tls.matrix(folder, checkouts)
    if not names or "images" in names:
        rows += images.matrix(checkouts)
    print(table.text(rows))
    return int(any(row.failed for row in rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--peer-dir", default="", metavar="NAME=CHECKOUT,..")
    words = parser.parse_args()
    sys.exit(main(words.names, outside(words.peer_dir)))
