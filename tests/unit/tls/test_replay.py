"""Kept connections run again without a server: the counts that were kept, to the last cycle;
and what becomes of each when it is tampered with.

`tools/rigs/tls.py --check` does all of them on all chips with all back ends, `tls` every byte,
too; here is one connection on each of the chips, and a sample of the bytes of one image.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from ecfit import cli
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.errors import USAGE, UsageError
from ecfit.measure.store import Store
from ecfit.model import Image
from ecfit_lab.energy.links import find_link
from ecfit_lab.tls import certs, connections, phases, simrun
from ecfit_lab.tls.configs import MBEDTLS, TCP, WOLFSSL, find_connection
from ecfit_lab.tls.image import Client, image
from ecfit_lab.tls.link import GONE, LATE, Recording, Replay, read_recording, write_recording
from ecfit_lab.tls.phases import Flight
from ecfit_lab.tls.record import Network, TlsRecord, repeated, timed
from ecfit_lab.tls.simrun import CONNECTED, READY, Ran
from tools.rigs import tls
from tools.rigs import tls_attack as attack

SHARED = "dtls1.2-psk"
CHIP, NAME, BACKEND = "nrf52840", "tls1.3-ecdsa", "ecfit-fast"
ALL = os.environ.get("ECFIT_TLS") == "all"
EVERY = 1 if ALL else 61  # byte of the server's is flipped
FLIPPED = [NAME, "tls1.3-ecdsa-psk", "tls1.2-ecdsa-ticket"] if ALL else [NAME]
Run = Callable[[Recording], Ran]


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(find_target(CHIP), find_connection(NAME), BACKEND)


@pytest.fixture(scope="module")
def built(client: Client) -> Image:
    return image(client, all_peers(), Store())


@pytest.fixture(scope="module")
def kept() -> Recording:
    return read_recording(str(tls.KEPT / f"{NAME}.json"))


@pytest.fixture(scope="module")
def run(client: Client, built: Image) -> Run:
    """One run of a recording."""
    return lambda recording: connections.replayed(client, built, recording, "datasheet")[0]


MORE = [chip for chip in tls.CHIPS if chip not in (CHIP, "esp32c3")]  # in the outer ring


@pytest.mark.parametrize(
    ("name", "chip"),
    [
        ("tcp", CHIP),
        (SHARED, CHIP),
        pytest.param("dtls1.2-cid", CHIP, marks=pytest.mark.ci),
        pytest.param("edhoc", CHIP, marks=pytest.mark.ci),
        (NAME, CHIP),
        (NAME, "esp32c3"),
        *(pytest.param(NAME, chip, marks=pytest.mark.ci) for chip in MORE),
    ],
)
def test_counts_are_those_that_were_kept(name: str, chip: str) -> None:
    """Every field of the row: cycles, phases, flights, bytes, heap, stack, flash."""
    chosen = name, chip, BACKEND
    rows = dict(zip(tls.wanted(), tls.kept(), strict=True))
    row = msgspec.json.decode(msgspec.json.encode(tls.row(*chosen, Store())))
    assert row == rows[chosen]
    assert sum(row["phases"].values()) == row["handshake_cycles"]
    assert sum(row["flash"].values()) == row["flash_bytes"]


def test_every_connection_is_kept() -> None:
    """With both back ends it takes the same course: the same bytes, sent by different code."""
    assert {path.stem for path in tls.KEPT.glob("*.json")} == set(tls.names(MBEDTLS))
    assert {path.stem for path in tls.OWN.glob("*.json")} == tls.OTHER_COURSE
    assert {path.stem for path in tls.OTHER_STACK.glob("*.json")} == set(tls.names(WOLFSSL)) - {TCP}
    assert [(r["connection"], r["platform"]) for r in tls.kept()] == [w[:2] for w in tls.wanted()]
    fails = [row for row in tls.kept() if row["status"] != "ok"]
    assert {(row["connection"], row["status"] in tls.NO_ROOM) for row in fails} == {
        (tls.HYBRID, True)
    }


def test_parts_add_up_in_every_row() -> None:
    """Phases come from the profile, cycles from the counter, flights from the stream."""
    for row in msgspec.convert(tls.kept(), type=list[_Figures]):
        assert sum(row.phases.values()) == row.handshake_cycles
        assert sum(row.flash.values()) == row.flash_bytes
        assert sum(flight.bytes for flight in row.flights) == row.handshake_bytes
        times = [time for f in row.flights for time in (f.begin_cycles, f.end_cycles)]
        assert [0, *times, row.handshake_cycles] == sorted([0, *times, row.handshake_cycles])
        assert all(a.by != b.by for a, b in itertools.pairwise(row.flights))


def test_a_phase_that_is_left_out_is_seen() -> None:
    """The sum above can fail."""
    profile = {("client", "mbedtls_ssl_handshake"): 5, ("client", "psa_generate_key", "x"): 7}
    assert phases.by_phase(profile) == {**dict.fromkeys(phases.NAMES, 0), "key_share": 7,
                                        "messages": 5}  # fmt: skip
    assert phases.between({("client",): 3}, {("client",): 9, ("other",): 1}) == {
        ("client",): 6,
        ("other",): 1,
    }


def test_a_resumed_session_verifies_nothing_and_takes_less() -> None:
    """Than the full handshake with the same back end: without a signature or a certificate, and
    but for a ticket with a new key exchange, without elliptic curves at all.
    """
    usual = [row for row in tls.kept() if row["opt"] == tls.USUAL]
    rows = {(r.connection, r.backend): r for r in msgspec.convert(usual, type=list[_Figures])
            if r.platform == CHIP}  # fmt: skip
    for (name, backend), row in rows.items():
        resumes, full = find_connection(name).resumes, rows.get((f"{name[:6]}-ecdsa", backend))
        if not resumes or full is None:
            continue
        assert row.handshake_cycles < full.handshake_cycles
        assert row.phases["certificates"] == row.phases["signature"] == 0
        new_key = resumes == "ticket" and name.startswith("tls1.3")
        assert (row.phases["key_share"] > 0) == new_key


@pytest.mark.check
def test_levels_stand_side_by_side() -> None:
    """What others take is shown at both levels, and so is their smallest driver."""
    cycles = {str(tls.key(row)[2]): int(str(row["handshake_cycles"])) for row in tls.kept()
              if (row["connection"], row["platform"]) == (NAME, CHIP)}  # fmt: skip
    for backend in ("mbedtls", "p256-m", "ecfit-fast"):
        assert 0 < cycles[f"{backend} -O2"] < cycles[backend]
    assert cycles["mbedtls -O2"] < 0.8 * cycles["mbedtls"]


@pytest.mark.parametrize("backend", [BACKEND, tls.SMALLER])
def test_ours_needs_a_quarter_of_the_cycles_and_less_heap(backend: str) -> None:
    """Of Mbed TLS's own elliptic curves, on the nRF52840, and no more flash."""
    own, ours = (
        next(r for r in tls.kept() if (r["connection"], r["platform"], r["backend"]) == key)
        for key in ((NAME, CHIP, "mbedtls"), (NAME, CHIP, backend))
    )
    record = msgspec.convert([own, ours], type=list[_Figures])
    assert 4 * record[1].handshake_cycles < record[0].handshake_cycles
    assert record[1].heap_bytes < record[0].heap_bytes
    code = [figures.flash["ecc"] + figures.flash["bignum"] for figures in record]
    assert code[1] <= code[0]


