"""Damaged ELF files in numbers (tools/fuzz/fuzz_elf.py): each is an image that loads and runs,
or one line.
"""

from __future__ import annotations

import struct
import time

import pytest

from ecfit.build.build import read_image
from ecfit.errors import BuildError, EcfitError
from tools.fuzz import fuzz_elf


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
