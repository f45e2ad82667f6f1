"""The gateway: sensors are observed, messages verified on all cores, readings kept in batches.

What a sensor does wrong ends with its own message or its own observation. Only a store that cannot
write ends the gateway, unless its disk is full: then it waits for room, and acknowledges nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from ecfit.errors import EcfitError
from ecfit_lab.gateway.budgets import DEFAULT, Limits
from ecfit_lab.gateway.coap import Endpoints, Observation, Sensor
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.readings import DUPLICATE, Message, Reading, Refusal, examine
from ecfit_lab.gateway.stores import FullError, Store
from ecfit_lab.message.algorithms import Verifier

BATCH = 512  # readings of one transaction, at most
SMALLEST = 16  # messages for a thread: to wake one takes as long as to read two of them
FULL_SECONDS = 1.0  # on a full disk, until the next transaction
KEYS_SECONDS = 1.0  # how often the folder of keys is looked at


class Gateway:
    """One process of a gateway."""

    def __init__(
        self,
        keys: Keyring,
        store: Store,
        verifier: Verifier,
        *,
        id_member: str,
        threads: int,
        say: Callable[[str], None],
        limits: Limits = DEFAULT,
    ) -> None:
        self._limits, self._full = limits, False
        self._keys, self._store, self._verifier = keys, store, verifier
        self._id_member, self._say = id_member, say
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="verify")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._arrived: list[tuple[Message, asyncio.Future[None]]] = []
        self._arrival = asyncio.Event()
        self._examined: asyncio.Queue[list[tuple[Reading | Refusal, asyncio.Future[None]]]] = (
            asyncio.Queue(1)
        )
        self._endpoints = Endpoints()
        self._observed: dict[str, asyncio.Task[None]] = {}
        self.accepted = 0
        self.refused: Counter[str] = Counter()

    async def run(self) -> None:
        """Until it is cancelled, or something cannot go on. Errors: EcfitError."""
        loops = self._examine(), self._commit(), self._watch_keys()
        tasks = [asyncio.create_task(one) for one in loops]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                await task
        finally:
            for one in (*tasks, *self._observed.values()):
                one.cancel()
            await asyncio.gather(*tasks, *self._observed.values(), return_exceptions=True)
            self._endpoints.close()
            self._pool.shutdown(cancel_futures=True)
            self._writer.shutdown()

    def observe(self, sensors: Iterable[Sensor]) -> None:
        """These sensors from now on, and no others."""
        wanted = {one.uri: one for one in sensors}
        for uri in self._observed.keys() - wanted.keys():
            self._observed.pop(uri).cancel()
        for uri in wanted.keys() - self._observed.keys():
            observation = Observation(wanted[uri], self.deliver, self._say, self._limits)
            self._observed[uri] = asyncio.create_task(observation.run(self._endpoints))

    def deliver(
        self, sensor: Sensor, data: bytes, content_format: int | None
    ) -> asyncio.Future[None]:
        """Done when the message is kept, as a reading or as refused."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._arrived.append((Message(sensor.uri, data, sensor.bound, content_format), kept))
        self._arrival.set()
        return kept

    async def _examine(self) -> None:
        """What has come in while a transaction ran is verified on all cores, during the next one.
        It waits for that one, so that few messages do not wake a thread each.
        """
        loop = asyncio.get_running_loop()
        while True:
            await self._arrival.wait()
            batch, self._arrived = self._arrived[:BATCH], self._arrived[BATCH:]
            if not self._arrived:
                self._arrival.clear()
            size = max(SMALLEST, -(-len(batch) // self._threads))
            parts = [batch[at : at + size] for at in range(0, len(batch), size)]
            work = [loop.run_in_executor(self._pool, self._outcomes, part) for part in parts]
            outcomes = [one for part in await asyncio.gather(*work) for one in part]
            await self._examined.put(list(zip(outcomes, (k for _, k in batch), strict=True)))

    def _outcomes(
        self, part: Sequence[tuple[Message, asyncio.Future[None]]]
    ) -> list[Reading | Refusal]:
        """In a thread."""
        return [examine(one, self._keys, self._verifier, self._id_member) for one, _ in part]

    async def _commit(self) -> None:
        """One transaction after the other."""
        loop = asyncio.get_running_loop()
        while True:
            batch = await self._examined.get()
            outcomes = [outcome for outcome, _ in batch]
            try:
                new = await loop.run_in_executor(self._writer, self._store.commit, outcomes)
            except FullError as error:
                await self._wait_for_room(str(error), [kept for _, kept in batch])
                continue
            if self._full:
                self._full = False
                self._say("there is room again: readings are kept")
            for (outcome, kept), fresh in zip(batch, new, strict=True):
                if isinstance(outcome, Refusal):
                    self.refused[outcome.reason] += 1
                elif fresh:
                    self.accepted += 1
                else:
                    self.refused[DUPLICATE] += 1
                if not kept.done():
                    kept.set_result(None)

    async def _wait_for_room(self, why: str, unkept: Sequence[asyncio.Future[None]]) -> None:
        """None of these is acknowledged: their sensors send them again."""
        for kept in unkept:
            kept.cancel()
        if not self._full:
            self._full = True
            self._say(f"{why}: nothing is acknowledged until there is room")
        await asyncio.sleep(FULL_SECONDS)

    async def _watch_keys(self) -> None:
        while True:
            await asyncio.sleep(KEYS_SECONDS)
            try:
                self.load_keys()
            except EcfitError as error:  # the folder is gone: nobody is trusted until it is back
                if self._keys.keys:
                    self._keys.forget()
                    self._say(f"{error}: no message is accepted")

    def load_keys(self) -> None:
        """Reads the keys where they have changed, and says so. Errors: UsageError."""
        wrong = self._keys.reload()
        if wrong is None:
            return
        for line in wrong:
            self._say(f"not a key: {line}")
        self._say(f"keys: {', '.join(self._keys.keys) or 'none'}")

    def summary(self) -> str:
        """One line."""
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.refused.most_common())
        refused = f"{self.refused.total()} refused" + (f" ({reasons})" if reasons else "")
        late = f" ({self._store.late} late)" if self._store.late else ""
        return f"{self.accepted} accepted{late}, {refused}"
