"""Reading images: what a broken file ends in, and what the linker map says; damaged files in
numbers (tools/fuzz/fuzz_elf.py): each is an image that loads and runs, or one line.
"""

from __future__ import annotations

import struct
import time
from pathlib import Path

import pytest

from ecfit.build import build
from ecfit.build.build import read_image
from ecfit.build.elf import Elf, foreign_bytes
from ecfit.build.parts import NULL, null_parts, own_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.targets import find_target
from ecfit.errors import BuildError, EcfitError
from ecfit.model import Configuration
from tools.fuzz import fuzz_elf

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


# ---- damaged files in numbers --------------------------------------------------------------------


def test_damaged_files_end_in_one_line() -> None:
    ends = fuzz_elf.fuzz(seed=1, files=250)
    assert ends["refused"] > 50
    assert sum(ends.values()) - ends["refused"] > 50, ends


def test_the_fuzzer_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(*_: object, **__: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr("ecfit.build.build.Elf", careless)
    with pytest.raises(fuzz_elf.OddEndError, match="IndexError") as caught:
        fuzz_elf.fuzz(seed=1, files=1)
    assert caught.value.data


def test_a_hang_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.fuzz.fuzz_elf.HANG", 1)
    monkeypatch.setattr("ecfit.build.build.Elf", lambda *_, **__: time.sleep(30))
    with pytest.raises(fuzz_elf.OddEndError, match="not done after 1 s"):
        fuzz_elf.fuzz(seed=1, files=1)


def program_header(data: bytes, index: int) -> int:
    return int(struct.unpack_from("<I", data, 28)[0]) + 32 * index


def test_overlapping_segments() -> None:
    good, map_text = fuzz_elf.seed_file(lines=False)
    data = bytearray(good)
    first = program_header(good, 0)
    data += data[first : first + 32] * 2  # the table again, at the end, with one segment twice
    struct.pack_into("<I", data, 28, len(good))
    struct.pack_into("<H", data, 44, 2)
    with pytest.raises(BuildError, match=r"segments of the image overlap at 0x0000"):
        read_image(fuzz_elf.request(lines=False), bytes(data), map_text)


def test_a_segment_with_more_bytes_than_memory() -> None:
    """Of a foreign file without sections, whose segments are what is loaded."""
    good, _ = fuzz_elf.seed_file(lines=False)
    data = bytearray(good)
    struct.pack_into("<3H", data, 46, 0, 0, 0)  # e_shentsize, e_shnum, e_shstrndx
    struct.pack_into("<I", data, 32, 0)  # e_shoff
    struct.pack_into("<I", data, program_header(good, 0) + 20, 1)  # p_memsz
    with pytest.raises(EcfitError, match="more bytes in the file than in memory"):
        fuzz_elf.call(bytes(data))


def test_symbols_that_the_harness_needs() -> None:
    good, map_text = fuzz_elf.seed_file(lines=False)
    damaged = good.replace(b"\0bench_pool\0", b"\0bench_poor\0").replace(
        b"\0image_stack_limit\0", b"\0image_stack_lamit\0"
    )
    with pytest.raises(
        BuildError, match="the image lacks what the harness needs: bench_pool, image_stack_limit"
    ):
        read_image(fuzz_elf.request(lines=False), damaged, map_text)


@pytest.mark.parametrize("entry_size", [0, 1, 8])
def test_symbol_table_with_entries_of_another_size(entry_size: int) -> None:
    """It would have any number of them."""
    good, map_text = fuzz_elf.seed_file(lines=False)
    data = bytearray(good)
    (at,), (size, number) = struct.unpack_from("<I", good, 32), struct.unpack_from("<2H", good, 46)
    for index in range(number):
        header = at + size * index
        if struct.unpack_from("<I", good, header + 4)[0] == 2:  # SHT_SYMTAB
            struct.pack_into("<I", data, header + 36, entry_size)
    with pytest.raises(BuildError, match=r"symbol table|entry size"):
        read_image(fuzz_elf.request(lines=False), bytes(data), map_text)
