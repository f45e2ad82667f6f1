"""Images that are not what they should be, and code that goes wrong on other cores:
one line, a marked record, the documented exit code.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from workshop.cli.run import Ecfit, MakePeer

QUIET = ("--quiet", "--format", "json")
# A compiler that works, and then damages the image that it has linked.
WRAPPER = """#!{python}
import os, struct, subprocess, sys
code = subprocess.run(["{real}", *sys.argv[1:]]).returncode
if code == 0 and "image.elf" in sys.argv:
    data = bytearray(open("image.elf", "rb").read())
    programs, = struct.unpack_from("<I", data, 28)
    text, = struct.unpack_from("<I", data, programs + 4)  # where the first segment's bytes are
    {damage}
    open("image.elf", "wb").write(data)
sys.exit(code)
"""
DAMAGES = {
    "empty": ("data.clear()", 3, "build failed", "the image is not a readable ELF file"),
    "truncated": ("del data[len(data) // 2:]", 3, "build failed", "the image is"),
    "segment behind the end": ("data[programs + 19] = 1", 3, "build failed",
                               "the image is cut short: a segment"),
    "no sections": ("data[32:36] = bytes(4); data[46:52] = bytes(6)", 3, "build failed",
                    "the image has no symbol table"),
    "wrong machine": ("data[18:20] = bytes([243, 0])", 3, "build failed",
                      "the image is for EM_RISCV, not for EM_ARM"),
    "segment outside memory": ("data[programs + 12:programs + 16] = bytes([0, 0, 0, 0x60])", 4,
                               "fault: image refused", "segment outside memory"),
    "start at an undefined instruction": (
        "at, = struct.unpack_from('<I', data, text + 4); "
        "data[text + at - 1:text + at + 1] = bytes([0, 0xDE])",
        4, "fault: undefined instruction", "start-up: undefined instruction 0x0000"),
    "start outside memory": ("data[text + 4:text + 8] = bytes([1, 0, 0, 0x70])", 4,
                             "fault: execution outside memory",
                             "start-up: execution outside memory 0x70000000"),
    "start in an endless loop": (
        "at, = struct.unpack_from('<I', data, text + 4); "
        "data[text + at - 1:text + at + 1] = bytes([0xFE, 0xE7])",
        4, "endless loop", "start-up did not end within 10000000 instructions"),
    "no image": ("os.remove('image.elf'); sys.exit(0)", 3, "build failed",
                 "the linker left no image"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_image(name: str, ecfit: Ecfit, peer: MakePeer, tmp_path: Path) -> None:
    damage, code, status, words = DAMAGES[name]
    tool = "arm-none-eabi-gcc"
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / tool).write_text(
        WRAPPER.format(python=sys.executable, real=shutil.which(tool), damage=damage)
    )
    (folder / tool).chmod(0o755)
    peer_dir = peer("(void)in; (void)out; return 0;")
    done = ecfit(
        "bench", "--lib", "mine", "--peer-dir", peer_dir, "--target", "lpc1114", "--op", "ecdh",
        *QUIET, env={"PATH": f"{folder}:/usr/bin:/bin", "ECFIT_CACHE": str(tmp_path / "cache")},
    )  # fmt: skip
    (record,) = json.loads(done.out)
    assert (done.code, record["status"]) == (code, status)
    assert record["cycles"] is None
    assert words in record["detail"]
    assert words in done.error


@pytest.mark.parametrize(
    "case",
    [
        ("nrf52840", '__asm__ volatile(".inst.w 0xee200a00"); return 0;',
         "fault: instruction that is not modelled",
         "VMUL: arithmetic is not modelled"),
        ("cc2538", '__asm__ volatile(".inst.w 0xfbe20163"); return 0;',
         "fault: undefined instruction",
         "UMAAL: no DSP extension"),
        ("cc2538", "return ((int (*)(void))0x40000001)();", "fault: execution outside memory",
         "0x40000000"),
        ("nrf5340", "*(volatile uint32_t *)0xE000ED00 = 1; return 0;",
         "fault: write to a peripheral", "0xe000ed00"),
        ("nrf52840", "for (;;) { }", "endless loop", "did not end within 1000000 instructions"),
        ("cc2538",
         "volatile uint8_t big[31900]; for (int i = 0; i < 31900; i++) big[i] = in[0]; "
         "return big[7];",
         "stack overflow into data", "bytes of stack more than cc2538 has"),
    ],
    ids=lambda case: f"{case[0]}-{case[2]}",
)  # fmt: skip
def test_other_cores(case: tuple[str, str, str, str], ecfit: Ecfit, peer: MakePeer) -> None:
    target, body, status, words = case
    done = ecfit(
        "bench", "--lib", "mine", "--peer-dir", peer(f"(void)out; (void)in; {body}"), "--target",
        target, "--op", "ecdh", "--limit", "1000000", *QUIET,
    )  # fmt: skip
    (record,) = json.loads(done.out)
    assert done.code == 4
    assert record["status"].startswith(status)
    assert record["cycles"] is None
    assert words in record["detail"]
    assert words in done.error
