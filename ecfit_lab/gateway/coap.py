"""A CoAP client that observes (RFC 7252, RFC 7641, RFC 7959) and acknowledges late.

A notification that wants an acknowledgement gets it when its reading is on disk, not when it has
arrived: what a killed gateway had not kept, the sensor sends again. Ready-made clients acknowledge
on arrival, and keep only the latest notification.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import socket
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from operator import itemgetter
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec

from ecfit.errors import UsageError
from ecfit_lab.gateway import datagram
from ecfit_lab.gateway.budgets import BLOCKS, DEFAULT, Budget, Limits
from ecfit_lab.gateway.datagram import ACK, CON, CONTENT, EMPTY, RESERVED, RST, Datagram, Options

ACK_TIMEOUT, RETRIES = 2.0, 4  # RFC 7252, 4.8
SEPARATE = 30.0  # seconds for a response that comes by itself, after an empty acknowledgement
LARGEST = 65_536  # bytes of a message in blocks; no datagram has more
LONGEST_PART = 255  # bytes of a host, a segment and an argument (RFC 7252, 5.10)
AT_ONCE = 64  # datagrams, before others have their turn
MAX_AGE, SLACK = 60.0, 10.0  # seconds: without that option; after it, until we ask again
LONGEST_AGE = 3600.0  # seconds: who says more is asked again all the same (docs/gateway.md)
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds after a sensor did not answer
AT_WORK = 16  # notifications of a sensor at a time; more are left for it to send again
LINES_A_MINUTE, LINES_AT_ONCE = 1, 10  # that are said of a sensor, which may come and go all day
REMEMBERED = 64  # notifications of a sensor, to know one that comes twice
SEPARATE_REMEMBERED = 1024  # responses of all sensors that were acknowledged, for the same

Address = tuple[str, int] | tuple[str, int, int, int]  # IPv4; IPv6 with flow and scope
Deliver = Callable[["Sensor", bytes, int | None], Awaitable[None]]  # with its Content-Format


class NoAnswerError(Exception):
    """A sensor that does not answer, or not as it should."""


class Sensor(msgspec.Struct, frozen=True):
    """A resource that is observed, and the name of the key that it is bound to, if any."""

    uri: str
    bound: str | None = None


def sensor(text: str) -> Sensor:
    """`KEY=coap://host:port/path`, or without KEY. Errors: UsageError."""
    name, mark, uri = text.strip().partition("=coap://")
    mark = "" if name.startswith("coap://") else mark
    named = Sensor(f"coap://{uri}", name) if mark else Sensor(text.strip())
    try:
        parts = urlsplit(named.uri)
        good = parts.scheme == "coap" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    text = text.strip()
    written = text.isprintable() and not any(c.isspace() for c in text)  # in logs and in stores
    if not good or (mark and not name) or not written:
        raise UsageError(f"a sensor is coap://HOST[:PORT]/PATH or KEY=coap://.., not {text[:80]!r}")
    if "#" in named.uri:
        raise UsageError(f"a sensor's URI has no fragment: write # as %23 in {text[:80]!r}")
    uri_options(named.uri)
    if _lacks_zone(host_of(named.uri)):
        raise UsageError(
            f"{text[:80]!r} is reached by one interface alone: name it, as [fe80::1%25eth0]"
        )
    return named


def host_of(uri: str) -> str:
    """The host of a URI. The zone of an address, which names the interface of this machine that
    reaches it, may stand behind %25 (RFC 6874) or behind % (RFC 9844).
    """
    host = urlsplit(uri).hostname or ""
    address, mark, zone = host.partition("%")
    if not mark:
        return host
    return f"{address}%{zone.removeprefix('25') or zone}" if ":" in address else host


def _lacks_zone(host: str) -> bool:
    """Whether it is an address of one link (RFC 4007, 6) that does not say which."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.version == 6 and address.is_link_local and "%" not in host


def uri_options(uri: str) -> Options:
    """The options that a URI becomes (RFC 7252, 6.4): it is split before it is decoded, so that
    %2F and %26 stay in their segment and their argument, and a host that has a name is named.

    Errors: UsageError for a part that no option holds.
    """
    parts = urlsplit(uri)
    host = parts.hostname or ""
    options = [] if _is_address(host) else [(datagram.URI_HOST, host)]
    if parts.path not in ("", "/"):
        options += [(datagram.URI_PATH, segment) for segment in parts.path[1:].split("/")]
    if parts.query:
        options += [(datagram.URI_QUERY, argument) for argument in parts.query.split("&")]
    decoded = [(number, unquote_to_bytes(text)) for number, text in options]
    for number, value in decoded:
        dots = number == datagram.URI_PATH and value in (b".", b"..")  # RFC 7252, 5.10.1
        if dots or len(value) > LONGEST_PART:
            part = value.decode("utf-8", "replace")[:40]
            raise UsageError(f"{uri[:80]}: {part!r} is no part of a URI for CoAP")
    return decoded


