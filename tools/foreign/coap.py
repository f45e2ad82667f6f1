"""CoAP against current programs of others: their clients ask the emulated sensor, and the gateway
observes their servers. Between both stands a relay, which lets the numbers of observations wrap
and, on a bad link, loses, doubles and reorders datagrams. It pings the gateway, too.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from aiocoap import PUT, Context, Message
from aiocoap.message import Direction
from aiocoap.numbers.codes import CONTENT, EMPTY

from ecfit.oracle.keyreader import public_key
from ecfit_lab.message import jss
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.refusal import MessageRefusedError
from tools.foreign.table import Row
from tools.rigs.sensor_fleet import Signer, free_port

ECFIT = [sys.executable, "-c", "import sys; from ecfit.cli import main; main()"]
LINKS = ("good link", "bad link")
LOST, DOUBLED, LATE = 0.05, 0.1, 0.2  # shares of a bad link's datagrams
LATENESS = 0.3  # seconds, at most
PERIOD = {"good link": 3, "bad link": 15}  # seconds: blocks that are lost come before the next
READINGS = 6  # for the gateway
# Bytes that fill blocks: of 1,024 bytes, or of 64 where the server is told so. node-coap sends no
# notification in blocks.
PAD, PADS = 500, {"aiocoap": 1500, "libcoap": 1500}
PATIENCE = {"good link": 20.0, "bad link": 60.0}  # seconds until the next reading
WRAP = 1 << 24  # of the Observe option
PING = 0xECF1  # the Message ID of the relay's pings
CLIENT_SECONDS = 300.0
# By implementation, the rule by which no notification in blocks comes, and what a bad link spoils:
# go-coap has no answer in time, node-coap has some blocks twice (table.py).
NOTIFIED = {"go-coap": "RFC 7252, 4.2", "node-coap": "RFC 7959, 2.6"}
SPOILT = {"go-coap": "RFC 7252, 4.2", "node-coap": "RFC 7252, 4.5"}
LATE_WORDS = "context deadline exceeded"
BLOCKS = 16, 64  # bytes, as the clients ask for them
AT_ONCE = 2


class Upstream(asyncio.DatagramProtocol):
    """The relay's socket of one client, towards the server."""

    def __init__(self, link: Link, client: Any) -> None:
        self.link, self.client, self.first = link, client, -1
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.link.carry(self.wrapped(data), partial(self.link.transport.sendto, addr=self.client))

    def wrapped(self, data: bytes) -> bytes:
        """With the second number of an observation next to the end, so that the fourth is 1."""
        try:
            message = Message.decode(data)
        except Exception:  # not of this test
            return data
        number = message.opt.observe
        if message.code != CONTENT or number is None:
            return data
        self.first = number if self.first < 0 else self.first
        message.direction = Direction.OUTGOING
        message.opt.observe = (number - self.first - 3) % WRAP
        return bytes(message.encode())


class Link(asyncio.DatagramProtocol):
    """A relay to a server of this machine. `pinged`: how many of its pings were answered by a
    reset, of how many clients.
    """

    def __init__(self, port: int, bad: bool, rng: random.Random) -> None:
        self.port, self._bad, self._rng = port, bad, rng
        self._upstream: dict[Any, asyncio.Task[Upstream]] = {}
        self._dropped: set[bytes] = set()
        self.pinged: dict[Any, bool] = {}
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        if data == bytes((0x70, EMPTY, PING >> 8, PING & 255)):
            self.pinged[addr] = True
            return
        if addr not in self._upstream:
            self._upstream[addr] = asyncio.ensure_future(self._connect(addr))
        self._upstream[addr].add_done_callback(
            lambda task: self.carry(data, task.result().transport.sendto)
        )

    def ping(self) -> None:
        """Asks each client whether it is there."""
        for addr in self._upstream:
            self.pinged.setdefault(addr, False)
            self.transport.sendto(bytes((0x40, EMPTY, PING >> 8, PING & 255)), addr)

    async def _connect(self, addr: Any) -> Upstream:
        loop = asyncio.get_running_loop()
        make = partial(Upstream, self, addr)
        _, up = await loop.create_datagram_endpoint(make, remote_addr=("127.0.0.1", self.port))
        return up

    def carry(self, data: bytes, send: Any) -> None:
        """On a bad link, or a good one. Each datagram is lost once at most: what is sent again
        arrives.
        """
        if not self._bad:
            send(data)
            return
        loop = asyncio.get_running_loop()
        if data not in self._dropped and self._rng.random() < LOST:
            self._dropped.add(data)
            return
        for _ in range(1 + (self._rng.random() < DOUBLED)):
            late = self._rng.uniform(0, LATENESS) if self._rng.random() < LATE else 0.0
            loop.call_later(late, send, data)


