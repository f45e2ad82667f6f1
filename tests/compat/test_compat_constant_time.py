"""`ecfit ct` of compat/uecc and compat/psa, with key and nonce as secrets: key pair, key agreement,
signature. Of compat/mcuboot, the key of an encrypted image.

Sweep `compat`, which is ECFIT_TEST_SCALE=full, takes four cores, on one all curves of micro-ecc.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ecfit.build.parts import contents, library_sources, source_digest
from ecfit.choices.curves import CURVES
from ecfit.paths import LIB, PEERS
from tools.docs import example_table
from workshop.compat.adapters import COMPAT, ROOT
from workshop.compat.psa import KINDS
from workshop.compat.uecc import SIZES
from workshop.scale import FULL

HERE = ROOT / "tests" / "compat" / "ct"
TARGET = "nrf52840"
TARGETS = ("lpc1114", "cc2538", "ibex", TARGET) if FULL else (TARGET,)
UECC_SETS = "NONCE=random,COMPRESS=sec1,HASH_STREAM=own,SHA256=own"
PSA_SETS = {
    "secp256r1": "NONCE=random,COMPRESS=sec1,HASH_STREAM=own,SHA256=own,SHA512=none",
    "x25519": "HASH_STREAM=own,SHA256=own",
    "ed25519": "HASH_STREAM=own,SHA256=own",
}
UECC = [("secp256r1", target) for target in TARGETS]
# The order of secp160r1 is longer than its field, so the shim looks at the signature.
OTHERS = [name for name in SIZES if FULL and name not in ("secp256r1", "secp160r1")]
UECC += [(name, TARGET) for name in ("secp160r1", *OTHERS)]
RANDOM, DETERMINISTIC, PURE = 0x06000609, 0x06000709, 0x06000800  # PSA_ALG_..
MCUBOOT_SETS = "HASH_STREAM=own,SHA256=own"
PLANTED = 'if (out[at - 1] & 1) __asm__ volatile("nop");'


class Shim(NamedTuple):
    """What is linked: sources and headers of compat/, the adapter's files by name."""

    folder: str
    curve: str
    sets: str
    adapter: dict[str, str]
    defines: tuple[str, ...] = ()
    include: tuple[Path, ...] = ()
    ops: tuple[str, ...] = ()  # none: all of the curve
    beside: tuple[str, ...] = ()  # curves
    says: tuple[str, ...] = ()  # files beside the library's that say what may be known of a secret


