"""Reading images: what a broken file ends in, and what the linker map says."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from ecfit.build import build
from ecfit.build.elf import Elf, foreign_bytes
from ecfit.build.parts import NULL, null_parts, own_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.targets import find_target
from ecfit.errors import BuildError
from ecfit.model import Configuration

MAP = """
Archive member included to satisfy reference by file (symbol)

Linker script and memory map

.bench          0x00000010       0x20
 .text.glue     0x00000010       0x20 /usr/lib/libc_nano.a(libc_a-never.o)

.text           0x00000040       0x68
 *(.text .text.*)
 .text.ours     0x00000040       0x20 lib_0_ecfit.o
 .text.memset   0x00000060       0x10 /usr/lib/thumb/libc_nano.a(libc_a-memset.o)
 *fill*         0x00000070        0x8
 .text.a_very_long_section_name_indeed
                0x00000078       0x24 /usr/lib/gcc/libgcc.a(_muldi3.o)
                0x00000079                __aeabi_lmul
 .rodata.ours   0x0000009c        0x4 lib_0_ecfit.o

.data           0x10000000        0x4
 .data.errno    0x10000000        0x4 /usr/lib/thumb/libc_nano.a(libc_a-impure.o)

.bss            0x10000004        0x8
 .bss.x         0x10000004        0x8 /usr/lib/thumb/libc_nano.a(libc_a-x.o)
"""


def test_foreign_bytes() -> None:
    assert foreign_bytes(MAP) == 0x10 + 0x24 + 0x4


def request() -> Request:
    target, curve = find_target("lpc1114"), CURVES["secp256r1"]
    null = Configuration(NULL, None, ())
    return Request(
        target,
        null,
        curve.name,
        OPS,
        find_toolchain("gcc", "armv6m", target.core, "Os"),
        null_parts(),
    )


@pytest.fixture(scope="module")
def elf_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The ELF file of the empty image, as the linker leaves it."""
    folder = tmp_path_factory.mktemp("build")
    build._build_bare(request(), folder)
    return (folder / "image.elf").read_bytes()


def test_good_image(elf_bytes: bytes) -> None:
    elf = Elf(elf_bytes, "EM_ARM")
    assert {
        "bench_ecdh",
        "bench_arena",
        "bench_pool",
        "bench_return",
        "image_stack_top",
    } <= elf.symbols.keys()
    assert elf.sections == {".text": 0, ".data": 0, ".bss": 0}
    assert [segment.address for segment in elf.segments] == [0]


@pytest.mark.parametrize("size", [0, 3, 40, 52, 80, 200, 400])
def test_cut_short(elf_bytes: bytes, size: int) -> None:
    with pytest.raises(BuildError):
        Elf(elf_bytes[:size], "EM_ARM")


def test_segment_behind_the_end(elf_bytes: bytes) -> None:
    (offset,) = struct.unpack_from("<I", elf_bytes, 28)  # e_phoff
    data = bytearray(elf_bytes)
    struct.pack_into("<I", data, offset + 16, 0x100000)  # p_filesz
    with pytest.raises(BuildError, match="cut short"):
        Elf(bytes(data), "EM_ARM")


def test_wrong_machine(elf_bytes: bytes) -> None:
    with pytest.raises(BuildError, match="for EM_ARM, not for EM_RISCV"):
        Elf(elf_bytes, "EM_RISCV")


def test_not_an_elf() -> None:
    with pytest.raises(BuildError, match="not a readable ELF"):
        Elf(b"MZ" + bytes(200), "EM_ARM")


def test_images_do_not_depend_on_folders(tmp_path: Path) -> None:
    """Two scratch folders, one image: no path and no date in it."""
    images = []
    for name in ("a", "a-much-longer-folder-name"):
        (tmp_path / name).mkdir()
        target, curve = find_target("lpc1114"), CURVES["secp256r1"]
        configuration = knobs.resolve(curve, "tiny", {}, target.backend)
        parts = own_parts(configuration, curve.name, ("ecdh",))
        toolchain = find_toolchain("gcc", "armv6m", target.core, "Os")
        own = Request(target, configuration, curve.name, ("ecdh",), toolchain, parts)
        images.append(build._build_bare(own, tmp_path / name))
    assert images[0] == images[1]
