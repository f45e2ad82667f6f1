"""Code that no package carries: files of a checkout beside the manifest, with pinned hashes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from ecfit import cli
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import load_peer, outside_peers
from ecfit.errors import HashMismatchError, PackageError
from ecfit.paths import PEERS
from tools import outside

TOML = """
description = "one"
licence = "MIT"
library_version = "1"
[outside]
repository = "https://example.org/one"
commit = "0123456789abcdef"
sha256 = {{ "one.c" = "{}" }}
[curves]
secp256r1 = ["sign_message"]
"""


def test_files_are_asked_for_and_checked(tmp_path: Path) -> None:
    good = b"int one;\n"
    (tmp_path / "peer.toml").write_text(TOML.format(hashlib.sha256(good).hexdigest()))
    (tmp_path / "adapter.c").touch()
    peer = load_peer("one", tmp_path)
    with pytest.raises(PackageError, match=r"put one\.c of commit 01234567 of https://example"):
        code_folder(peer)
    (tmp_path / "one.c").write_bytes(b"int other;\n")
    with pytest.raises(HashMismatchError, match=r"one\.c has SHA-256 .* not used"):
        code_folder(peer)
    (tmp_path / "one.c").write_bytes(good)
    assert code_folder(peer) == tmp_path.resolve()


def test_manifests_pin_a_commit_and_every_file() -> None:
    for name, peer in outside_peers().items():
        pins = peer.outside
        assert pins is not None
        assert len(pins.commit) == 40
        assert all(len(pinned) == 64 for pinned in pins.sha256.values())
        assert {*pins.made} <= {*pins.sha256}
        for file in pins.sha256:
            assert not (PEERS / "outside" / name / file).exists(), "their code is not ours to carry"


def test_files_are_taken_from_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of a commit, from a bare repository; one is made of another, from Keil's syntax."""
    keil = (
        b"f proc\r\n\texport f ; why\r\n0\r\n\tbne %b0\r\n\tframe push {lr}\r\n\tendp\r\n\tend\r\n"
    )
    gnu = ".syntax unified\n.thumb\n.type f, %function\nf:\n.global f @ why\n0:\n\tbne 0b\n\n"
    gnu += ".size f, . - f\n.end\n"
    repository, folder = tmp_path / "git", tmp_path / "one"
    (repository / "src").mkdir(parents=True)
    (repository / "src" / "a.s").write_bytes(keil)
    commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]
    for command in (["init", "-q"], ["add", "."], commit):
        subprocess.run(["git", "-C", repository, *command], check=True)
    named = subprocess.run(
        ["git", "-C", repository, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    pins = {
        "a.s": hashlib.sha256(keil).hexdigest(),
        "b.s": hashlib.sha256(gnu.encode()).hexdigest(),
    }
    folder.mkdir()
    (folder / "adapter.c").touch()
    toml = TOML.replace("0123456789abcdef", named).replace('{{ "one.c" = "{}" }}', "{pins}")
    made = 'folder = "src"\n[outside.made]\n"b.s" = {{ of = "a.s", keil = true }}\n[curves]'
    text = ", ".join(f'"{name}" = "{pin}"' for name, pin in pins.items())
    toml = toml.replace("[curves]", made).replace("{{", "{").replace("}}", "}")
    (folder / "peer.toml").write_text(toml.replace("{pins}", f"{{ {text} }}"))
    peer = load_peer("one", folder)
    monkeypatch.setattr(outside, "outside_peers", lambda: {"one": peer})
    ask = ["outside.py", "-o", str(tmp_path / "out"), f"one={repository / '.git'}"]
    monkeypatch.setattr("sys.argv", ask)
    assert outside.main() == 0
    assert capfd.readouterr().out == f"--peer-dir one={tmp_path / 'out' / 'one'}\n"
    assert (tmp_path / "out" / "one" / "b.s").read_text() == gnu
    (folder / "peer.toml").write_text(
        (folder / "peer.toml").read_text().replace(pins["b.s"], "0" * 64)
    )
    peer = load_peer("one", folder)
    assert outside.main() == 2
    assert "b.s has SHA-256" in capfd.readouterr().err
    monkeypatch.setattr("sys.argv", ["outside.py", f"two={repository}"])
    assert outside.main() == 2
    assert "two" in capfd.readouterr().err


def test_without_the_code_a_row_says_what_to_do(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pinol"
    shutil.copytree(PEERS / "outside" / "pinol", folder)
    ask = ["bench", "--quiet", "--lib", "pinol", "--op", "keygen", "--target", "cc2538"]
    assert cli.run([*ask, "--peer-dir", f"pinol={folder}"]) == 3
    error = capfd.readouterr().err
    assert "package unavailable: pinol: put bigint.c of commit 32d13c63" in error
    assert error.count("\n") == 1
