#!/usr/bin/env python3
"""The sensor of examples/riot on RIOT, a checkout of yours: it runs, and what its images take.

tools/rigs/riot.py --peer-dir riot=CHECKOUT [--board BOARD,..]          runs it, prints sizes
tools/rigs/riot.py --peer-dir riot=CHECKOUT [--board BOARD,..] --doc    keeps them, too

RIOT runs here as a program (native64) behind a TAP device, which needs root. aiocoap, a CoAP client
of others, asks for a reading twice, which must be the same bytes, and `cryptography` verifies it by
the key that `ecfit gateway` has. The gateway must then keep this reading and the next one. The
images for boards are built with and without signatures. Of a board whose chip is modelled, the
signed image itself takes a reading on the simulated chip, which must verify as well; it cannot
boot there, as a simulated chip has no peripherals. RIOT downloads what a board needs beyond its own
tree; hifive1b needs nothing, and for the Re-Mote npm fetches ARM's headers of its core. RIOT's own
tests of ECDSA and EdDSA by PSA Crypto then run on our back end, without a symbol of the one that
they name. Exit code 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import aiocoap
import msgspec
import rfc8785
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from ecfit.cli import run as ecfit
from ecfit.paths import ROOT, write_atomic
from ecfit_studies.survey.riot import IMAGES, RiotImage
from tools.ct_compilers import commit

APPLICATION = ROOT / "examples" / "riot"
TAP = "ecfit0"
PRIVATE = int.from_bytes(bytes(range(1, 25)), "big")  # of main.c
PERIOD = 30  # seconds, of main.c


class Chip(NamedTuple):
    """The target and the mode in which a board's image is timed, and flags that it needs."""

    target: str
    mode: str
    flags: str = ""


# The Re-Mote at Contiki's clock, as the paper has it; RIOT's own is 32 MHz.
CHIPS = {"remote-revb": Chip("cc2538-16mhz", "fitted", "-DCLOCK_CORECLOCK=16000000")}
# RIOT pins the same headers in a later version (pkg/cmsis), which only a clone from GitHub brings.
CMSIS = "@xpack-3rd-party/arm-cmsis-core-m", "5.4.0-5"
CMSIS_SHA256 = "b003c2bd84cce124baa03ad8d05a2289c36ae7b88e5941a808e4db755584343b"


# RIOT's tests of PSA Crypto: what selects a back end, in place of which line, and whose it was.
TESTS = {
    "psa_crypto_ecdsa": (
        "p256r1",
        "USEMODULE += psa_asymmetric_ecc_p256r1_backend_microecc\n",
        "uECC_",
    ),
    "psa_crypto_eddsa": ("ed25519", "include $(RIOTBASE)/Makefile.include\n", "crypto_ed25519"),
}