@pytest.mark.parametrize(
    ("seconds", "times"), [(0.99, 0), (1.0, 0), (1.46, 1), (3.2, 2), (64, 6), (125, 7)]
)
def test_how_often_a_server_repeats_a_flight(seconds: float, times: int) -> None:
    """After 1, 3, 7, 15, 31, 63 and 123 seconds."""
    assert repeated(seconds) == times


def test_a_handshake_over_a_radio_link(tmp_path: Path) -> None:
    """TCP's opening and the flights of the kept connection on 802.15.4, counted by hand."""
    out = tmp_path / "row.json"
    words = ["tls", "--replay", str(tls.KEPT / f"{NAME}.json"), "--backend", BACKEND, "--quiet"]
    assert cli.run([*words, "--link", "802.15.4", "--format", "json", "-o", str(out)]) == 0
    row = json.loads(out.read_text("utf-8"))[0]
    segments = [24 - 6, 24 - 6, 20 - 6, *(f["bytes"] + 20 - 6 for f in row["flights"])]
    frames = sum(1 if s + 9 <= 104 else 1 + -(-(s + 9 - 96) // 96) for s in segments)
    assert (row["link"], row["frames"], row["repeats"]) == ("802.15.4", frames, None)
    assert row["handshake_ms"] == pytest.approx(row["compute_ms"] + row["air_ms"], abs=0.001)
    assert row["silence_ms"] == 0
    assert 60 < row["radio_uj"] / row["air_ms"] < 72  # milliwatts of receiving and sending


@pytest.mark.check
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["802.15.4-contikimac"], "that radio sleeps"),
        (["ble", "--rtt", "20ms"], "leave --rtt and --bandwidth out"),
        (["ble", "--board", "mps2-an386"], "for modelled chips"),
        (["wlan"], "unknown link 'wlan'"),
    ],
)
def test_links_that_cannot_be(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["tls", "--server", NAME, "--link", *words]) == USAGE
    assert said in capsys.readouterr().err


