"""`ecfit sensor`: the emulated board as real CoAP clients see it, and datagrams by hand."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import aiocoap
import pytest
import rfc8785
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from ecfit import cli
from ecfit.choices.boards import all_machines
from ecfit_lab.message import cbor, cose, jss, recovery
from ecfit_lab.message.algorithms import Key
from tools.rigs.sensor_fleet import free_port

CLIENT = shutil.which("coap-client") or shutil.which("coap-client-notls")
PERIOD = 2


class Sensor(NamedTuple):
    """A sensor that runs: its port and its public key as PEM."""

    port: int
    public: bytes
    process: subprocess.Popen[str]

    def uri(self, path: str) -> str:
        return f"coap://127.0.0.1:{self.port}/{path}"

    def key(self) -> Key:
        public = serialization.load_pem_public_key(self.public)
        encoding = serialization.Encoding
        if isinstance(public, ec.EllipticCurvePublicKey):
            form = serialization.PublicFormat.UncompressedPoint
            return Key(public.curve.name, public.public_bytes(encoding.X962, form))
        raw = public.public_bytes(encoding.Raw, serialization.PublicFormat.Raw)
        return Key("ed25519", raw)


def started(folder: Path, *arguments: str) -> Sensor:
    """Runs the command until it says where it answers."""
    port, public = free_port(), folder / f"public-{len(list(folder.iterdir()))}.pem"
    command = [
        sys.executable,
        "-c",
        "import sys; from ecfit.cli import main; main()",
        "sensor",
        "--port",
        str(port),
        "--public",
        str(public),
        *arguments,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert f"answers at coap://127.0.0.1:{port}/temperature" in line, line
    line = process.stdout.readline()  # it comes alone where Python does not buffer
    assert line.startswith("sensor: it signs with "), line
    return Sensor(port, public.read_bytes(), process)


def stopped(sensor: Sensor, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
    """Its exit code, and what it says at the end."""
    sensor.process.send_signal(number)
    out, _ = sensor.process.communicate(timeout=20)
    return sensor.process.returncode, out


@pytest.fixture(scope="module")
def sensor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sensor]:
    """The sensor of the paper, with a short period."""
    found = started(
        tmp_path_factory.mktemp("sensor"), "--board", "mps2-an385", "--period", str(PERIOD)
    )
    yield found
    assert stopped(found) == (0, "sensor: stopped\n")


def client(sensor: Sensor, path: str, *options: str) -> str:
    assert CLIENT, "coap-client is not there: install the package libcoap3-bin"
    command = [CLIENT, "-B", "5", *options, "-m", "get", sensor.uri(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return done.stdout + done.stderr


def test_the_sample_of_the_paper(sensor: Sensor) -> None:
    """Three blocks of 64 bytes, 154 characters and the boot epoch, verified without code of
    ours.
    """
    text = client(sensor, "temperature").strip()
    seen = client(sensor, "temperature", "-v", "7")
    blocks = re.findall(r"t:ACK c:2\.05 .*?Block2:(\d)/(M|_)/64 \]", seen)
    assert list(dict.fromkeys(blocks)) == [("0", "M"), ("1", "M"), ("2", "_")]
    message = json.loads(text)
    assert len(text) == 154 + len(f'"boot_epoch":{message["boot_epoch"]},')
    assert 0 <= message["boot_epoch"] < 2**53
    assert (message["chip_temp"], message["measurement_id"]) == (20953, 34)
    signature = base64.urlsafe_b64decode(message.pop("jss.signature"))
    assert message["jss.protected"] == {"alg": "ES192"}
    pair = (int.from_bytes(half, "big") for half in (signature[:24], signature[24:]))
    public = serialization.load_pem_public_key(sensor.public)
    assert isinstance(public, ec.EllipticCurvePublicKey)
    der = utils.encode_dss_signature(*pair)
    public.verify(der, rfc8785.dumps(message), ec.ECDSA(hashes.SHA256()))


def test_smaller_blocks(sensor: Sensor) -> None:
    """As many as the client asks for; larger ones it does not get."""
    for asked, size, count in (("16", 16, 12), ("32", 32, 6), ("1024", 64, 3)):
        seen = client(sensor, "temperature", "-v", "7", "-b", asked)
        numbers = re.findall(rf"t:ACK c:2\.05 .*?Block2:(\d+)/[M_]/{size} \]", seen)
        assert len(set(numbers)) == count, seen


async def observed(sensor: Sensor) -> None:
    context = await aiocoap.Context.create_client_context()
    request = context.request(
        aiocoap.Message(code=aiocoap.GET, uri=sensor.uri("temperature"), observe=0)
    )
    first = await asyncio.wait_for(request.response, 10)
    payloads = [first.payload]
    assert request.observation is not None
    async for notification in request.observation:
        payloads.append(notification.payload)
        if len(payloads) == 3:
            break
    ids = [jss.check(payload, sensor.key())["measurement_id"] for payload in payloads]
    assert ids == [ids[0], ids[0] + 1, ids[0] + 2]
    await context.shutdown()


async def asked(sensor: Sensor) -> None:
    context = await aiocoap.Context.create_client_context()

    async def get(path: str, **options: object) -> aiocoap.Message:
        message = aiocoap.Message(code=aiocoap.GET, uri=sensor.uri(path), **options)
        return await asyncio.wait_for(context.request(message).response, 10)

    core = await get(".well-known/core")
    assert b'</temperature>;ct=50;obs;rt="temperature"' in core.payload
    assert core.opt.content_format == 40
    plain = await get("temperature/plain")
    members = json.loads(plain.payload)
    assert len(plain.payload) == 39 + len(f'"boot_epoch":{members["boot_epoch"]},')
    reading = await get("temperature/cose", accept=18)
    assert cose.check(reading.payload, sensor.key()).keys() == members.keys()
    recovered = await get("temperature/recovery", accept=42)
    assert b";ct=42;" in core.payload
    found = cbor.read(recovery.check(recovered.payload, sensor.key()))
    assert found.keys() == members.keys()
    assert found["boot_epoch"] == members["boot_epoch"]
    again = await get(".well-known/core", etags=[core.opt.etag])
    assert (again.code, again.payload) == (aiocoap.VALID, b"")
    assert (await get("nothing")).code == aiocoap.NOT_FOUND
    assert (await get("temperature", accept=60)).code == aiocoap.NOT_ACCEPTABLE
    put = aiocoap.Message(code=aiocoap.PUT, uri=sensor.uri("temperature"), payload=b"1")
    response = await asyncio.wait_for(context.request(put).response, 10)
    assert response.code == aiocoap.METHOD_NOT_ALLOWED
    await context.shutdown()


def test_another_client(sensor: Sensor) -> None:
    asyncio.run(asked(sensor))


def test_observe(sensor: Sensor) -> None:
    asyncio.run(observed(sensor))


class Wire:
    """A socket to the sensor: datagrams by hand."""

    def __init__(self, sensor: Sensor) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", sensor.port))
        self.socket.settimeout(5)

    def ask(self, data: bytes, seconds: float = 5) -> bytes | None:
        self.socket.send(data)
        return self.next(seconds)

    def next(self, seconds: float) -> bytes | None:
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(2000)
        except TimeoutError:
            return None


CON, NON, ACK, RST = 0x40, 0x50, 0x60, 0x70
PATH = b"\xbbtemperature"


def datagram(kind: int, number: int, rest: bytes = PATH, code: int = 1) -> bytes:
    return struct.pack(">BBH", kind, code, number) + rest


def test_duplicates(sensor: Sensor) -> None:
    """The same response, though there is another reading by then; nothing to a second NON."""
    wire = Wire(sensor)
    first = wire.ask(datagram(CON, 7))
    time.sleep(PERIOD + 0.3)
    assert wire.ask(datagram(CON, 7)) == first
    other = wire.ask(datagram(CON, 8))
    assert other is not None
    assert other[4:] != (first or b"")[4:]
    answer = wire.ask(datagram(NON, 9))
    assert answer is not None
    assert (answer[0], answer[1]) == (NON, 0x45)
    assert wire.ask(datagram(NON, 9), 0.3) is None


REPLIES = [
    ("a ping", datagram(CON, 100, b"", 0), RST, 0),
    ("an empty message with more", datagram(CON, 101, b"\x01", 0), RST, 0),
    ("a token of 9", datagram(CON | 9, 102, bytes(9)), RST, 0),
    ("an option beyond the end", datagram(CON, 103, b"\xbbtemp"), RST, 0),
    ("a marker without payload", datagram(CON, 104, PATH + b"\xff"), RST, 0),
    ("a reserved class", datagram(CON, 105, b"", 0x20), RST, 0),
    ("a response that nobody asked for", datagram(CON, 106, b"", 0x45), RST, 0),
    ("an unknown critical option", datagram(CON, 107, PATH + b"\x80"), ACK, 0x82),
    ("an unknown elective option", datagram(CON, 108, PATH + b"\x70"), ACK, 0x45),
    ("block size 7", datagram(CON, 109, PATH + b"\xc1\x07"), ACK, 0x80),
    ("a block beyond the end", datagram(CON, 110, PATH + b"\xc1\x32"), ACK, 0x80),
    ("Block2 twice", datagram(CON, 111, PATH + b"\xc1\x02\x01\x02"), ACK, 0x82),
    ("a proxy", datagram(CON, 112, b"\xd1\x16x"), ACK, 0xA5),
    ("a long path", datagram(CON, 113, b"\xbd\x50" + b"a" * 93), ACK, 0x84),
    ("DELETE", datagram(CON, 114, PATH, 4), ACK, 0x85),
]
SILENCE = [
    ("nothing", b""),
    ("too short", b"\x40\x01\x00"),
    ("version 2", b"\x80\x01\x00\x01"),
    ("an acknowledgement", datagram(ACK, 200, b"", 0)),
    ("a reset", datagram(RST, 201, b"", 0)),
    ("a request in an acknowledgement", datagram(ACK, 202)),
    ("damage that need not be answered", datagram(NON, 203, b"\xbbtemp")),
]


def test_each_error(sensor: Sensor) -> None:
    wire = Wire(sensor)
    for what, data, kind, code in REPLIES:
        reply = wire.ask(data)
        assert reply is not None, what
        assert (reply[0] & 0x70, reply[1], reply[2:4]) == (kind, code, data[2:4]), what
    for what, data in SILENCE:
        assert wire.ask(data, 0.1) is None, what
    assert (wire.ask(datagram(CON, 300)) or b"")[1] == 0x45, "it does not answer any more"


def test_notifications_are_repeated_until_confirmed(sensor: Sensor) -> None:
    """An observer that is silent gets the same again after 2 to 3 s; a reset ends it."""
    wire = Wire(sensor)
    registered = wire.ask(datagram(CON | 1, 400, b"t\x60\x5btemperature"))
    assert registered is not None
    assert registered[1] == 0x45
    seen: dict[bytes, int] = {}
    end = time.monotonic() + 3 * PERIOD + 2
    while time.monotonic() < end and max(seen.values(), default=0) < 2:
        data = wire.next(1)
        if data is not None:
            assert data[0] == CON | 1
            seen[data] = seen.get(data, 0) + 1
    assert max(seen.values()) == 2, "nothing was repeated"
    last = wire.next(5)
    while last is not None:
        wire.socket.send(bytes([RST, 0]) + last[2:4])
        last = wire.next(PERIOD + 1)
    assert wire.next(PERIOD + 1) is None


@pytest.mark.parametrize("board", [name for name in all_machines() if name != "mps2-an385"])
def test_every_board(board: str, tmp_path: Path) -> None:
    """Each with another curve, one with a key of the user's."""
    curve = {"mps2-an386": "secp256r1", "mps2-an500": "ed25519"}.get(board, "secp384r1")
    own: list[str] = []
    if curve == "secp256r1":
        assert (
            cli.run(["keys", "--curve", curve, "--format", "pem", "-o", str(tmp_path / "k")]) == 0
        )
        own = ["--key", str(tmp_path / "k")]
    found = started(tmp_path, "--board", board, "--curve", curve, "--first-id", "7", *own)
    try:
        text = client(found, "temperature").strip()
        assert jss.check(text.encode(), found.key())["measurement_id"] == 7
        if own:
            assert (tmp_path / "k").read_bytes().endswith(found.public)
    finally:
        assert stopped(found, signal.SIGTERM)[0] == 0