def peer(folder: Path, shim: Shim, target: str) -> Path:
    """A folder for --peer-dir: the interface and the library under it, for one target."""
    curves = ",".join((shim.curve, *shim.beside))
    ask = ["--target", target, "--curve", curves, "--preset", "balanced", "--set", shim.sets]
    subprocess.run(
        [*example_table.ECFIT, "config", *ask, "-o", str(folder)], check=True, capture_output=True
    )
    for name, text in shim.adapter.items():
        (folder / name).write_text(text, encoding="utf-8")
    own = folder if shim.folder == "." else COMPAT / shim.folder
    sources = [path for path in own.glob("*.c") if not path.stem.startswith("adapter")]
    sources += library_sources((folder / "ecfit_config.h").read_text(encoding="utf-8"))
    mark = f"STATE_{contents(own)[:16]}_{source_digest()[:16]}"  # images are kept by their macros
    ops = shim.ops or [op for op in CURVES[shim.curve].every_op if "message" not in op]
    include = own, *shim.include, LIB / "include", LIB / "src"
    lines = [
        'description = "compat"',
        'licence = "MIT"',
        'library_version = "this one"',
        "[build]",
        f"sources = {json.dumps([str(source) for source in sources])}",
        f"include = {json.dumps([str(p) for p in include])}",
        f"defines = {json.dumps([mark, *shim.defines])}",
        "[curves]",
        f"{shim.curve} = {json.dumps(ops)}",
    ]
    (folder / "peer.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def found(folder: Path, shim: Shim, target: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and lines of `ecfit ct`."""
    made = peer(folder, shim, target)
    done = subprocess.run(
        [*example_table.ECFIT, "ct", "--lib", "shim", "--peer-dir", f"shim={made}",
         "--target", target, "--curve", shim.curve, "--n", "2", "--quiet", "--format", "json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 5), done.stderr
    lines: list[dict[str, Any]] = json.loads(done.stdout)
    return done.returncode, lines


def assert_passes(folder: Path, shim: Shim, target: str) -> None:
    code, lines = found(folder, shim, target)
    assert [line for line in lines if line["status"] not in ("ok", "declared")] == []
    assert code == 0
    checked = {line["op"] for line in lines if line["check"] == "equality"}
    assert checked == set(shim.ops or CURVES[shim.curve].every_op) & {"keygen", "ecdh", "sign"}
    says = "lib/src/", *shim.says
    assert all(line["source"].startswith(says) for line in lines if line["status"] == "declared")


def micro_ecc_adapter() -> str:
    """Of peers/micro-ecc: a program for micro-ecc runs as it is."""
    return (PEERS / "micro-ecc" / "adapter.c").read_text(encoding="utf-8")


def uecc(curve: str, *, deterministic: bool) -> Shim:
    """compat/uecc under the adapter of micro-ecc."""
    adapter = {"adapter.c": micro_ecc_adapter()}
    if deterministic:
        adapter = {"adapter_micro_ecc.c": micro_ecc_adapter()}
        adapter["adapter.c"] = (HERE / "uecc.c").read_text(encoding="utf-8")
    says = ("compat/uecc/uECC.c",)  # of secp160r1: whether r or s, which it gives out, is too long
    return Shim("uecc", curve, UECC_SETS, adapter, says=says)


def psa(curve: str, algorithm: int, *, persistent: bool = False) -> Shim:
    """compat/psa."""
    kind = KINDS[curve]
    defines = [f"FAMILY={kind.family:#x}", f"BITS={kind.bits}", f"ALGORITHM={algorithm:#x}"]
    text = (HERE / "psa.c").read_text(encoding="utf-8")
    says: tuple[str, ...] = ("compat/psa/psa_crypto.c",)  # where it checks a key
    include: tuple[Path, ...] = ()
    if persistent:
        defines.append('ECFIT_PSA_ITS="its.h"')
        include = (HERE.parent / "psa",)
        says += ("compat/psa/psa_storage.c",)  # whether a CRC is right
    adapter = {"adapter.c": text}
    return Shim("psa", curve, PSA_SETS[curve], adapter, tuple(defines), include, says=says)


def mcuboot(scheme: str) -> Shim:
    """compat/mcuboot, with MCUboot's headers as stand-ins and an AES that does nothing."""
    curve = "x25519" if scheme == "X25519" else "secp256r1"
    sets = MCUBOOT_SETS + (",DER=strict" if curve == "secp256r1" else "")
    sign = "ED25519" if scheme == "X25519" else "EC256"
    defines = [f"MCUBOOT_ENCRYPT_{scheme}", f"MCUBOOT_SIGN_{sign}", "MCUBOOT_ENC_IMAGES"]
    defines += ['ECFIT_MCUBOOT_AES="aes_ctr.h"']
    text = (HERE / "mcuboot.c").read_text(encoding="utf-8")
    stand_ins = HERE.parent / "mcuboot"
    include = (COMPAT / "mcuboot", stand_ins, stand_ins / "stand_in")
    says = ("compat/mcuboot/ecfit_mcuboot.c",)  # whether a tag is right
    beside = ("ed25519",) if scheme == "X25519" else ()
    adapter = {"adapter.c": text}
    return Shim(".", curve, sets, adapter, tuple(defines), include, ("ecdh",), beside, says)


@pytest.mark.ci
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("scheme", ["EC256", "X25519"])
def test_mcuboot(tmp_path: Path, scheme: str, target: str) -> None:
    assert_passes(tmp_path, mcuboot(scheme), target)


@pytest.mark.ci
@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize(("curve", "target"), UECC)
def test_uecc(tmp_path: Path, curve: str, target: str, deterministic: bool) -> None:
    assert_passes(tmp_path, uecc(curve, deterministic=deterministic), target)


@pytest.mark.ci
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("curve", "algorithm"),
    [("secp256r1", RANDOM), ("secp256r1", DETERMINISTIC), ("x25519", RANDOM), ("ed25519", PURE)],
)
def test_psa(tmp_path: Path, curve: str, algorithm: int, target: str) -> None:
    assert_passes(tmp_path, psa(curve, algorithm), target)


@pytest.mark.ci
@pytest.mark.parametrize(("curve", "algorithm"), [("secp256r1", DETERMINISTIC), ("x25519", RANDOM)])
def test_psa_with_persistent_keys(tmp_path: Path, curve: str, algorithm: int) -> None:
    assert_passes(tmp_path, psa(curve, algorithm, persistent=True), TARGET)


def test_a_planted_branch_is_found(tmp_path: Path) -> None:
    """In the copy of the bytes of a nonce, which the shim does."""
    shim = uecc("secp256r1", deterministic=True)._replace(folder=".")
    for path in (COMPAT / "uecc").glob("*.[ch]"):
        text = path.read_text(encoding="utf-8")
        old = "out[at++] = h->tmp[h->result_size + i];"
        assert text.count(old) == (path.name == "uECC.c")
        text = text.replace(old, f"{old} {PLANTED}")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    code, lines = found(tmp_path, shim, TARGET)
    assert code == 5
    leaks = [line for line in lines if line["status"] == "leak" and line["check"] == "taint"]
    assert {line["op"] for line in leaks} == {"sign"}
    assert any(str(line["source"]).split(":")[0].endswith("uECC.c") for line in leaks)