class _Figures(msgspec.Struct):
    platform: str
    connection: str
    backend: str
    handshake_cycles: int
    handshake_bytes: int
    heap_bytes: int
    flash_bytes: int
    phases: dict[str, int]
    flash: dict[str, int]
    flights: list[Flight]


@pytest.mark.parametrize("name", FLIPPED)
def test_a_flipped_byte_is_refused(client: Client, name: str) -> None:
    """Of a session that is resumed, in the second connection."""
    client = msgspec.structs.replace(client, connection=find_connection(name))
    built = image(client, all_peers(), Store())
    kept = read_recording(str(tls.kept_path(name, BACKEND)))

    def run(recording: Recording) -> Ran:
        return connections.replayed(client, built, recording, "datasheet")[0]

    whole = run(kept)
    first, last = whole.mark(READY), whole.mark(CONNECTED)
    assert first is not None
    assert last is not None
    places = [p for p in attack.places(kept, last.steps) if p.step >= first.steps]
    headers = {p.step: kept.steps[p.step].data for p in places}
    changes = [s for s, data in headers.items() if len(data) == 5 and data[0] == 0x14]

    def plain(step: int) -> tuple[int, ...]:
        """Types of records in the clear: behind a ChangeCipherSpec, TLS 1.2 seals its handshake."""
        return (0x14,) if any(change < step for change in changes) else (0x14, 0x16)

    for place in places[::EVERY]:
        word, sentence = connections.failure(run(attack.flipped(kept, place)))
        header = kept.steps[place.step].data
        if len(header) == 5 and header[0] in plain(place.step) and place.offset in (1, 2):
            assert word == "ok"  # the version of a record in the clear is ignored: RFC 8446, 5.1
        else:
            assert word not in ("ok", "refused"), (place, sentence)


def test_a_flipped_byte_of_a_datagram_is_refused() -> None:
    """But for what a record in the clear does not protect: the second byte of its version, and the
    number of a ChangeCipherSpec (RFC 6347, 4.1).
    """
    client = Client(find_target(CHIP), find_connection(SHARED), BACKEND)
    built = image(client, all_peers(), Store())
    kept = read_recording(str(tls.kept_path(SHARED, BACKEND)))
    last = connections.replayed(client, built, kept, "datasheet")[0].mark(CONNECTED)
    assert last is not None
    places = [*attack.places(kept, last.steps)]
    for place in places[:: 1 if ALL else 5]:
        ran, _ = connections.replayed(client, built, attack.flipped(kept, place), "datasheet")
        word, sentence = connections.failure(ran)
        if word == "ok":
            assert place.offset in _unprotected(kept.steps[place.step].data)
        else:
            assert word != "refused", (place, sentence)
            assert ran.end.payload_bytes == 0


def _unprotected(datagram: bytes) -> set[int]:
    """Where a datagram has these bytes."""
    at, offsets = 0, set[int]()
    while at < len(datagram):
        if datagram[at + 3 : at + 5] == b"\0\0":  # of the first epoch
            offsets |= {at + 1, *(range(at + 5, at + 11) if datagram[at] == 0x14 else ())}
        at += 13 + int.from_bytes(datagram[at + 11 : at + 13], "big")
    return offsets


def test_a_record_carries_the_connection_id_of_the_server() -> None:
    """RFC 9146, 4: type 25 and the ID, here 0x53, before the length, in what the client sends under
    its keys outside the handshake; the server asked for a cookie first, and the row says so.
    """
    for name in (name for name in tls.names(MBEDTLS) if name.startswith("dtls")):
        steps = read_recording(str(tls.KEPT / f"{name}.json")).steps
        assert (steps[-1].what, steps[-1].data[0], steps[-1].data[11]) == ("send", 25, 0x53)
        flights = [r["flights"] for r in tls.kept() if r["connection"] == name]
        asked = [[f.cookie for f in row] for row in msgspec.convert(flights, list[list[Flight]])]
        assert {tuple(row[:4]) for row in asked} == {(False, True, False, False)}


