"""The content key of an image moves with every file that its build reads, and with no other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ecfit.build import build, parts, request
from ecfit.build.parts import null_parts, own_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain, flags_key
from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.paths import FIRMWARE

OPS = ("keygen", "ecdh")
EVERY = {
    "bench_op.h",
    "bench_main.c",
    "cortexm/startup.c",
    "cortexm/bench_stop.h",
    "cortexm/image.ld.in",
}
NATIVE = {"bench_op.h", "bench_host.c"}


@pytest.fixture
def firmware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, folder)
    monkeypatch.setattr(build, "FIRMWARE", folder)
    monkeypatch.setattr(request, "FIRMWARE", folder)
    monkeypatch.setattr(parts, "FIRMWARE", folder)
    return folder


def keys(target_name: str) -> dict[str, str]:
    """The keys of an image of this library for each kind of adapter,
    and of one that is another's.
    """
    target, found = find_target(target_name), {}
    toolchain = find_toolchain("gcc", target.arch, target.core, "Os")
    for name, sets in (("P-256", {}), ("x25519", {}), ("P-256", {"SHA256": "caller"})):
        curve = find_curve(name)
        configuration = resolve(curve, "balanced", sets, target.backend)
        brings = own_parts(configuration, curve.name, OPS)
        label = " ".join((name, *sets))
        found[label] = Request(target, configuration, curve.name, OPS, toolchain, brings).key
    other = Request(target, configuration, curve.name, OPS, toolchain, null_parts())
    return {**found, "other": other.key}


@pytest.mark.parametrize(
    ("target", "file", "moved"),
    [
        *(("samd20", name, {"P-256", "x25519", "P-256 SHA256", "other"}) for name in sorted(EVERY)),
        *(("host", name, {"P-256", "x25519", "P-256 SHA256", "other"}) for name in sorted(NATIVE)),
        ("samd20", "adapter_ecfit.c", {"P-256", "P-256 SHA256"}),
        ("samd20", "adapter_ecfit_montgomery.c", {"x25519"}),
        ("samd20", "adapter_ecfit_edwards.c", set()),
        ("samd20", "caller_sha256.c", {"P-256 SHA256"}),
        ("samd20", "bench_host.c", set()),
        ("samd20", "rv32/startup.c", set()),
        ("samd20", "board/main.c", set()),
        ("host", "cortexm/startup.c", set()),
    ],
)
def test_key_moves_with_what_is_read(
    firmware: Path, target: str, file: str, moved: set[str]
) -> None:
    before = keys(target)
    assert len(set(before.values())) == len(before)
    with (firmware / file).open("a", encoding="utf-8") as text:
        text.write("\n/* changed */\n")
    after = keys(target)
    assert {name for name, key in after.items() if key != before[name]} == moved


def test_a_named_compiler_is_told_from_another_that_says_the_same(tmp_path: Path) -> None:
    """Two programs with one version line: their hashes are part of the key."""
    gcc = shutil.which("arm-none-eabi-gcc")
    keys = []
    for name, flag in (("one", ""), ("other", "-fno-inline")):
        (tmp_path / name).write_text(f'#!/bin/sh\nexec {gcc} {flag} "$@"\n')
        (tmp_path / name).chmod(0o755)
        for _ in range(2):
            tools = find_toolchain("gcc", "armv6m", "cortex-m0", "Os", str(tmp_path / name))
            keys.append(flags_key(tools))
    assert keys[0] == keys[1] != keys[2] == keys[3]
    assert tools.version == find_toolchain("gcc", "armv6m", "cortex-m0", "Os").version