def psa_tests(checkout: Path, folder: Path) -> None:
    """Builds and runs them. Errors: SystemExit naming the one that fails."""
    for name, (curve, line, symbol) in TESTS.items():
        application = folder / name
        shutil.copytree(checkout / "tests" / "sys" / name, application)
        makefile = (application / "Makefile").read_text(encoding="utf-8")
        ours = f"psa_asymmetric_ecc_{curve}"
        use = f"USEMODULE += ecfit {ours}_custom_backend {ours}_backend_ecfit\n"
        rest = line if line.startswith("include") else ""
        makefile = makefile.replace(line, use + rest, 1).replace(
            "include ../Makefile.sys_common", "include $(RIOTBASE)/tests/Makefile.tests_common"
        )
        (application / "Makefile").write_text(makefile, encoding="utf-8")
        command = ["make", "-C", str(application), f"RIOTBASE={checkout}", "BOARD=native64"]
        command += [f"APPLICATION={name}", f"EXTERNAL_MODULE_DIRS={ROOT / 'packages' / 'riot'}"]
        command += [f"BINDIRBASE={folder}", f"-j{os.cpu_count()}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
        program = folder / "native64" / f"{name}.elf"
        if done.returncode or not program.is_file():
            sys.exit(f"riot.py: {name} does not build: {done.stderr.strip()[-300:]}")
        symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
        ran = subprocess.run(
            [program], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=120,
        )  # fmt: skip
        if "All Done" not in ran.stdout or symbol in symbols or "ecfit_" not in symbols:
            sys.exit(f"riot.py: {name} fails on our back end: {ran.stdout.strip()[-300:]}")
        print(f"{name}: passed, without {symbol}")


def headers(folder: Path) -> Path:
    """ARM's headers of its cores, from their package. Errors: SystemExit."""
    name = "@".join(CMSIS)
    pack = ["npm", "pack", "--silent", "--pack-destination", str(folder), name]
    try:
        subprocess.run(pack, capture_output=True, text=True, check=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        said = str(getattr(error, "stderr", None) or error).strip().partition("\n")[0]
        sys.exit(f"riot.py: npm cannot fetch {name}: {said}")
    archive = next(folder.glob("*.tgz"))
    if hashlib.sha256(archive.read_bytes()).hexdigest() != CMSIS_SHA256:
        sys.exit(f"riot.py: {name} has another SHA-256 than {CMSIS_SHA256}")
    shutil.unpack_archive(archive, folder, filter="data")
    return folder / "package"


def build(
    checkout: Path, board: str, folder: Path, *, signed: bool, cmsis: Path | None = None
) -> tuple[Path, list[int]]:
    """Builds an image: its file, and the bytes of text, data and bss."""
    command = ["make", "-C", str(APPLICATION), f"RIOTBASE={checkout}", f"BOARD={board}"]
    command += [f"SIGNED={int(signed)}", f"BINDIRBASE={folder}", f"-j{os.cpu_count()}"]
    given = dict(os.environ)
    if cmsis is not None:
        given |= {"PKG_SOURCE_LOCAL_CMSIS": str(cmsis), "FEATURES_REQUIRED": "picolibc"}
        given["CFLAGS"] = CHIPS[board].flags
    done = subprocess.run(
        command, env=given, capture_output=True, text=True, check=False, timeout=1200
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if re.search(r"error|fatal", line)]
        sys.exit(f"riot.py: RIOT's build for {board} failed: {(lines or ['?'])[0]}")
    sizes = re.search(
        r"^\s*(\d+)\s+(\d+)\s+(\d+)\s.*signed_readings\.elf", done.stdout, re.MULTILINE
    )
    assert sizes is not None, "RIOT's build ends with the output of size"
    return folder / board / "signed_readings.elf", [int(size) for size in sizes.groups()]


def taken(image: Path, chip: Chip, public: Path) -> dict[str, Any]:
    """Takes a reading in the very image, on the simulated chip: the record of `ecfit measure`.
    Errors: SystemExit where it is not taken, InvalidSignature where it does not verify.
    """
    record, said = image.with_suffix(".json"), io.StringIO()
    words = ["measure", "--elf", str(image), "--target", chip.target, "--mode", chip.mode]
    words += ["--function", "take_reading", "--before", "random_init", "--before", "begin"]
    words += ["--show", "message", "--show", "message_size", "--expect", "1"]
    with redirect_stderr(said):
        code = ecfit([*words, "--format", "json", "-o", str(record)])
    if code:
        sys.exit(f"riot.py: the image takes no reading: {said.getvalue().strip()}")
    row: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))[0]
    shown = dict(pair.split("=") for pair in row["outputs"].split("; "))
    size = int.from_bytes(bytes.fromhex(shown["message_size"]), "little")
    verify(public, bytes.fromhex(shown["message"])[:size])
    return row