def test_slow_curves_make_a_server_repeat_its_flight() -> None:
    """With Mbed TLS's on each chip, over 802.15.4; with this library on none."""
    rows = [row for row in tls.kept() if row["connection"] == "dtls1.2-cid"]
    for row in rows:
        record = msgspec.convert(row | {"stack": MBEDTLS}, TlsRecord)
        over = timed(record, find_target(record.platform), Network(link=find_link("802.15.4")))
        quick = record.backend == BACKEND or record.platform == "esp32c3"
        assert over.repeats == (0 if quick else 2 if record.platform == "samd21" else 1), over
    assert len(rows) == 2 * len(tls.CHIPS)


@pytest.mark.parametrize(
    ("result", "word"), [(0, "server closed"), (GONE, "server closed"), (LATE, "server stalled")]
)
def test_a_server_that_goes_away(run: Run, kept: Recording, result: int, word: str) -> None:
    steps = attack.receives(kept.steps)
    for step in (steps[0], steps[3], steps[-1]):
        late = step == steps[-1] and result != LATE  # the handshake is done by then
        expected = "payload cut short" if late else word
        assert connections.failure(run(attack.cut(kept, step, result)))[0] == expected


def test_a_record_that_is_cut_short(run: Run, kept: Recording) -> None:
    steps = attack.receives(kept.steps)
    for step in (steps[0], steps[1], steps[6], steps[-1]):
        expected = "payload cut short" if step == steps[-1] else "server closed"
        assert connections.failure(run(attack.truncated(kept, step)))[0] == expected


@pytest.mark.parametrize("heap", [0, 100, 1000, 5000, 7000, 9000, 10_000])
def test_too_small_a_heap(client: Client, built: Image, kept: Recording, heap: int) -> None:
    """A device that leaves the heap less than the connection needs."""
    free = built.symbols["image_stack_top"] - built.symbols["image_stack_limit"]
    link = Replay(kept)
    mode = client.target.mode("datasheet")
    ran = simrun.run(client, built, mode, link, kept, stack_bytes=free - heap)
    word, sentence = connections.failure(ran)
    assert word == "out of memory", sentence


def test_secrets_of_the_key_exchange_and_of_the_client_decide_nothing(client: Client) -> None:
    """But whether a draw of the private key, and the client's own, is in range, which is public.
    The cipher's tables show that secrets are followed.
    """
    mutual = "tls1.3-ecdsa-mutual"
    client = msgspec.structs.replace(client, connection=find_connection(mutual))
    kept = read_recording(str(tls.kept_path(mutual, BACKEND)))
    found = connections.follow(client, all_peers(), Store(), kept, "datasheet")
    mine = [place for place in found if place.phase not in ("records", "messages")]
    assert [(place.function, place.of) for place in mine] == [
        ("ecfit_transparent_import_key", "private key of the client"),
        ("ecfit_transparent_generate_key", "random bytes"),
    ]
    assert any(place.function == "mbedtls_internal_aes_encrypt" for place in found)


def test_the_private_part_of_a_key_is_where_it_is_said_to_be() -> None:
    given = certs.make(find_connection("tls1.3-ecdsa-mutual"))
    begin, size = certs.private_part(given.key)
    number = int.from_bytes(given.key[begin : begin + size], "big")
    own = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    assert size == 32
    assert own == x509.load_der_x509_certificate(given.certificate).public_key()
    assert certs.private_part(b"") == (0, 0)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", '{"schema": 2}', "\xff", '{"connection": "tls9"}', "null"],
)
def test_what_is_no_recording(text: str, tmp_path: object) -> None:
    path = f"{tmp_path}/recording.json"
    with open(path, "w", encoding="latin-1") as file:  # noqa: PTH123
        file.write(text)
    with pytest.raises(UsageError, match=r"recording\.json"):
        read_recording(path)


def test_a_recording_stays_what_it_is(kept: Recording, tmp_path: object) -> None:
    path = f"{tmp_path}/again.json"
    write_recording(path, kept)
    assert read_recording(path) == kept
