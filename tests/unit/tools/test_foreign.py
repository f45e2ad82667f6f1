"""tools/foreign: the implementations that are here anyway, and whether a wrong cell is seen."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

from tools.foreign import foreign

pytestmark = pytest.mark.ci  # it compiles the library

PEER = [sys.executable, str(foreign.HERE / "peer.py")]
HERE = {"openssl": [*PEER, "openssl"], "python-cwt": [*PEER, "python-cwt"]}
HERE |= {"go": ["go", "run", str(foreign.HERE / "peer.go")]} if shutil.which("go") else {}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> foreign.Library:
    return foreign.Library(tmp_path_factory.mktemp("foreign"))


@pytest.mark.parametrize("name", HERE)
def test_others_agree(library: foreign.Library, name: str) -> None:
    rng = random.Random(name)
    cases = [library.case(curve, rng) for curve in foreign.CURVES for _ in range(3)]
    rows = foreign.asked(library, name, HERE[name], cases)
    assert {row[3] for row in rows} == {"0"}, rows
    assert len(rows) >= 5


@pytest.mark.parametrize("curve", ["secp256r1", "ed25519", "x25519"])
def test_a_wrong_cell_is_seen(library: foreign.Library, curve: str, tmp_path: Path) -> None:
    """A signature, and a shared secret, of which one bit was changed."""
    case = library.case(curve, random.Random(1))
    name = {"secp256r1": "der", "ed25519": "raw", "x25519": "shared"}[curve]
    case[name] = case[name][:-1] + f"{int(case[name][-1], 16) ^ 1:x}"
    rows = foreign.asked(library, "openssl", HERE["openssl"], [case])
    assert any(int(row[3]) for row in rows), rows
    answer = tmp_path / "peer.py"
    answer.write_text("import sys; sys.exit('no such curve')")
    with pytest.raises(RuntimeError, match="no such curve"):
        foreign.asked(library, "openssl", [sys.executable, str(answer)], [case])
