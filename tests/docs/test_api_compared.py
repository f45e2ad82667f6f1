"""The page that compares interfaces: our code compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "api-compared.md").read_text(encoding="utf-8")


def test_our_five_tasks_compile(tmp_path: Path) -> None:
    code = PAGE.partition("```c\n")[2].partition("```")[0]
    source = tmp_path / "tasks.c"
    source.write_text(f'#include "ecfit.h"\n{code}')
    include = [f"-I{ROOT / 'lib' / name}" for name in ("include", "src")]
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *include]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