@contextmanager
def running(program: Path) -> Iterator[str]:
    """Runs RIOT behind a TAP device, both gone behind it. Gives the sensor's URI."""
    for words in (["tuntap", "add", "dev", TAP, "mode", "tap"], ["link", "set", TAP, "up"]):
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"riot.py: no TAP device, which needs root: {done.stderr.strip()}")
    try:
        sensor = subprocess.Popen(
            [program, TAP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            assert sensor.stdout is not None
            said = (
                re.search(r"/temperature at (fe80::[0-9a-f:]+)", line) for line in sensor.stdout
            )
            address = next(found[1] for found in said if found)
            time.sleep(2)  # the device's own address is tentative at first
            yield f"coap://[{address}%25{TAP}]/temperature"
        finally:
            sensor.kill()
            sensor.wait()
    finally:
        subprocess.run(["ip", "link", "del", TAP], check=False)


async def asked(uri: str) -> bytes:
    """A reading, asked for by a client of others."""
    context = await aiocoap.Context.create_client_context()
    message = aiocoap.Message(code=aiocoap.GET, uri=uri.replace("%25", "%"))
    reply = await asyncio.wait_for(context.request(message).response, 30)
    await context.shutdown()
    return bytes(reply.payload)


def verify(public: Path, payload: bytes) -> None:
    """Checks a JSS message without code of ours. Errors: InvalidSignature."""
    message = json.loads(payload)
    signature = base64.urlsafe_b64decode(message.pop("jss.signature"))
    r, s = (int.from_bytes(half, "big") for half in (signature[:24], signature[24:]))
    key = serialization.load_pem_public_key(public.read_bytes())
    assert isinstance(key, ec.EllipticCurvePublicKey)
    der = utils.encode_dss_signature(r, s)
    key.verify(der, rfc8785.dumps(message), ec.ECDSA(hashes.SHA256()))


def observed(uri: str, keys: Path, folder: Path) -> list[str]:
    """What the gateway keeps of the sensor in a period and a bit, as lines of JSON."""
    kept = folder / "readings.jsonl"
    program = "from ecfit.cli import main; main()"
    command = [sys.executable, "-c", program, "gateway", f"riot={uri}", "--keys", str(keys)]
    gateway = subprocess.Popen([*command, "--lines", str(kept), "--quiet"])
    time.sleep(PERIOD + 10)
    gateway.terminate()
    gateway.wait(60)
    return kept.read_text(encoding="utf-8").splitlines() if kept.is_file() else []


def keys_of_gateway(folder: Path) -> Path:
    """A folder for `ecfit gateway --keys`, with the sensor's public key."""
    keys = folder / "keys"
    keys.mkdir()
    key = ec.derive_private_key(PRIVATE, ec.SECP192R1()).public_key()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    (keys / "riot.pem").write_bytes(key.public_bytes(serialization.Encoding.PEM, form))
    return keys


def run(checkout: Path, keys: Path, folder: Path) -> int:
    """Runs the sensor as others see it. Returns the bytes of a message."""
    program, _ = build(checkout, "native64", folder, signed=True)
    with running(program) as uri:
        first, again = asyncio.run(asked(uri)), asyncio.run(asked(uri))
        if first != again:
            sys.exit("riot.py: two readings within a period are not the same bytes")
        verify(keys / "riot.pem", first)
        lines = observed(uri, keys, folder)
    ids = [int(found[1]) for line in lines if (found := re.search(r"measurement_id\D+(\d+)", line))]
    if not {34, 35} <= set(ids):
        sys.exit(f"riot.py: the gateway kept the readings {ids}, not 34 and 35")
    print(f"{len(first)} bytes in {-(-len(first) // 64)} blocks; the gateway kept {ids}")
    return len(first)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-dir", required=True, metavar="riot=CHECKOUT")
    parser.add_argument(
        "--board", default="remote-revb,hifive1b", help="of RIOT; several with commas"
    )
    parser.add_argument("--doc", action="store_true", help="keep the sizes in results/riot.json")
    asked_for = parser.parse_args()
    name, _, path = asked_for.peer_dir.partition("=")
    checkout = Path(path).resolve()
    if name != "riot" or not (checkout / "Makefile.include").is_file():
        parser.error(f"--peer-dir is riot=CHECKOUT of RIOT-OS/RIOT, not '{asked_for.peer_dir}'")
    git = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    of_riot = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    images = []
    with tempfile.TemporaryDirectory() as scratch:
        boards, cmsis = asked_for.board.split(","), None
        if CHIPS.keys() & set(boards):
            cmsis = headers(Path(tempfile.mkdtemp(dir=scratch)))
        psa_tests(checkout, Path(scratch, "psa"))
        keys = keys_of_gateway(Path(scratch))
        size = run(checkout, keys, Path(scratch))
        for board in boards:
            chip = CHIPS.get(board)
            for signed in (False, True):
                folder = Path(scratch, f"{board}-{signed}")
                elf, (text, data, bss) = build(
                    checkout, board, folder, signed=signed, cmsis=cmsis if chip else None
                )
                row = taken(elf, chip, keys / "riot.pem") if chip and signed else {}
                image = RiotImage(
                    board=board,
                    signed=signed,
                    flash_bytes=text + data,
                    ram_bytes=data + bss,
                    message_bytes=size if signed else None,
                    target=row.get("target"),
                    mode=row.get("mode"),
                    sign_cycles=row.get("cycles"),
                    sign_stack_bytes=row.get("stack_bytes"),
                    riot=of_riot[:12],
                    commit=commit(),
                    date=datetime.now(UTC).date().isoformat(),
                )
                images.append(image)
                print(f"{board}, signed {signed}: {text + data} B of flash, {data + bss} B of RAM")
                if row:
                    print(f"{row['target']}: {row['cycles']} cycles, and the reading verifies")
    if asked_for.doc:
        write_atomic(IMAGES, b"".join(msgspec.json.encode(image) + b"\n" for image in images))
    return 0


if __name__ == "__main__":
    sys.exit(main())
