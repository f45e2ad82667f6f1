"""Files that a user hands in: whatever is in them, one line and exit code 2, and that soon."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from ecfit import cli, documents
from ecfit.paths import DATA, LIB, PEERS

SECONDS = 5  # for one command, on a machine that works for others too
BRACKETS, DOTTED = b"[" * 100_000, b".".join([b"a"] * 50_000)
HOSTILE = {
    "brackets": b"a = " + BRACKETS,
    "braces": b"a = " + b"{b=" * 50_000,
    "brackets between comments": b"a = [ #]\n" + b"[ #]\n" * 40_000,
    "dotted key": DOTTED + b" = 1\n",
    "quoted key": b" . ".join([b'"a"'] * 30_000) + b" = 1\n",
    "dotted table": b"[" + DOTTED + b"]\n",
    "dotted key behind a string": b'a = ["""x""""", {' + DOTTED + b" = 1}]\n",
    "dotted key behind a literal": b"a = ['''x'''', {" + DOTTED + b" = 1}]\n",
    "digits": b"a = " + b"9" * 10_000,
    "objects": b'[{"a":' * 100_000,
    "brackets of JSON": BRACKETS,
    "members": b'[{"x":' + BRACKETS,
    "a member": b'{"x":' + BRACKETS,
    "not UTF-8": b'\xff = "\xff"',
    "a name of two lines": b'"a\\nb" = 1',
    "nothing": b"",
}
COMMANDS = {
    "target": ("bench", "--target-file", "{}"),
    "published": ("fidelity", "--published", "{}"),
    "peer": ("bench", "--lib", "mine", "--peer-dir", "mine={folder}"),
    "compare": ("compare", "{}", "{}"),
    "key": ("sensor", "--board", "mps2-an385", "--key", "{}"),
    "header": ("amalgamate", "--config", "{}", "-o", "{folder}/out"),
    "recording": ("tls", "--replay", "{}"),
    "sensors": ("gateway", "--sensors", "{}", "--keys", "{folder}", "--sqlite", "{folder}/r.db"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", [*HOSTILE, "too large"])
def test_one_line(
    command: str, name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every command that reads a file, every hostile file. None of them is valid anywhere."""
    path = tmp_path / "peer.toml"
    (tmp_path / "adapter.c").write_text("")
    if name == "too large":
        with path.open("wb") as file:
            file.truncate(1 << 32)
    else:
        path.write_bytes(HOSTILE[name])
    begin = time.monotonic()
    code = cli.run([part.format(path, folder=tmp_path) for part in COMMANDS[command]])
    took = time.monotonic() - begin
    lines = capfd.readouterr().err.splitlines()
    assert code == 2, lines
    assert len(lines) == 1, lines
    assert lines[0].startswith("ecfit: error: ")
    assert len(lines[0]) < 700
    assert took < SECONDS


FILES = sorted([*DATA.rglob("*.toml"), *PEERS.rglob("peer.toml"), LIB / "knobs.toml"])


@pytest.mark.check
def test_files_of_the_project_are_within_the_bounds() -> None:
    """With room: half of each bound."""
    for path in FILES:
        data = path.read_bytes()
        assert not documents._deep(data), path
        assert 2 * len(data) < documents.LARGEST_TOML, path


@pytest.mark.check
@pytest.mark.parametrize("deep", [1, documents.DEEPEST, documents.DEEPEST + 1])
def test_depth(deep: int) -> None:
    """At the bound it is read, beyond it is refused; strings and comments do not count."""
    noise = b'''x = "[[[[ . . \\" {" # [[[ {{{ . . .
y = """
[[[" "" \\""" {{{"""
z = \'\'\'{{{ '' [[\'\'\'
'''
    for data in (
        b"a = " + b"[" * deep + b"]" * deep,
        b"a = [\n" + b"{a.b=[" * (deep // 2) + b"[" * (deep % 2) + b"1" + b"]" * (deep % 2)
        + b"]}" * (deep // 2) + b"]",
        b".".join([b'"a"'] * deep) + b" = 1",
        b"[" + b".".join([b"a"] * deep) + b"]",
    ):  # fmt: skip
        if deep <= documents.DEEPEST - (b"\n" in data):
            assert documents.toml(noise + data, dict)
        elif deep > documents.DEEPEST:
            with pytest.raises(msgspec.DecodeError, match="more than 32"):
                documents.toml(noise + data, dict)
