"""The CoAP server under sanitizers: a moment of `tools/fuzz/run.sh coap`, and a planted bug."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "firmware" / "net" / "coap.c"
PLANTED = "r->token_size > sizeof r->token || "  # what keeps a token in its place


def fuzzed(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "coap.c").write_text(text, encoding="utf-8")
    program = folder / "fuzz"
    flags = ["-std=c11", "-g1", "-O1", "-fsanitize=address,undefined,fuzzer"]
    flags += ["-fno-sanitize-recover=all", f"-I{SERVER.parent}"]
    sources = [str(ROOT / "tests" / "board" / "fuzz_coap.c"), str(folder / "coap.c")]
    subprocess.run(["clang", *flags, *sources, "-o", str(program)], timeout=120, check=True)
    return subprocess.run(
        [str(program), "-runs=30000", "-seed=1", "-max_len=300", f"-artifact_prefix={folder}/"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("planted", [False, True])
def test_any_datagrams(planted: bool, tmp_path: Path) -> None:
    text = SERVER.read_text(encoding="utf-8")
    assert text.count(PLANTED) == 1
    done = fuzzed(tmp_path, text.replace(PLANTED, "") if planted else text)
    assert (done.returncode != 0) == planted, done.stderr[-2000:]