def _is_address(host: str) -> bool:
    """Whether a host is one of IPv4 or IPv6, with its zone or without."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class Exchange:
    """A GET that is sent again until it is answered (RFC 7252, 4.2)."""

    def __init__(self, send: Callable[[], object]) -> None:
        self._loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Datagram] = self._loop.create_future()
        self.acknowledged = False
        self._send, self._left = send, RETRIES
        self._timeout = ACK_TIMEOUT * random.uniform(1, 1.5)  # noqa: S311
        send()
        self._timer = self._loop.call_later(self._timeout, self._late)

    def _late(self) -> None:
        if self.acknowledged:  # the answer comes by itself
            self._timer = self._loop.call_later(SEPARATE, self.fail, "no answer")
        elif self._left == 0:
            self.fail("no answer")
        else:
            self._left -= 1
            self._timeout *= 2
            self._send()
            self._timer = self._loop.call_later(self._timeout, self._late)

    def fail(self, why: str) -> None:
        """It has no answer."""
        if not self.answer.done():
            self.answer.set_exception(NoAnswerError(why))

    def end(self) -> None:
        """Nothing is sent any more."""
        self._timer.cancel()
        self.answer.cancel()


class Endpoint:
    """What all sensors of an address family send, and what they are sent."""

    def __init__(self, send: Callable[[bytes, Address], object]) -> None:
        self._send = send
        self._strangers = Budget(DEFAULT.rate, DEFAULT.burst)  # of resets for what nobody asked
        self._mid = random.randrange(65536)  # noqa: S311
        self._waiting: dict[tuple[Address, bytes], Exchange] = {}
        self._sent: dict[tuple[Address, int], Exchange] = {}
        self._separate: OrderedDict[tuple[Address, int], bytes] = OrderedDict()
        self.observations: dict[tuple[Address, bytes], Observation] = {}

    def datagram_received(self, data: bytes, addr: Any) -> None:
        """Anything may arrive. Datagrams that are not CoAP are ignored."""
        where, message = _address(addr), datagram.read(data)
        if message is None:
            mid = datagram.rejectable(data)
            if mid is not None:
                self._reset(where, mid)
        elif message.kind in (ACK, RST):
            self._to_ours(message, where)
        elif message.code >= 64 and message.code >> 5 not in RESERVED:
            self._response(message, where)
        elif message.kind == CON:  # a ping, or a request: nothing is served here
            self._reset(where, message.mid)

    def _to_ours(self, message: Datagram, where: Address) -> None:
        """An acknowledgement, with a response or empty, or a reset. One that is of no message of
        ours, in Message ID or token, says nothing (RFC 7252, 4.2, 5.3.2).
        """
        exchange = self._sent.get((where, message.mid))
        if exchange is None:
            return
        if message.code == EMPTY:
            exchange.acknowledged = True
            if message.kind == RST:
                exchange.fail("it does not know what is asked")
        elif (
            message.kind == ACK
            and message.code >= 64
            and message.code >> 5 not in RESERVED
            and self._waiting.get((where, message.token)) is exchange
        ):
            exchange.acknowledged = True
            self._response(message, where)

    def _response(self, message: Datagram, where: Address) -> None:
        name = where, message.token
        waiting, observation = self._waiting.get(name), self.observations.get(name)
        if (option := message.not_understood) is not None:
            why = f"sends option {option}, which is not understood"
            if waiting is not None and not waiting.answer.done():
                waiting.fail(why)
            elif observation is not None:
                observation.rejected(why)
            if message.kind == CON:
                self._reset(where, message.mid)
            return
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_result(message)
            if message.kind == CON and observation is None:
                self.send_empty(where, message.mid, ACK)
                self._separate[where, message.mid] = message.token
                if len(self._separate) > SEPARATE_REMEMBERED:
                    self._separate.popitem(last=False)
        elif observation is not None:
            observation.notified(message)  # raises nothing
        elif message.kind == CON and self._separate.get((where, message.mid)) == message.token:
            self.send_empty(where, message.mid, ACK)  # each copy (RFC 7252, 4.5)
        elif message.kind == CON:
            self._reset(where, message.mid)  # of an observation that we no longer have

    def _reset(self, where: Address, mid: int) -> None:
        if self._strangers.take():
            self.send_empty(where, mid, RST)

    def send_empty(self, where: Address, mid: int, kind: int) -> None:
        """An acknowledgement or a reset."""
        self._send(datagram.empty(kind, mid), where)

    async def ask(self, where: Address, token: bytes, options: Options) -> Datagram:
        """A GET and its response. Errors: NoAnswerError."""
        mid = self._mid = (self._mid + 1) % 65536
        data = datagram.request(mid, token, sorted(options, key=itemgetter(0)))
        exchange = Exchange(partial(self._send, data, where))
        self._waiting[where, token] = self._sent[where, mid] = exchange
        try:
            return await exchange.answer
        finally:
            exchange.end()
            self._waiting.pop((where, token), None)
            self._sent.pop((where, mid), None)


def max_age(option: int | None) -> float:
    """Seconds that a message is fresh for."""
    return MAX_AGE if option is None else min(float(option), LONGEST_AGE)


def _shown(message: Datagram) -> object:
    """What tells a notification that comes again from another one with its number."""
    return message.options.get(datagram.ETAG), message.payload


class Observation:
    """One sensor, observed for as long as run() runs. `deliver` returns when a message is kept."""

    def __init__(
        self,
        of: Sensor,
        deliver: Deliver,
        say: Callable[[str], None],
        limits: Limits = DEFAULT,
    ) -> None:
        self.sensor, self._deliver, self._say = of, deliver, say
        self._lines = Budget(LINES_A_MINUTE / 60, LINES_AT_ONCE)
        self._budget = Budget(limits.rate, limits.burst)
        self._blocks = Budget(BLOCKS * limits.rate, BLOCKS * limits.burst)
        self._options: Options = []
        self._token = secrets.token_bytes(8)
        self._endpoint: Endpoint | None = None
        self._where: Address = ("", 0)
        self._fresh_until = 0.0  # by the loop's clock
        self._sooner = asyncio.Event()  # that time has come nearer
        self._busy: dict[int, asyncio.Future[None]] = {}
        self._done: OrderedDict[int, object] = OrderedDict()
        self._silent = False
        self._complained = False

    def _complain(self, error: BaseException, then: str) -> None:
        """One line, and no other until the sensor is asked again: who sends rubbish shall not fill
        the log as well.
        """
        if self._complained:
            return
        self._complained = True
        known = isinstance(error, NoAnswerError | OSError)
        what = str(error) if known else f"{type(error).__name__}: {error}"
        self._tell(" ".join(f"{what[:200]}: {then}".split()))

    def _tell(self, line: str) -> None:
        if self._lines.take():
            self._say(f"{self.sensor.uri}: {line}")

    async def run(self, endpoints: Endpoints) -> None:
        """Observes until it is cancelled; asks again when nothing is heard for too long."""
        pause = FIRST_PAUSE
        try:
            while True:
                try:
                    await self._register(endpoints)
                    if self._silent:
                        self._tell("answers again")
                    pause, self._silent, self._complained = FIRST_PAUSE, False, False
                    await self._listen()
                    await asyncio.sleep(FIRST_PAUSE)  # who ends it at once is not asked in a loop
                except Exception as error:  # of any kind: other sensors go on
                    if not self._silent:
                        self._complained = False
                        self._complain(error, "trying again")
                    self._silent = True
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            if self._endpoint is not None:
                self._endpoint.observations.pop((self._where, self._token), None)
            for work in [*self._busy.values()]:
                work.cancel()

    async def _register(self, endpoints: Endpoints) -> None:
        uri = self.sensor.uri
        self._options = uri_options(uri)
        self._endpoint, self._where = await endpoints.find(host_of(uri), urlsplit(uri).port or 5683)
        self._endpoint.observations[self._where, self._token] = self
        answer = await self._endpoint.ask(
            self._where, self._token, [*self._options, (datagram.OBSERVE, b"")]
        )
        self._check(answer)
        self.notified(answer)

    def _check(self, answer: Datagram) -> None:
        if answer.code != CONTENT:
            if answer.kind == CON and self._endpoint:
                self._endpoint.send_empty(self._where, answer.mid, ACK)
            raise NoAnswerError(f"answers {answer.code >> 5}.{answer.code & 31:02}")

    async def _listen(self) -> None:
        """Until the sensor ends it, or nothing has been heard for as long as what was heard last is
        fresh.
        """
        loop = asyncio.get_running_loop()
        while (left := self._fresh_until - loop.time()) > 0:
            self._sooner.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._sooner.wait()

    def _stays_fresh(self, seconds: float) -> None:
        """What was heard last."""
        until = asyncio.get_running_loop().time() + seconds + SLACK
        if until < self._fresh_until:
            self._sooner.set()
        self._fresh_until = until

    def notified(self, message: Datagram) -> None:
        """A notification, or the first response. Raises nothing. One that is over the budget is as
        if lost on its way: no answer, and no sign that the sensor is there.
        """
        if not self._budget.take():
            return
        try:
            self._notified(message)
        except Exception as error:
            self._complain(error, "a message was not taken")

    def rejected(self, why: str) -> None:
        """A notification that must not be read."""
        self._complain(NoAnswerError(why), "a message was not taken")

    def _notified(self, message: Datagram) -> None:
        """One that comes again is acknowledged again."""
        endpoint, mid = self._endpoint, message.mid
        assert endpoint is not None
        if message.code != CONTENT:  # the sensor ends the observation
            if message.kind == CON:
                endpoint.send_empty(self._where, mid, ACK)
            self._stays_fresh(-SLACK)
            return
        self._stays_fresh(max_age(message.number(datagram.MAX_AGE)))
        if mid in self._busy or len(self._busy) >= AT_WORK:
            return
        if self._done.get(mid) == _shown(message):
            if message.kind == CON:
                endpoint.send_empty(self._where, mid, ACK)
            return
        form, block = message.number(datagram.CONTENT_FORMAT), message.block()
        if block is not None and block.more:
            work = asyncio.ensure_future(self._fetched(endpoint, message, form))
        else:
            work = asyncio.ensure_future(self._deliver(self.sensor, message.payload, form))
        self._busy[mid] = work
        work.add_done_callback(partial(self._taken, message))

    async def _fetched(self, endpoint: Endpoint, message: Datagram, form: int | None) -> None:
        """Fetches the rest, and hands it on."""
        await self._deliver(self.sensor, await self._whole(endpoint, message), form)

    def _taken(self, message: Datagram, work: asyncio.Future[None]) -> None:
        """Acknowledges a message that is kept."""
        endpoint, mid = self._endpoint, message.mid
        assert endpoint is not None
        self._busy.pop(mid, None)
        if work.cancelled():
            return
        if error := work.exception():
            self._complain(error, "a message was not taken")
        elif message.kind == CON:
            endpoint.send_empty(self._where, mid, ACK)
            self._done[mid] = _shown(message)
            if len(self._done) > REMEMBERED:
                self._done.popitem(last=False)

    async def _whole(self, endpoint: Endpoint, message: Datagram) -> bytes:
        """All blocks of the representation that the first is of. The sensor may make them smaller
        on the way (RFC 7959, 2.4): then they are counted in the smaller size from there on.
        """
        data, block, etag = message.payload, message.block(), message.options.get(datagram.ETAG)
        assert block is not None
        while block.more:
            size, number = block.size, block.number + 1
            if size > 6 or len(data) != number << (size + 4) or len(data) > LARGEST:
                raise NoAnswerError("blocks of the wrong size")
            while not self._blocks.take():
                await asyncio.sleep(1.0)
            wanted = (datagram.BLOCK2, datagram.block_value(number, size))
            token = secrets.token_bytes(8)
            answer = await endpoint.ask(self._where, token, [*self._options, wanted])
            block = answer.block()
            if (
                answer.code != CONTENT
                or block is None
                or block.size > size
                or block.number << (block.size + 4) != len(data)
            ):
                raise NoAnswerError("a block is missing")
            if answer.options.get(datagram.ETAG) != etag:
                raise NoAnswerError("the reading changed between two blocks")
            data += answer.payload
        return data


def _address(given: Any) -> Address:
    """What the operating system says, without the flow of IPv6, which is of each datagram."""
    host, port, *rest = given
    return (host, port, 0, rest[1]) if rest else (host, port)


class Endpoints:
    """A socket for IPv4 and one for IPv6, opened when they are needed. All datagrams that wait are
    taken at once: asyncio's own transport takes one in each turn of its loop.
    """

    def __init__(self) -> None:
        self._open: dict[int, tuple[Endpoint, socket.socket]] = {}
        self._room = memoryview(bytearray(LARGEST))

    async def find(self, host: str, port: int) -> tuple[Endpoint, Address]:
        """The socket for a host, and its address. Errors: OSError."""
        loop = asyncio.get_running_loop()
        family, _, _, _, address = (await loop.getaddrinfo(host, port, proto=17))[0]
        if family not in self._open:
            opened = socket.socket(family, socket.SOCK_DGRAM)
            opened.setblocking(False)
            endpoint = Endpoint(partial(_send, opened))
            loop.add_reader(opened, self._receive, opened, endpoint)
            self._open[family] = endpoint, opened
        return self._open[family][0], _address(address)

    def _receive(self, opened: socket.socket, endpoint: Endpoint) -> None:
        for _ in range(AT_ONCE):
            try:
                size, where = opened.recvfrom_into(self._room)
            except OSError:  # none is left; or a port is closed: the time for an answer runs out
                return
            endpoint.datagram_received(bytes(self._room[:size]), where)

    def close(self) -> None:
        """Closes both."""
        for _, opened in self._open.values():
            asyncio.get_running_loop().remove_reader(opened)
            opened.close()


def _send(opened: socket.socket, data: bytes, where: Address) -> None:
    """One that cannot go is lost, as any datagram may be: it is sent or asked for again."""
    with suppress(OSError):
        opened.sendto(data, where)
