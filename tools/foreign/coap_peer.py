"""CoAP of others, by aiocoap and by libcoap's own programs (coap.py).

coap_peer.py NAME client URI SECONDS   asks a sensor; prints what it was told, as JSON
coap_peer.py NAME server PORT          serves /attic until it is ended: who puts to it sets what
                                       others observe
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

Told = tuple[str, str, str]  # what was asked, the code of the answer, its payload in hex
CRITICAL, NOTIFICATIONS, BODY = 65001, 3, b"9" * 100


def say(what: str, told: list[Told]) -> None:
    """The end of a client."""
    json.dump({"version": what, "told": told}, sys.stdout)


class Aiocoap:
    """The package aiocoap."""

    version = version("aiocoap")

    async def client(self, uri: str, _seconds: str) -> list[Told]:
        """Each request in turn."""
        import aiocoap
        from aiocoap.numbers.optionnumbers import OptionNumber
        from aiocoap.optiontypes import BlockOption, OpaqueOption

        context = await aiocoap.Context.create_client_context()
        told: list[Told] = []

        def tell(what: str, answer: aiocoap.Message) -> None:
            told.append((what, answer.code.dotted, answer.payload.hex()))

        async def ask(what: str, message: aiocoap.Message) -> None:
            message.set_request_uri(uri)
            while True:
                try:
                    tell(what, await context.request(message.copy()).response)
                    return
                except aiocoap.error.ResourceChanged:  # another reading by then
                    continue

        await ask("whole", aiocoap.Message(code=aiocoap.GET))
        small = aiocoap.Message(code=aiocoap.GET, block2=BlockOption.BlockwiseTuple(0, False, 0))
        await ask("blocks of 16", small)
        strange = aiocoap.Message(code=aiocoap.GET)
        strange.opt.add_option(OpaqueOption(OptionNumber(CRITICAL), b"x"))
        await ask("critical", strange)
        large = aiocoap.Message(code=aiocoap.PUT, payload=BODY)
        large.remote_maximum_block_size_exponent = 0
        await ask("put", large)
        request = context.request(aiocoap.Message(code=aiocoap.GET, uri=uri, observe=0))
        tell("observed", await request.response)
        assert request.observation is not None
        async for notification in request.observation:
            tell("observed", notification)
            if len([one for one in told if one[0] == "observed"]) == NOTIFICATIONS:
                break
        request.observation.cancel()
        await context.shutdown()
        return told

    async def server(self, port: int) -> None:
        """One resource."""
        import aiocoap
        from aiocoap import resource

        class Attic(resource.ObservableResource):  # type: ignore[misc]
            payload = b""

            async def render_get(self, request: aiocoap.Message) -> aiocoap.Message:
                return aiocoap.Message(payload=self.payload, content_format=50)

            async def render_put(self, request: aiocoap.Message) -> aiocoap.Message:
                self.payload = request.payload
                self.updated_state()
                return aiocoap.Message(code=aiocoap.CHANGED)

        site = resource.Site()
        site.add_resource(["attic"], Attic())
        await aiocoap.Context.create_server_context(site, bind=("127.0.0.1", port))
        await asyncio.get_running_loop().create_future()


class Libcoap:
    """coap-client and coap-server."""

    def __init__(self) -> None:
        self._client = shutil.which("coap-client") or shutil.which("coap-client-notls") or ""
        self._server = shutil.which("coap-server") or shutil.which("coap-server-notls") or ""
        said = subprocess.run([self._client, "-?"], capture_output=True, text=True, check=False)
        self.version = (re.findall(r" v(\d[\d.]*)", said.stderr + said.stdout) or ["?"])[0]

    async def client(self, uri: str, seconds: str) -> list[Told]:
        """A run of the program for each request."""
        out = Path(tempfile.mkdtemp()) / "out"

        async def ask(what: str, *options: str) -> str:
            out.unlink(missing_ok=True)
            limit = seconds if what == "observed" else "20"
            command = [self._client, "-v", "7", "-B", limit, *options, "-o", str(out), uri]
            run = await asyncio.create_subprocess_exec(
                *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            log = (await run.communicate())[0].decode("utf-8", "replace")
            if "Data body updated" in log and what != "observed":  # another reading by then
                return await ask(what, *options)
            code = (re.findall(r" c:([2-5]\.\d\d) i:", log) or ["none"])[-1]
            told.append((what, code, out.read_bytes().hex() if out.exists() else ""))
            return log

        told: list[Told] = []
        await ask("whole")
        await ask("blocks of 16", "-b", "16")
        for size in range(1, 9):
            await ask(f"token of {size}", "-T", "t" * size)
        await ask("critical", "-O", f"{CRITICAL},x")
        await ask("put", "-m", "put", "-b", "16", "-e", BODY.decode())
        pause = str(int(seconds) // 9)  # of each, with a ping in it
        log = await ask("observed", "-s", seconds, "-K", pause)
        _, code, data = told.pop()
        texts = re.findall(rb"\{[^{}]*\{[^{}]*\}[^{}]*\}", bytes.fromhex(data))
        told += [("observed", code, text.hex()) for text in texts[:NOTIFICATIONS]]
        told += [("observed", "none", "")] * (NOTIFICATIONS - len(texts))
        told.append(("ping", "0.00" if "t:RST c:0.00" in log else "none", ""))
        shutil.rmtree(out.parent)
        return told

    async def server(self, port: int) -> None:
        """Becomes the program, which makes a resource where a PUT has none."""
        command = [self._server, "-A", "127.0.0.1", "-p", str(port), "-d", "4", "-v", "3"]
        os.execv(self._server, command)


def main(name: str, role: str, where: str, seconds: str = "") -> None:
    """The job of one implementation."""
    peer: Aiocoap | Libcoap = Aiocoap() if name == "aiocoap" else Libcoap()
    if role == "server":
        asyncio.run(peer.server(int(where)))
    else:
        say(peer.version, asyncio.run(peer.client(where, seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