async def linked(port: int, link: str, seed: str) -> tuple[Link, int]:
    """A relay to that port, and its own port."""
    loop = asyncio.get_running_loop()
    make = partial(Link, port, link == "bad link", random.Random(seed))
    transport, protocol = await loop.create_datagram_endpoint(make, ("127.0.0.1", 0))
    return protocol, transport.get_extra_info("sockname")[1]


@asynccontextmanager
async def running(command: list[str], log: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program, ended at the end."""
    with log.open("wb") as out:
        program = await asyncio.create_subprocess_exec(*command, stdout=out, stderr=out)
    try:
        yield program
    finally:
        if program.returncode is None:
            program.terminate()
        await program.wait()


async def written(log: Path, text: bytes, program: asyncio.subprocess.Process) -> None:
    """Until a program has said that. Errors: RuntimeError when it ends before."""
    while text not in log.read_bytes():
        if program.returncode is not None:
            raise RuntimeError(log.read_text(errors="replace").strip())
        await asyncio.sleep(0.05)


# ---- clients of others, and the sensor -----------------------------------------------------------


def right(what: str, code: str, payload: bytes, key: Key, seen: list[int]) -> bool:
    """Whether an answer of the sensor is as it should be; `seen`: ids of what was observed."""
    if what == "ping":
        return code == "0.00"
    if what in ("critical", "put"):  # Block1 is critical, and the sensor has none
        return code in ("4.02", "4.05")  # or a body in one piece, for what can only be read
    if code != "2.05":
        return False
    try:
        number = jss.check(payload, key)["measurement_id"]
    except MessageRefusedError:
        return False
    if what != "observed":
        return True
    seen.append(number)
    return seen == sorted(set(seen))


def once(payload: bytes, size: int) -> Iterator[bytes]:
    """Without the blocks that were there before; also without one more, shorter, at the end."""
    blocks = [payload[at : at + size] for at in range(0, len(payload), size)]
    text = b"".join(dict.fromkeys(blocks))
    yield text
    for last in range(1, size):
        if text[-last:] == text[-2 * last : -last]:
            yield text[:-last]


def excused(called: str, link: str, answer: tuple[str, str, bytes], key: Key) -> str:
    """The rule by which a wrong answer differs; "" where it is simply wrong."""
    what, code, payload = answer
    if (what, code) == ("observed", "none"):
        return NOTIFIED.get(called, "")
    late = called == "go-coap" and code == LATE_WORDS
    double = called == "node-coap" and any(
        right(what, code, text, key, []) for size in BLOCKS for text in once(payload, size)
    )
    return SPOILT[called] if link == LINKS[1] and (late or double) else ""


async def asked(
    called: str, command: list[str], folder: Path, links: Sequence[str] = LINKS
) -> list[Row]:
    """A client of others, over these links."""
    rows = []
    for link in links:
        port, public, log = free_port(), folder / f"{called}.pem", folder / f"{called}.log"
        board = ["sensor", "--board", "mps2-an385", "--port", str(port), "--public", str(public)]
        period = ["--period", str(PERIOD[link])]
        async with running([*ECFIT, *board, *period], log) as sensor:
            await written(log, b"answers at", sensor)
            key = Key(*public_key(public.read_bytes()))
            relay, through = await linked(port, link, called)
            uri = f"coap://127.0.0.1:{through}/temperature"
            program = await asyncio.create_subprocess_exec(
                *command, "client", uri, str(4 * PERIOD[link]), stdout=-1, stderr=-1
            )
            try:
                out, error = await asyncio.wait_for(program.communicate(), CLIENT_SECONDS)
                answer = json.loads((out.splitlines() or [b""])[-1])  # behind what it logs
            except (TimeoutError, ValueError):
                if program.returncode is None:
                    program.kill()
                    out, error = await program.communicate()
                said = (error + out).decode(errors="replace").splitlines()
                why = next((line for line in said if "rror" in line or "xception" in line), "")
                rows.append(Row(f"sensor, {link}", called, 0, 1, wrong=(why or "no answer",)))
                continue
            finally:
                relay.transport.close()
            seen: list[int] = []
            told = [(what, code, bytes.fromhex(text)) for what, code, text in answer["told"]]
            wrong = [one for one in told if not right(*one, key, seen)]
            rules = [excused(called, link, one, key) for one in wrong]
            lines = [
                f"{what}: {code} {payload.hex()}"
                for (what, code, payload), rule in zip(wrong, rules, strict=True)
                if not rule
            ]
            cells = len(told) - len(wrong), len(lines), len(wrong) - len(lines)
            rule = "; ".join(sorted({*rules} - {""}))
            by = f"{called} {answer['version']}"
            rows.append(Row(f"sensor, {link}", by, *cells, rule, tuple(lines)))
    return rows


# ---- servers of others, and the gateway ----------------------------------------------------------


def kept(lines: Path) -> list[dict[str, Any]]:
    """What the gateway has accepted so far."""
    text = lines.read_text() if lines.exists() else ""
    whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return [row for row in map(json.loads, whole) if row["accepted"]]


class Served(NamedTuple):
    """A server that is observed over a link, and who signs what it serves."""

    name: str
    link: str
    port: int
    signer: Signer

    @property
    def key(self) -> str:
        return f"{self.name}-{self.link.partition(' ')[0]}"

    def reading(self, number: int) -> bytes:
        members = {
            "chip_temp": 20000,
            "measurement_id": number,
            "pad": "x" * PADS.get(self.name, PAD),
        }
        return jss.write(members, "ES256", self.signer)


async def put(context: Context, served: Served, number: int) -> None:
    """Makes the server tell a reading. It may take a moment until it is there."""
    for _ in range(100):
        message = Message(code=PUT, payload=served.reading(number), content_format=50)
        message.set_request_uri(f"coap://127.0.0.1:{served.port}/attic")
        try:
            answer = await asyncio.wait_for(context.request(message).response, 20)
        except Exception:  # of any kind: nobody is there yet
            await asyncio.sleep(0.2)
            continue
        if not answer.code.is_successful():
            raise RuntimeError(f"{served.name} refuses a reading: {answer.code}")
        return
    raise RuntimeError(f"{served.name} does not serve")


async def told(context: Context, served: Served, link: Link, lines: Path) -> Row:
    """Readings one after the other, each kept once."""
    for number in range(READINGS):
        if number:
            await put(context, served, number)
        until = asyncio.get_running_loop().time() + PATIENCE[served.link]
        while asyncio.get_running_loop().time() < until and not any(
            row["key"] == served.key and row["measurement"] == str(number) for row in kept(lines)
        ):
            await asyncio.sleep(0.1)
    link.ping()
    await asyncio.sleep(1)
    numbers = [row["measurement"] for row in kept(lines) if row["key"] == served.key]
    missing = sorted({str(number) for number in range(READINGS)} - set(numbers))
    wrong = [f"reading {number} missing" for number in missing]
    wrong += ["kept twice"] * (len(numbers) != len(set(numbers)))
    wrong += ["a ping without a reset"] * (list(link.pinged.values()) != [True])
    passed = READINGS + 2 - len(wrong)
    return Row(f"gateway, {served.link}", served.name, passed, len(wrong), wrong=tuple(wrong))


async def observed(
    commands: dict[str, list[str]], folder: Path, over: Sequence[str] = LINKS
) -> list[Row]:
    """The gateway, and all servers over these links at once."""
    keys, lines = folder / "keys", folder / "kept.jsonl"
    keys.mkdir()
    context = await Context.create_client_context()
    pairs = [Served(name, link, free_port(), Signer()) for name in commands for link in over]
    links: list[Link] = []
    uris = []
    async with AsyncExitStack() as stack:
        for served in pairs:
            command = [*commands[served.name], "server", str(served.port)]
            await stack.enter_async_context(running(command, folder / f"{served.key}.log"))
        for served in pairs:
            await put(context, served, 0)
            (keys / f"{served.key}.pem").write_bytes(served.signer.pem())
            link, port = await linked(served.port, served.link, served.key)
            links.append(link)
            uris.append(f"{served.key}=coap://127.0.0.1:{port}/attic")
        gateway = [*ECFIT, "gateway", *uris, "--keys", str(keys), "--lines", str(lines)]
        async with running(gateway, folder / "gateway.log"):
            rows = await asyncio.gather(
                *(
                    told(context, served, link, lines)
                    for served, link in zip(pairs, links, strict=True)
                )
            )
    await context.shutdown()
    return rows


def matrix(peers: dict[str, list[str]]) -> list[Row]:
    """All rows: the sensor's, then the gateway's."""
    with tempfile.TemporaryDirectory(prefix="ecfit-") as folder:
        return asyncio.run(_matrix(peers, Path(folder)))


async def _matrix(peers: dict[str, list[str]], folder: Path) -> list[Row]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(name: str) -> list[Row]:
        async with gate:
            return await asked(name, peers[name], folder)

    rows = [row for rows in await asyncio.gather(*map(one, peers)) for row in rows]
    versions = {row.by.partition(" ")[0]: row.by for row in rows}
    served = await observed(peers, folder)
    return rows + [row._replace(by=versions[row.by]) for row in served]
