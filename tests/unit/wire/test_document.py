"""The document's table: what is kept is whole, and is read on 80 columns."""

from __future__ import annotations

import pytest

from ecfit.show.layout import lay_out, to_table
from ecfit_lab.tls.configs import DOCUMENT, TCP
from ecfit_lab.tls.record import TlsRecord
from ecfit_lab.wire import study
from ecfit_studies.commands import tls_document as tlsdocument
from tools.docs import studies


@pytest.fixture(scope="module")
def records() -> list[TlsRecord]:
    return studies.kept_tls()


def test_every_row_was_measured(records: list[TlsRecord]) -> None:
    """Linux, five chips and four boards at least, with each connection; in the plan's order."""
    assert [(study.name_of(c), c.connection.name, c.backend) for c in study.plan([])] == [
        ("host" if r.platform == "linux" else r.platform, r.connection,
         study.BACKENDS[0] if r.backend == "-" else r.backend)
        for r in records
    ]  # fmt: skip
    assert {r.status for r in records} == {"ok"}
    assert {r.runs for r in records} == {10}
    assert len(study.CHIPS) >= 5
    assert len(study.BOARDS) >= 4
    for platform in {r.platform for r in records}:
        assert {r.connection for r in records if r.platform == platform} == set(DOCUMENT)


def test_boards_and_chips_exchange_the_same_bytes(records: list[TlsRecord]) -> None:
    """But for the lengths of ECDSA's signatures in DER: two, each of 70 to 72 bytes mostly."""
    for name in DOCUMENT:
        sums = {
            (r.payload_sent_bytes or 0) + (r.payload_received_bytes or 0)
            for r in records
            if r.connection == name
        }
        assert max(sums) - min(sums) <= (8 if name == "tls1.3-ecdsa" else 0), name


def test_the_wire_costs_more_than_the_payload(records: list[TlsRecord]) -> None:
    wired = study.on_boards(records)
    assert {r.platform for r in wired} == set(study.BOARDS)
    for r in wired:
        assert r.wire_bytes == (r.wire_sent_bytes or 0) + (r.wire_received_bytes or 0)
        payload = (r.payload_sent_bytes or 0) + (r.payload_received_bytes or 0)
        assert r.wire_frames and r.wire_bytes >= payload + (r.wire_frames - 4) * 54
        assert r.flash["network"] > 20_000
        assert (r.connection == TCP) == (r.flash["tls"] == 0)


def test_every_client_of_a_board_has_room_in_128_and_64_kilobytes(
    records: list[TlsRecord],
) -> None:
    """On Xtensa, whose constants lie in RAM, in 136 and 72."""
    for r in study.on_boards(records):
        more = 8 if r.platform == "lx60" else 0
        assert r.flash_bytes and r.flash_bytes < (128 + more) << 10
        assert r.ram_bytes and r.ram_bytes < (64 + more) << 10


@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_table_is_read_at_this_width(
    records: list[TlsRecord], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns, cells = tlsdocument.first(records)
    laid = lay_out(columns, cells, width)
    names = [column.name for column in laid.columns]
    assert names[:4] == ["platform", "connection", "curves by", "handshake ms"]
    assert {"bytes", "peak B"} <= set(names)
    monkeypatch.setenv("COLUMNS", str(width))
    text = to_table(columns, cells, study.lines(records), colour=False)
    assert max(map(len, text.splitlines())) <= width
