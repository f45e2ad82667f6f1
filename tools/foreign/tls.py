"""TLS against servers of others: current programs, which serve a chain of the web to the client on
a chip, and those of BoringSSL's test runner, which are malformed in one way each.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit_lab.tls import certs
from ecfit_lab.tls.configs import WEB_ROOM, WOLFSSL, find_connection
from ecfit_lab.tls.connections import failure
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.link import now_ms
from ecfit_lab.wire import native
from tools.foreign.table import Row, commit
from tools.rigs import tls_servers, tls_web
from tools.rigs.tls_servers import CHIP, NAMES

HERE = Path(__file__).resolve().parent
RUNNER, SECONDS = Path("ssl", "test", "runner"), 900
NUMBERS = {"1.3": 0x304, "1.2": 0x303}
# What is not for this client, by the runner's names; in its list for TLS 1.2 also what a server of
# 1.2 cannot do, which is then nothing wrong.
ELSEWHERE = "*DTLS*;*QUIC*;*Server*"
SKIPPED = {
    "1.3": f"{ELSEWHERE};*TLS12*;*TLS11*;*TLS1;*TLS1-*",
    "1.2": f"{ELSEWHERE};*TLS13*;*HRR*;*KeyUpdate*;*NewSessionTicket*",
}
OWN, NOT_ITS_OWN = re.compile(r"refused: (-\d+), .* alert 0,"), {-0x6800, -0x7280, -3}
# By name, what is neither refused nor served as the runner wants it, and the rule (table.py).
RULES = {
    "*SplitHandshakeRecords": "RFC 8446, 5.1",
    "HelloRetryRequest-*Cookie-TLS13": "RFC 8446, 4.1.2",
    "HelloRetryRequest-Empty-TLS13": "RFC 8446, 4.1.2",
    "*KeyUpdate*": "RFC 8446, 4.6.3",
    "*CertificateAuthorities*": "RFC 8446, 4.3.2",
    "LargePlaintext-TLS13-Padded*": "RFC 8446, 5.2",
    "LargeMessage": "RFC 8446, 6.2",
    "SendBogusAlertType": "RFC 8446, 6",
    "SendWarningAlerts-TLS13": "RFC 8446, 6",
    "*Ticket*": "RFC 8446, 4.6.1",
    "SendPostHandshakeChangeCipherSpec-TLS13": "RFC 8446, 5",
    "SendEmptyRecords-Pass": "RFC 5246, 6.2.1",
    "AlternateEmptyRecordsAndWarningAlerts": "RFC 5246, 6.2.1",
    "DuplicateExtensionClient-TLS-TLS12": "RFC 5246, 7.4.1.4",
    "Un*Extension-Client": "RFC 5246, 7.4.1.4",
    "Client-RejectJDK11DowngradeRandom": "RFC 8446, 4.1.3",
    "Downgrade-TLS12-Client*": "RFC 8446, 4.1.3",
    "Renegotiate-Client-Forbidden-1": "RFC 5246, 7.4.1.1",
}


def version(server: str) -> str:
    """Of a program, or of the library that a server of tools/rigs/servers is built of."""
    if server == "rustls":
        lock = (tls_servers.SERVERS / server / "Cargo.lock").read_text()
        return str(re.findall(r'name = "rustls"\nversion = "(.*)"', lock)[0])
    if server in ("mbedtls", "wolfssl"):
        return all_peers()[server].library_version.partition(" ")[0]
    words = {"openssl": ["openssl", "version"], "go": ["go", "version"]}
    words |= {"gnutls": ["gnutls-serv", "--version"]}
    done = subprocess.run(words[server], capture_output=True, text=True, check=False)
    return str((re.findall(r"\d+\.\d+[.\d]*", done.stdout) or ["?"])[0])


def stateless(stack: str) -> str:
    """OpenSSL as a server that keeps nothing before a cookie comes back, and a client of ours."""
    connection = find_connection("tls1.3-ecdsa" if stack == WOLFSSL else "tls1.3-web")
    given, client = certs.make(connection), Client(find_target(CHIP), connection, stack)
    with tempfile.TemporaryDirectory() as folder:
        serving = tls_servers.foreign("openssl", connection, given, Path(folder), "-stateless")
        with serving as port:
            return failure(tls_servers.connect(client, given, port))[0]


def served(server: str) -> list[Row]:
    """A row for each connection: chains of RSA, of both kinds, of six certificates."""
    rows, by = [], f"{NAMES[server]} {version(server)}"
    for connection in dict.fromkeys(name for name, _, _ in tls_web.rows()):
        chains = [row[1] for row in tls_web.rows() if row[0] == connection and row[2] == CHIP]
        words = {chain: tls_web.tried(server, connection, chain, CHIP) for chain in chains}
        if server == "openssl" and connection == "tls1.3-web":
            words |= {f"stateless, {stack}": stateless(stack) for stack in ("ecfit-fast", WOLFSSL)}
        wrong = tuple(f"{chain}: {word}" for chain, word in words.items() if word != "ok")
        rows.append(Row(connection, by, len(words) - len(wrong), len(wrong), wrong=wrong))
    return rows


def judged(name: str, error: str) -> str | None:
    """A rule, "" where the client did as it should, None where it did not: the runner also wants an
    echo of the payload, and a certain alert.
    """
    if error.startswith("unexpected failure") and "stdout: served" in error:
        return ""
    rule = next((rule for like, rule in RULES.items() if fnmatchcase(name, like)), None)
    if rule is None and error.startswith("unexpected error") and (own := OWN.search(error)):
        return "RFC 8446, 6.2" if int(own[1]) not in NOT_ITS_OWN else None
    return rule


def malformed(folder: Path, checkout: Path) -> list[Row]:
    """All servers of the runner that fit; a row for each rule."""
    runner, shim = folder / "bogo", folder / "shim"
    build = ["go", "test", "-c", "-o", str(runner), "."]
    subprocess.run(build, cwd=checkout / RUNNER, check=True)
    words = [sys.executable, "-SE", str(HERE / "tls_peer.py")]
    shim.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    shim.chmod(0o755)
    return [row for number in NUMBERS for row in _malformed(number, runner, shim, checkout)]


def _malformed(number: str, runner: Path, shim: Path, checkout: Path) -> list[Row]:
    connection = find_connection(f"tls{number}-web")
    program = native.program(Client(find_target("host"), connection, "ecfit-fast"), all_peers())
    orders = {"program": str(program), "version": NUMBERS[number], "room": WEB_ROOM}
    orders |= {"time_ms": now_ms(), "anchor": certs.make(connection).anchor.hex()}
    given, told = shim.with_name(f"orders{number}"), shim.with_name(f"told{number}")
    given.write_text(json.dumps(orders))
    command = [str(runner), "-shim-path", str(shim), "-shim-extra-flags", f"-orders;{given}"]
    command += ["-allow-unimplemented", "-loose-errors", "-skip", SKIPPED[number]]
    command += ["-idle-timeout", "3s", "-num-workers", "4", "-json-output", str(told)]
    where = checkout / RUNNER
    subprocess.run(command, cwd=where, capture_output=True, check=False, timeout=SECONDS)
    tests = json.loads(told.read_text())["tests"]
    tried = {name: test for name, test in tests.items() if test["actual"] != "SKIP"}
    counts: Counter[str] = Counter()
    wrong = []
    for name, test in tried.items():
        rule = "" if test["actual"] == "PASS" else judged(name, test["error"])
        if rule is None:
            wrong.append(f"{name}: {' '.join(test['error'].split())}")
        else:
            counts[rule] += 1
    edge, by = f"tls{number}, malformed", f"BoringSSL {commit(checkout)}"
    rows = [Row(edge, by, counts.pop("", 0), len(wrong), wrong=tuple(wrong))]
    return rows + [Row(edge, by, 0, 0, count, rule) for rule, count in sorted(counts.items())]


def matrix(folder: Path, checkouts: dict[str, Path]) -> list[Row]:
    """All rows."""
    rows = [row for server in tls_web.SERVERS for row in served(server)]
    if "boringssl" in checkouts:
        rows += malformed(folder, checkouts["boringssl"])
    return rows