def complaint(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = cli.run(["sensor", *arguments])
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1
    return code, lines[0]


def test_complaints(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = "--board", "mps2-an385"
    code, line = complaint(capfd, "--board", "mps2-an38")
    assert (code, "unknown board 'mps2-an38'" in line) == (2, True)
    code, line = complaint(capfd, *board, "--curve", "x25519")
    assert (code, "no message is signed on x25519" in line) == (2, True)
    code, line = complaint(capfd, *board, "--key", str(tmp_path / "none"))
    assert (code, "cannot be read" in line) == (2, True)
    (tmp_path / "bad").write_text("-----BEGIN PRIVATE KEY-----\n")
    code, line = complaint(capfd, *board, "--key", str(tmp_path / "bad"))
    assert (code, "no private key of secp192r1 in PEM or JWK" in line) == (2, True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        code, line = complaint(capfd, *board, "--port", str(port))
        assert (code, f"UDP port {port} of 127.0.0.1 cannot be had" in line) == (2, True)
    tools = tmp_path / "tools"
    tools.mkdir()
    compiler = shutil.which("arm-none-eabi-gcc")
    assert compiler
    (tools / "arm-none-eabi-gcc").symlink_to(compiler)
    monkeypatch.setenv("PATH", str(tools))
    code, line = complaint(capfd, *board)
    assert (code, "install the package qemu-system-arm" in line) == (3, True)


def test_the_boards_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["sensor", "--format", "json"]) == 0
    assert [one["name"] for one in json.loads(capfd.readouterr().out)] == [*all_machines()]
