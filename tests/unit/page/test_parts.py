"""Flash by module: bytes of functions by the source lines that made them."""

from __future__ import annotations

import pytest

from ecfit.model import Image, Line, Record, Symbol
from ecfit_studies.page.parts import CONSTANTS, FILES, FOREIGN, Part, parts


def record(flash: int, foreign: int) -> Record:
    return Record(
        library="x", library_version="1", curve="secp256r1", op="sign", image_ops="sign",
        target="samd20", core="cortex-m0plus", mode="datasheet", preset=None, config_key="0",
        toolchain="gcc 12.2.1", opt="Os", runner="sim", seed=1, runs=1, flash_bytes=flash,
        foreign_bytes=foreign,
    )  # fmt: skip


LINES = (
    Line(0x10, "./lib/src/field/mod.inc:7"),
    Line(0x18, "/some/where/lib/src/mp/thumb/mul.S:1"),
    Line(0x20, "packages/peer-1/src/curve.c:3"),
    Line(0x30, "firmware/bench_main.c:9"),
    Line(0x40, "../../libgcc/lib1funcs.S:2"),
    Line(0x50, "lib/src/ecfit.c:4"),
    Line(0x58, ""),
)


def symbols(*places: tuple[int, int]) -> tuple[Symbol, ...]:
    return tuple(Symbol(f"f{start}", start, size) for start, size in places)


@pytest.mark.parametrize(
    ("functions", "expected"),
    [
        (((0x10, 8),), [("field", "field", 8), (CONSTANTS, CONSTANTS, 86)]),
        (((0x10, 12),), [("mp", "mp", 4), ("field", "field", 8), (CONSTANTS, CONSTANTS, 82)]),
        (((0x20, 16),), [("curve.c", FILES, 16), (CONSTANTS, CONSTANTS, 78)]),
        (((0x30, 16), (0x40, 16)), [(CONSTANTS, CONSTANTS, 94)]),  # neither is the library's
        (((0x50, 32),), [("ct", "ct", 8), (CONSTANTS, CONSTANTS, 86)]),
        (((0x00, 8),), [(CONSTANTS, CONSTANTS, 94)]),  # before the first line that is known
    ],
)
def test_bytes_go_to_the_source_they_come_from(
    functions: tuple[tuple[int, int], ...], expected: list[tuple[str, str, int]]
) -> None:
    image = Image("key", functions=symbols(*functions), lines=LINES)
    found = parts(image, record(100, 6))
    assert Part(FOREIGN, FOREIGN, 6) in found
    assert [p for p in found if p.kind != FOREIGN] == [Part(*one) for one in expected]
    assert sum(part.bytes for part in found) == 100
