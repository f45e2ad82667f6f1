"""tools/foreign: the implementations that are here anyway, and whether a wrong cell is seen."""

from __future__ import annotations

import asyncio
import random
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from ecfit.oracle.keyreader import public_key
from ecfit_lab.message import jss
from ecfit_lab.message.algorithms import Key
from tools.foreign import coap, foreign, images, table, tls, tls_peer, vectors
from tools.rigs.sensor_fleet import Signer

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
    cases = [library.case(curve, rng) for curve in foreign.TRIED for _ in range(3)]
    rows = foreign.asked(library, name, HERE[name], cases)
    assert not any(row.failed for row in rows), rows
    assert sum(row.passed for row in rows) >= 15


@pytest.mark.parametrize("curve", ["secp256r1", "ed25519", "x25519"])
def test_a_wrong_cell_is_seen(library: foreign.Library, curve: str, tmp_path: Path) -> None:
    """A signature, and a shared secret, of which one bit was changed."""
    case = library.case(curve, random.Random(1))
    name = {"secp256r1": "der", "ed25519": "raw", "x25519": "shared"}[curve]
    case[name] = case[name][:-1] + f"{int(case[name][-1], 16) ^ 1:x}"
    rows = foreign.asked(library, "openssl", HERE["openssl"], [case])
    assert any(row.failed and row.wrong for row in rows), rows
    answer = tmp_path / "peer.py"
    answer.write_text("import sys; sys.exit('no such curve')")
    with pytest.raises(RuntimeError, match="no such curve"):
        foreign.asked(library, "openssl", [sys.executable, str(answer)], [case])


def test_a_client_of_others_asks_the_sensor(tmp_path: Path) -> None:
    """Over the good link alone, which lets the numbers of notifications wrap."""
    peer = [sys.executable, str(foreign.HERE / "coap_peer.py"), "aiocoap"]
    rows = asyncio.run(coap.asked("aiocoap", peer, tmp_path, coap.LINKS[:1]))
    assert [(row.passed, row.failed) for row in rows] == [(7, 0)], rows


def test_the_gateway_observes_a_server_of_others(tmp_path: Path) -> None:
    """Six readings over both links, in blocks."""
    peer = [sys.executable, str(foreign.HERE / "coap_peer.py"), "aiocoap"]
    rows = asyncio.run(coap.observed({"aiocoap": peer}, tmp_path, coap.LINKS[:1]))
    assert [(row.passed, row.failed) for row in rows] == [(coap.READINGS + 2, 0)], rows


def test_a_wrong_answer_of_a_sensor_is_seen() -> None:
    key = Key("ed25519", bytes(32))
    assert coap.right("critical", "4.02", b"", key, [])
    for what, code in (
        ("critical", "2.05"),
        ("ping", "none"),
        ("whole", "4.04"),
        ("whole", "2.05"),
    ):
        assert not coap.right(what, code, b"{}", key, [])


def test_a_bad_link_excuses_what_its_rule_says_alone() -> None:
    """Late answers of go-coap, and blocks that node-coap has twice; not another wrong answer."""
    signer = Signer()
    key = Key(*public_key(signer.pem()))
    reading = jss.write({"measurement_id": 1, "pad": "abcdefghijklmnop"}, "ES256", signer)
    assert len(reading) % 64
    double = reading[:64] + reading[:128] + reading[64:] + reading[len(reading) // 64 * 64 :]
    good, bad = coap.LINKS
    late = ("whole", coap.LATE_WORDS, b"")
    assert coap.excused("node-coap", bad, ("whole", "2.05", double), key) == "RFC 7252, 4.5"
    for answer in (late, ("observed", coap.LATE_WORDS, b"")):
        assert coap.excused("go-coap", bad, answer, key) == "RFC 7252, 4.2"
    for called, link, answer in (
        ("node-coap", good, ("whole", "2.05", double)),
        ("node-coap", bad, ("whole", "2.05", double[:-1])),
        ("node-coap", bad, ("whole", "4.04", b"")),
        ("node-coap", bad, late),
        ("go-coap", good, late),
        ("go-coap", bad, ("whole", "4.04", b"")),
        ("go-coap", bad, ("whole", "2.05", double)),
        ("go-coap", bad, ("observed", "4.04", b"")),
        ("aiocoap", bad, late),
    ):
        assert coap.excused(called, link, answer, key) == "", (called, link, answer)


def test_a_malformed_server_is_judged() -> None:
    """Served, refused by the client itself, by a rule; and neither."""
    own, closed = ("unexpected error got: stderr: refused: %s, stage 1, alert 0, payload 0",) * 2
    assert tls.judged("Any", "unexpected failure got: stdout: served") == ""
    assert tls.judged("Any", own % -0x6600) == "RFC 8446, 6.2"
    assert tls.judged("KeyUpdate-ToClient", "unexpected failure") == "RFC 8446, 4.6.3"
    for error in (closed % -0x7280, "unexpected error got: stdout: served", "unexpected failure"):
        assert tls.judged("Any", error) is None, error


def test_a_wrong_vector_is_seen() -> None:
    def wrong() -> Counter[str]:
        raise AssertionError("tcId 7\nassert 0 == 3")

    assert vectors.row("x", "y", wrong) == table.Row("vectors, x", "y", 0, 1, wrong=("tcId 7",))
    assert vectors.row("x", "y", lambda: Counter("aab")).passed == 3


def test_a_shim_skips_what_the_client_has_not() -> None:
    """BoringSSL's runner counts exit code 89 as not tried."""
    for words in (["-port", "1", "-server"], ["-dtls"], ["-resume-count", "1"]):
        with pytest.raises(SystemExit) as end:
            tls_peer.asked(words)
        assert end.value.code == tls_peer.NOT_HERE == 89
    assert tls_peer.asked(["-port", "1", "-async"]) == {"-port": "1", "-async": ""}


def test_an_object_with_another_result_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gcc = next(images.compilers())
    assert images.tried(gcc, "Cortex-M4", "-g", tmp_path) is None
    monkeypatch.setattr(images, "C", images.C.replace("edb88320", "edb88321"))
    assert "exit code 4" in (images.tried(gcc, "Cortex-M4", "-g", tmp_path) or "")


def test_the_table_fits_a_terminal() -> None:
    rule = next(iter(table.RULES))
    rows = [table.Row("gateway, good link", "californium 3.14.0", 1, 2, 240, rule, ("x" * 400,))]
    lines = table.text(rows).splitlines()
    assert max(len(line) for line in lines if line.startswith("|")) <= 80
    assert f"| 240: {rule} |" in lines[2]
    assert lines[-1].startswith("gateway, good link, californium 3.14.0: xxx")
