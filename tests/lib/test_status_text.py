"""ecfit_status_text (STATUS_TEXT = english): in the tree and in what is handed over."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import header, resolve
from ecfit.paths import LIB
from ecfit.ship.amalgam import amalgam

INTERFACE = (LIB / "include" / "ecfit.h").read_text(encoding="utf-8")
CODES = {
    int(value): name for name, value in re.findall(r"^    (ECFIT_\w+) = (\d+)", INTERFACE, re.M)
}


def texts(folder: Path, *sources: str) -> list[str]:
    """What the library says of each status, and of one that does not exist."""
    command = ["cc", "-Os", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", "lib.so"]
    subprocess.run([*command, *sources], cwd=folder, check=True)
    text = ctypes.CDLL(str(folder / "lib.so")).ecfit_status_text
    text.restype = ctypes.c_char_p
    return [text(code).decode() for code in [*CODES, 99]]


@pytest.mark.parametrize("form", ["tree", "amalgam"])
def test_each_status_has_a_text_of_its_own(form: str, tmp_path: Path) -> None:
    settings = resolve(CURVES["x25519"], "tiny", {"STATUS_TEXT": "english"}, "w64")
    text = header(settings, ["x25519"])
    (tmp_path / "ecfit_config.h").write_text(text, encoding="utf-8")
    sources = [f"-I{tmp_path}", f"-I{LIB}/include", f"-I{LIB}/src", str(LIB / "src" / "ecfit.c")]
    if form == "amalgam":
        for name, content in amalgam(text, {}, "a test").files.items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        sources = ["ecfit.c"]
    found = texts(tmp_path, *sources)
    assert len(set(found)) == len(CODES) + 1
    assert found[-1] == "unknown status"
    assert all(len(one) < 30 and one.isascii() for one in found)


def test_it_is_left_out_by_default() -> None:
    settings = resolve(CURVES["x25519"], "tiny", {}, "w64")
    files = amalgam(header(settings, ["x25519"]), {}, "a test").files
    assert not any("status_text" in text for text in files.values())
    english = resolve(CURVES["x25519"], "tiny", {"STATUS_TEXT": "english"}, "w64")
    assert settings.key != english.key
