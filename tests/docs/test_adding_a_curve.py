"""docs/adding-a-curve.md, followed to the letter in a copy of the tree, with FRP256v1; ECDH and
ECDSA are then what python-ecdsa computes.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import ecdsa
import pytest

from workshop.devices.consumer import ROOT, copy_checkout, run

PAGE = (ROOT / "docs" / "adding-a-curve.md").read_text(encoding="utf-8")
STEP = re.compile(
    r"(?:(?P<where>Above|Below)\s`(?P<line>[^`]+)`\sin|(?P<new>New)\sfile)\s`(?P<file>[^`]+)`:\n\n"
    r"```\w+\n(?P<text>.*?)^```$",
    re.M | re.S,
)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
BY_HAND, IN_ALL = 45, 786  # lines of the change at most, as the page says
# JORF 241 of 2011-10-16, text 30, typed once more.
P = 0xF1FD178C0B3AD58F10126DE8CE42435B3961ADBCABC8CA6DE8FCF353D86E9C03
B = 0xEE353FCA5428A9300D4ABA754A44C00FDFEC0C9AE4B1A1803075ED967B7BB73F
N = 0xF1FD178C0B3AD58F10126DE8CE42435B53DC67E140D2BF941FFDD459C6D655E1
G = (
    0xB6B3D4C356C139EB31183D4749D423958C27D2DCAF98B70164C97A2DD98F5CFF,
    0x6142E0F7C8B204911F9271F0F3ECEF8C2701C307E8E4C9E183115A1554062CFB,
)
FIELD = ecdsa.ellipticcurve.CurveFp(P, P - 3, B, 1)
BASE = ecdsa.ellipticcurve.PointJacobi(FIELD, *G, 1, N, generator=True)
FRP256V1 = ecdsa.curves.Curve("FRP256v1", FIELD, BASE, (1, 2, 250, 1, 223, 101, 256, 1))
FILL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Rng(ctypes.Structure):
    """ecfit_rng."""

    _fields_ = (("fill", FILL), ("context", ctypes.c_void_p))


def random_bytes(_context: int, out: int, size: int) -> int:
    """Of this machine; 0 is success."""
    ctypes.memmove(out, os.urandom(size), size)
    return 0


def test_the_parameters_by_computation() -> None:
    assert ecdsa.numbertheory.is_prime(P)
    assert ecdsa.numbertheory.is_prime(N)
    assert (G[1] ** 2 - (G[0] ** 3 - 3 * G[0] + B)) % P == 0
    assert (4 * (P - 3) ** 3 + 27 * B**2) % P != 0
    point = ecdsa.ellipticcurve.PointJacobi(FIELD, *G, 1)  # no order: the multiple is computed
    assert point * N == ecdsa.ellipticcurve.INFINITY
    assert (N - P - 1) ** 2 <= 4 * P  # Hasse; N is prime, so the cofactor is 1


def follow(copy: Path) -> None:
    """The edits of the page. Each line that an edit names stands once in its file."""
    steps = list(STEP.finditer(PAGE))
    assert len(steps) == len(re.findall(r"`:\n\n```", PAGE)) == 11
    for step in steps:
        path = copy / step["file"]
        if step["new"]:
            assert not path.exists()
            path.write_text(step["text"], encoding="utf-8")
            continue
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        assert lines.count(step["line"] + "\n") == 1, (step["file"], step["line"])
        at = lines.index(step["line"] + "\n") + (step["where"] == "Below")
        path.write_text("".join([*lines[:at], step["text"], *lines[at:]]), encoding="utf-8")


def added(copy: Path) -> int:
    """Lines of the change so far."""
    run("git", "add", "-A", cwd=copy)
    rows = run("git", "diff", "--cached", "--numstat", "HEAD", cwd=copy).splitlines()
    return sum(int(row.split("\t")[0]) for row in rows)


def type_in(copy: Path, command: str) -> str:
    """A line of the page, in the copy, with this environment's Python and packages."""
    words = shlex.split(command, comments=True)
    tool = {".venv/bin/python": [], ".venv/bin/ecfit": ["-m", "ecfit"]}[words[0]]
    done = subprocess.run(
        [sys.executable, *tool, *words[1:]], cwd=copy, capture_output=True, text=True, check=False,
        env={
            **os.environ,
            "PYTHONPATH": f"{copy}:{copy / 'lib'}",
            "ECFIT_CACHE": str(copy.parent / "cache"),
        },
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.ci
def test_the_page_step_by_step(tmp_path: Path) -> None:
    copy = copy_checkout(tmp_path / "copy")
    git = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "before")):
        run(*git, *words, cwd=copy)
    run("make", "--silent", "-C", copy / "sim", "all")
    follow(copy)
    by_hand = added(copy)
    generators, tests = (block.splitlines() for block in COMMANDS.findall(PAGE))
    for command in generators:
        type_in(copy, command)
    in_all = added(copy)
    print(f"a new curve: {by_hand} lines by hand, {in_all} in all")
    assert by_hand <= BY_HAND
    assert IN_ALL - 25 < in_all <= IN_ALL
    packages = "tools/packages/gen_packages.py"
    for command in ("lib/gen/generate.py", "-m ecfit.choices.knobdocs", packages):
        type_in(copy, f".venv/bin/python {command} --check")
    agrees(copy)
    for command in tests:
        said = type_in(copy, command)
        assert "pytest" not in command or re.search(r"\d+ passed", said), said


