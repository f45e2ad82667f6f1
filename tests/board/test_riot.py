"""tools/rigs/riot.py: what it says of a wrong checkout; its check of a reading can fail."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from tools.rigs import riot


def test_a_folder_that_is_no_riot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (f"riot={tmp_path}", f"zephyr={tmp_path}"):
        monkeypatch.setattr("sys.argv", ["riot.py", "--peer-dir", words])
        with pytest.raises(SystemExit, match="2"):
            riot.main()
        error = capsys.readouterr().err.splitlines()[-1]
        assert error.endswith(f"--peer-dir is riot=CHECKOUT of RIOT-OS/RIOT, not '{words}'")


def test_a_changed_reading_is_refused(tmp_path: Path) -> None:
    """The key is that of the example's main.c, as a gateway has it."""
    private = ec.derive_private_key(riot.PRIVATE, ec.SECP192R1())
    reading: dict[str, Any] = {
        "chip_temp": 20953,
        "jss.protected": {"alg": "ES192"},
        "measurement_id": 34,
    }
    r, s = utils.decode_dss_signature(
        private.sign(rfc8785.dumps(reading), ec.ECDSA(hashes.SHA256()))
    )
    raw = r.to_bytes(24, "big") + s.to_bytes(24, "big")
    message = reading | {"jss.signature": base64.urlsafe_b64encode(raw).decode()}
    path = tmp_path / "riot.pem"
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    path.write_bytes(private.public_key().public_bytes(serialization.Encoding.PEM, form))
    riot.verify(path, json.dumps(message).encode())
    with pytest.raises(InvalidSignature):
        riot.verify(path, json.dumps(message | {"chip_temp": 20954}).encode())
    source = (riot.APPLICATION / "main.c").read_text(encoding="utf-8")
    assert "{1,  2,  3,  4,  5," in source
