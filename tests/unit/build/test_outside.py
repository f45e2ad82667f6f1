"""Code that no package carries: files of a checkout beside the manifest, with pinned hashes."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from ecfit import cli
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import load_peer, outside_peers
from ecfit.errors import HashMismatchError, PackageError
from ecfit.paths import PEERS

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
    for name in ("micro-ecc-2013", "micro-ecc-2015", "pinol"):
        outside = outside_peers()[name].outside
        assert outside is not None
        assert len(outside.commit) == 40
        assert all(len(pinned) == 64 for pinned in outside.sha256.values())
        for file in outside.sha256:
            assert not (PEERS / "outside" / name / file).exists(), "their code is not ours to carry"


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
