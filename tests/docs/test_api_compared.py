"""The page that compares interfaces: our code compiles, calls of others are in their adapters."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "api-compared.md").read_text(encoding="utf-8")
PEERS = {
    "monocypher": ("crypto_x25519", "crypto_ed25519"),
    "libsodium": ("crypto_scalarmult", "crypto_sign"),
    "p256-m": ("p256_",),
    "micro-ecc": ("uECC_",),
}


def test_our_five_tasks_compile(tmp_path: Path) -> None:
    code = PAGE.partition("```c\n")[2].partition("```")[0]
    source = tmp_path / "tasks.c"
    source.write_text(f'#include "ecfit.h"\n{code}')
    include = [f"-I{ROOT / 'lib' / name}" for name in ("include", "src")]
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *include]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("peer", PEERS)
def test_the_calls_of_others_are_called_in_their_adapters(peer: str) -> None:
    named = {name for name in re.findall(r"`(\w+)\(", PAGE) if name.startswith(PEERS[peer])}
    adapter = (ROOT / "peers" / peer / "adapter.c").read_text(encoding="utf-8")
    assert len(named) >= 4
    assert [name for name in named if f"{name}(" not in adapter] == []