def agrees(copy: Path) -> None:
    """ECDH and ECDSA of the library for this machine, with those of python-ecdsa."""
    header = copy.parent / "header"
    words = "--curve frp256v1 --target host --preset balanced"
    type_in(copy, f".venv/bin/ecfit config {words} -o {header}")
    include = [f"-I{path}" for path in (header, copy / "lib/include", copy / "lib/src")]
    library = copy.parent / "frp256v1.so"
    run("cc", "-O2", "-shared", "-fPIC", *include, copy / "lib/src/ecfit.c", "-o", library)
    code = ctypes.CDLL(str(library))
    rng = ctypes.byref(Rng(FILL(random_bytes), None))

    def call(name: str, size: int, *arguments: object) -> bytes:
        out = ctypes.create_string_buffer(size)
        assert getattr(code, f"ecfit_frp256v1_{name}")(out, *arguments) == 0, name
        return out.raw

    for number in range(1, 17):
        scalars = [
            int.from_bytes(hashlib.sha512(f"{number} {who}".encode()).digest(), "big") % N
            for who in ("ours", "theirs")
        ]
        ours, theirs = (scalar.to_bytes(32, "big") for scalar in scalars)
        key = ecdsa.SigningKey.from_string(ours, FRP256V1, hashlib.sha256)
        other = ecdsa.SigningKey.from_string(theirs, FRP256V1, hashlib.sha256)
        public = call("public_key", 65, ours, rng)
        assert public == key.verifying_key.to_string("uncompressed")
        exchange = ecdsa.ECDH(FRP256V1, key, other.verifying_key)
        peer = other.verifying_key.to_string("uncompressed")
        assert call("ecdh", 32, ours, peer, rng) == exchange.generate_sharedsecret_bytes()
        digest = hashlib.sha256(f"message {number}".encode()).digest()
        size = ctypes.c_size_t(32)
        signature = call("ecdsa_sign", 64, ours, digest, size, rng)
        assert signature == key.sign_digest_deterministic(digest, hashlib.sha256)
        assert key.verifying_key.verify_digest(signature, digest)
        verify = code.ecfit_frp256v1_ecdsa_verify
        made = other.sign_digest(digest)  # a random nonce
        assert verify(made, peer, digest, size) == 0
        assert verify(made, public, digest, size) != 0
        changed = made[:40] + bytes([made[40] ^ 1]) + made[41:]
        assert verify(changed, peer, digest, size) != 0
