#!/usr/bin/env python3
"""Every edge against somebody else's program: this library's keys, signatures, shared secrets and
COSE messages given to implementations of others, and their signatures to it. Packages come from
their registries, in the versions below; nothing of this project helps them.

tools/foreign/foreign.py [NAME ..]   prints the table; exit code 1 if a cell failed

A cell differs by a rule where a standard lets both sides be as they are: RULES names its section.
"""

from __future__ import annotations

import ctypes
import json
import random
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from ecfit import cli
from ecfit.paths import cache_dir
from workshop.library.messages import Messages
from workshop.paths import INCLUDE, SRC

HERE = Path(__file__).resolve().parent
PYTHON = ["cryptography==50.0.2", "coincurve==21.0.0", "PyNaCl==1.6.2", "pycose==1.1.0"]
PYTHON += ["cwt==3.3.0"]
NOBLE = "@noble/curves@2.4.0"
SIZES = {"secp256r1": 32, "secp384r1": 48, "secp521r1": 66, "secp256k1": 32}
SIGNERS = {"secp256r1": "es256", "secp384r1": "es384", "secp521r1": "es512"}
SIGNERS |= {"secp256k1": "es256k", "ed25519": "eddsa"}
CURVES = (*SIZES, "ed25519", "x25519")
CASES = 40  # of each curve
# By implementation, curve and edge, the rule by which it differs. noble-curves wants low s on the
# curves of NIST too, unless it is told otherwise; then all hold.
RULES = {
    ("noble", curve, f"ours, {form}, key {key}"): "FIPS 186-5, 6.4.2: s from 1 to n - 1"
    for curve in SIZES
    for form in ("DER", "raw")
    for key in ("public", "compressed")
    if curve != "secp256k1"
}
HEAD = "| edge | implementation | version | passed | failed | differs by |"
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
        _, cose = self.messages.sign("cose_sign1", SIGNERS[curve], private, [("t", 1)])
        one["cose"] = cose.hex()
        if curve == "ed25519":
            public = self.out("ed25519_public_key", 32, private)
            raw = self.out("ed25519_sign", 64, private, message, length)
            return one | {"public": public.hex(), "raw": raw.hex()}
        name = f"{curve}_"
        public = self.out(name + "public_key", 2 * size + 1, private, None)
        small = self.out(name + "compress", size + 1, public)
        raw = self.out(name + "ecdsa_sign_message", 2 * size, private, message, length, None)
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
        curve, public = one["curve"], bytes.fromhex(one["public"])
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


def commands(folder: Path) -> dict[str, tuple[str, list[str]]]:
    """The programs of others, their packages fetched: name of the library, command."""
    python = folder / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python)], check=True)
    pip = [str(python / "bin" / "python"), "-m", "pip", "install", "--quiet", *PYTHON]
    subprocess.run(pip, check=True)
    peer = [str(python / "bin" / "python"), str(HERE / "peer.py")]
    found = {
        "openssl": ("OpenSSL", [*peer, "openssl"]),
        "libsecp256k1": ("libsecp256k1", [*peer, "libsecp256k1"]),
        "libsodium": ("libsodium", [*peer, "libsodium"]),
        "pycose": ("pycose", [*peer, "pycose"]),
        "python-cwt": ("python-cwt", [*peer, "python-cwt"]),
    }
    if shutil.which("go"):
        found["go"] = ("Go crypto", ["go", "run", str(HERE / "peer.go")])
    if shutil.which("cargo"):
        (folder / "rust").mkdir(exist_ok=True)
        for name in ("Cargo.toml", "peer.rs"):
            shutil.copy(HERE / name, folder / "rust")
        cargo = ["cargo", "run", "--quiet", "--manifest-path", str(folder / "rust" / "Cargo.toml")]
        found["rust"] = ("k256, p256, p384", cargo)
    if shutil.which("npm"):
        shutil.copy(HERE / "peer.mjs", folder)
        npm = ["npm", "install", "--silent", "--no-save", "--ignore-scripts", NOBLE]
        subprocess.run([*npm, "--prefix", str(folder)], check=True)
        found["noble"] = ("noble-curves", ["node", str(folder / "peer.mjs")])
    return found


def asked(library: Library, name: str, command: list[str], cases: list[Case]) -> list[list[str]]:
    """The rows of one implementation: edge, version, passed, failed, rule.
    Errors: RuntimeError when its program ends with an error.
    """
    done = subprocess.run(
        command, input=json.dumps(cases), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    answer = json.loads(done.stdout)
    edges: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for curve, what, right in answer["answers"]:
        edges[curve, f"ours, {what}"][right] += 1
    for one in answer["signed"]:
        edges[one["curve"], f"theirs, {'DER' if one.get('der') else 'raw'}"][
            library.takes(one)
        ] += 1
    rows = []
    for (curve, what), count in edges.items():
        rule = RULES.get((name, curve, what), "") if count[False] else ""
        rule = f"{count[False]} by {rule}" if rule else ""
        cells = (count[True], 0 if rule else count[False], rule)
        rows.append([f"{curve}: {what}", answer["version"], *map(str, cells)])
    return rows


def main(names: list[str]) -> int:
    """Tries all, or those of these names."""
    folder = cache_dir() / "foreign"
    folder.mkdir(parents=True, exist_ok=True)
    library, rng, failed = Library(folder), random.Random(1), False
    cases = [library.case(curve, rng) for curve in CURVES for _ in range(CASES)]
    print(f"{HEAD}\n| --- | --- | --- | ---: | ---: | --- |")
    for name, (called, command) in commands(folder).items():
        if not names or name in names:
            for edge, version, *cells in asked(library, name, command, cases):
                failed |= cells[1] != "0"
                print("|", " | ".join((edge, called, version, *cells)), "|")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
