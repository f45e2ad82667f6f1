"""EDHOC: the responder against the RFC's trace, the client against the responder, OSCORE against
aiocoap, and messages that are not what they should be.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

import aiocoap
import msgspec
import pytest
from aiocoap import oscore

from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.errors import MissingToolError, UsageError
from ecfit.measure.store import Store
from ecfit.model import Image
from ecfit_lab.tls import connections, edhoc
from ecfit_lab.tls.certs import Credentials
from ecfit_lab.tls.configs import find_connection
from ecfit_lab.tls.edhoc import EdhocServer, RefusedError, Responder
from ecfit_lab.tls.image import Client, check, image
from ecfit_lab.tls.link import Recording, read_recording
from ecfit_lab.tls.server import PAYLOAD
from ecfit_lab.tls.simrun import CONNECTED, Ran
from tools.rigs import tls, tls_servers
from tools.rigs import tls_attack as attack

CHIP, BACKEND = "nrf52840", "ecfit-fast"
EVERY = 1 if os.environ.get("ECFIT_TLS") == "all" else 3  # byte of the responder's is flipped
# RFC 9529, 3: static Diffie-Hellman, claims sets identified by kid.
CRED_I = bytes.fromhex(
    "a2027734322d35302d33312d46462d45462d33372d33322d333908a101a5010202412b2001215820ac75e9ece3e50bfc"
    "8ed60399889522405c47bf16df96660a41298cb4307f7eb62258206e5de611388a4b8a8211334ac7d37ecb52a387d257"
    "e6db3c2a93df21ff3affc8"
)
CRED_R = bytes.fromhex(
    "a2026b6578616d706c652e65647508a101a501020241322001215820bbc34960526ea4d32e940cad2a234148ddc21791"
    "a12afbcbac93622046dd44f02258204519e257236b2a0ce2023f0931f1f386ca7afda64fcde0108c224c51eabf6072"
)
KEY_I = bytes.fromhex("fb13adeb6518cee5f88417660841142e830a81fe334380a953406a1305e8706b")
KEY_R = bytes.fromhex("72cc4761dbd4c78f758931aa589d348d1ef874a7e303ede2f140dcf3e6aa4aac")
Y = bytes.fromhex("e2f4126777205e853b437d6eaca1e1f753cdcc3e2c69fa884b0a1a640977e418")
MESSAGE_1 = bytes.fromhex(
    "0382060258208af6f430ebe18d34184017a9a11bf511c8dff8f834730b96c1b7c8dbca2fc3b637"
)
MESSAGE_2 = bytes.fromhex(
    "582b419701d7f00a26c2dc587a36dd752549f33763c893422c8ea0f955a13a4ff5d59862a1eef9e0e7e1886fcd"
)
MESSAGE_3 = bytes.fromhex("52e562097bc417dd5919485ac7891ffd90a9fc")
MESSAGE_4 = bytes.fromhex("4828c966b7ca304f83")
SECRET, SALT = bytes.fromhex("f9868f6a3aca78a05d1485b35030b162"), bytes.fromhex("ada24c7dbfc85eeb")
GIVEN = Credentials(CRED_R, CRED_R, KEY_R, "", CRED_I, KEY_I)


@cache
def client() -> Client:
    return Client(find_target(CHIP), find_connection("edhoc"), BACKEND)


@cache
def built() -> Image:
    try:
        return image(client(), all_peers(), Store())
    except MissingToolError as error:
        if "rustup target add" not in str(error):
            raise
        pytest.skip(f"{error}: what needs no client was tried")


@cache
def kept() -> Recording:
    return read_recording(str(tls.KEPT / "edhoc.json"))


def played(recording: Recording) -> Ran:
    return connections.replayed(client(), built(), recording, "datasheet")[0]


def refused(recording: Recording) -> str:
    """The word for a run that agrees on no key and sends no reading."""
    ran = played(recording)
    word, sentence = connections.failure(ran, 0)
    assert word not in ("ok", "refused", "fault"), sentence
    assert "\n" not in sentence
    assert ran.mark(CONNECTED) is None
    assert all(len(step.data) < len(PAYLOAD) for step in ran.steps if step.what == "send")
    return word


def test_the_responder_has_the_bytes_of_the_rfc() -> None:
    responder = Responder(GIVEN, Y, b"\x27")
    assert responder.message_2(MESSAGE_1) == MESSAGE_2
    assert responder.message_4(MESSAGE_3) == MESSAGE_4
    assert responder.exported() == (SECRET, SALT)


def test_claims_are_those_of_the_rfc() -> None:
    assert edhoc.claims("42-50-31-FF-EF-37-32-39", edhoc.KID_I, KEY_I) == CRED_I
    assert edhoc.claims("example.edu", edhoc.KID_R, KEY_R) == CRED_R


@pytest.mark.parametrize("given", [GIVEN, edhoc.make()], ids=["rfc", "new"])
def test_a_foreign_oscore_opens_the_first_reading(given: Credentials) -> None:
    built()
    with EdhocServer(given) as server:
        ran = tls_servers.connect(client(), given, server.port, payload=0)
    assert connections.failure(ran, 0) == ("ok", "")
    assert server.failures == []
    assert server.last is not None
    responder, datagram = server.last
    context = _Opens(responder)
    request, _ = context.unprotect(aiocoap.Message.decode(datagram))
    assert (request.code, request.payload) == (aiocoap.POST, PAYLOAD)
    with pytest.raises(oscore.ReplayError):
        context.unprotect(aiocoap.Message.decode(datagram))
    wrong = datagram[:-1] + bytes([datagram[-1] ^ 1])
    with pytest.raises(oscore.ProtectionInvalid):
        _Opens(responder).unprotect(aiocoap.Message.decode(wrong))


def test_a_foreign_responder_was_met() -> None:
    """A kept exchange with libedhoc (commit 008ce058), with the keys of RFC 9529: its messages end
    in the same reading as before, and not without them.
    """
    recording = read_recording(str(tls.KEPT / "foreign" / "edhoc.json"))
    ran, link = connections.replayed(client(), built(), recording, "datasheet")
    assert (connections.failure(ran, 0), link.differs) == (("ok", ""), None)
    assert [len(step.data) for step in ran.steps] == [37, 45, 19, 9, 83]
    places = [*attack.places(recording)]
    refused(attack.flipped(recording, places[40]))


class _Opens(oscore.CanUnprotect, oscore.SecurityContextUtils):  # type: ignore[misc]
    """A context of aiocoap with what EDHOC exported: the client sends as C_R (RFC 9528, A.1)."""

    alg_aead, hashfun = oscore.AES_CCM_16_64_128(), oscore.hashfunctions["sha256"]
    id_context, external_aad_is_group, is_signing, responses_send_kid = None, False, False, False
    echo_recovery = None

    def __init__(self, responder: Responder) -> None:
        secret, salt = responder.exported()
        self.sender_id, self.recipient_id = bytes([responder.c_i]), edhoc.C_R
        self.derive_keys(salt, secret)
        self.recipient_replay_window = oscore.ReplayWindow(32, lambda: None)
        self.recipient_replay_window.initialize_empty()

    def post_seqnoincrease(self) -> None:
        """Nothing is kept."""


def _steps() -> Iterator[tuple[int, bytes]]:
    for step in attack.receives(kept().steps):
        yield step, kept().steps[step].data


def _with(step: int, data: bytes) -> Recording:
    steps = [*kept().steps]
    steps[step] = msgspec.structs.replace(steps[step], data=data)
    return msgspec.structs.replace(kept(), steps=tuple(steps))


def test_a_flipped_byte_gives_no_key() -> None:
    for place in [*attack.places(kept())][::EVERY]:
        refused(attack.flipped(kept(), place))


def test_a_message_that_is_cut_gives_no_key() -> None:
    for step, data in _steps():
        for size in range(1, len(data), EVERY):
            refused(_with(step, data[:size]))
        refused(_with(step, data + b"\0"))


def test_messages_that_are_swapped_or_of_another_exchange_give_no_key() -> None:
    (first, message_2), (second, message_4) = _steps()
    assert refused(_with(first, message_4)) == "bad message"
    assert refused(_with(second, message_2)) != "ok"
    assert refused(_with(first, MESSAGE_2)) in ("bad message", "record corrupted")
    assert refused(_with(second, MESSAGE_4)) == "record corrupted"
    assert refused(_with(first, kept().steps[first - 1].data)) == "bad message"  # its own


@pytest.mark.parametrize(
    "x", [bytes(31) + b"\5", b"\xff" * 32, bytes(32)], ids=["off the curve", "too large", "zero"]
)
def test_a_point_that_is_none_gives_no_key(x: bytes) -> None:
    """Nor that with x = 0, which stands in for the point at infinity where nobody looks."""
    step, data = next(_steps())
    word = refused(_with(step, data[:2] + x + data[34:]))
    assert word in ("bad message", "not trusted", "record corrupted")


def test_wrong_keys_give_no_key() -> None:
    """A responder without the trusted key, and one that knows another client."""
    built()
    stranger = edhoc.make()
    for told, failures in (
        (msgspec.structs.replace(GIVEN, server_key=stranger.server_key), []),
        (msgspec.structs.replace(GIVEN, certificate=stranger.certificate), ["another client"]),
    ):
        with EdhocServer(told) as server:
            ran = tls_servers.connect(client(), GIVEN, server.port, payload=0, timeout=1)
        assert connections.failure(ran, 0)[0] in ("record corrupted", "server stalled")
        assert ran.mark(CONNECTED) is None
        assert len(server.failures) == len(failures)
        assert all(word in said for word, said in zip(failures, server.failures, strict=True))


@pytest.mark.parametrize(
    "message",
    [b"", b"\xff", MESSAGE_1[:-5], b"\x02" + MESSAGE_1[1:], b"\x03\x06" + MESSAGE_1[4:],
     MESSAGE_1[:6] + b"\xff" * 32 + b"\x37", MESSAGE_2],
)  # fmt: skip
def test_a_message_1_that_the_responder_refuses(message: bytes) -> None:
    with pytest.raises(RefusedError):
        Responder(GIVEN, Y).message_2(message)


@pytest.mark.parametrize("message", [b"", b"\x40", MESSAGE_3[:-1], MESSAGE_4, b"\x07", b"\x41"])
def test_a_message_3_that_the_responder_refuses(message: bytes) -> None:
    responder = Responder(GIVEN, Y)
    responder.message_2(MESSAGE_1)
    with pytest.raises(RefusedError):
        responder.message_4(message)


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"backend": "mbedtls"}, "those of this library"), ({"secrets": True}, "--ct knows"),
     ({"target": find_target("host")}, "on modelled chips")],
)  # fmt: skip
def test_clients_of_edhoc_that_cannot_be(changed: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check(msgspec.structs.replace(client(), **changed))


def test_a_chip_of_too_little_ram_is_named_as_such() -> None:
    """8 KiB, of which the client needs more than is left: no fault at an address."""
    built()  # or why not
    small = Client(find_target("lpc1114"), find_connection("edhoc"), BACKEND)
    ran = connections.replayed(small, image(small, all_peers(), Store()), kept(), "datasheet")[0]
    word, sentence = connections.failure(ran, 0)
    assert word == "stack overflow"
    assert "bytes of RAM that are left for it are too few" in sentence
