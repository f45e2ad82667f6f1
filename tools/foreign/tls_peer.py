"""The client of this product as a shim of BoringSSL's runner, whose servers are malformed (tls.py).

tls_peer.py -orders FILE -port PORT -shim-id ID ..: one connection. Exit code 0 when the payload has
come, which standard output says; 1 when the client refused, with the reason; 89 for what the client
has not, or where the server wants what was not offered.
"""

from __future__ import annotations

import json
import socket
import ssl
import struct
import subprocess
import sys
import threading

NOT_HERE, TLS12 = 89, 0x303
RESULT = struct.Struct("<2i8I5Q")  # firmware/tls/port_linux.c
SECONDS = 1.0  # that the client waits
PAYLOAD = 32  # bytes of the runner's first message
# How the runner wants its own library to be called, which is no matter of the protocol.
IGNORED = {"-ipv6", "-async", "-implicit-handshake", "-verify-peer", "-use-custom-verify-callback"}
IGNORED |= {"-no-tls1", "-no-tls11", "-check-close-notify", "-expect-hrr", "-expect-no-hrr"}
IGNORED |= {"-use-old-client-cert-callback", "-expect-extended-master-secret", "-peek-then-read"}
WITH_VALUE = {"-orders", "-port", "-shim-id", "-trust-cert", "-host-name", "-min-version"}
WITH_VALUE |= {"-max-version", "-expect-peer-signature-algorithm", "-expect-curve-id"}
# The runner wants it of every client of TLS 1.3; RFC 8446, D.4 leaves it to the client.
ALERT, CHANGE_CIPHER_SPEC = b"\x15", bytes.fromhex("140303000101")
NOT_OFFERED = {256 + alert for alert in (40, 70, 71)}  # RFC 8446, 6: no agreement, version, weak


def asked(words: list[str]) -> dict[str, str]:
    """The options. Errors: SystemExit where the client has not what one asks for."""
    if "-is-handshaker-supported" in words:
        sys.exit(print("No"))
    options, rest = {}, iter(words)
    for word in rest:
        if word in WITH_VALUE:
            options[word] = next(rest)
        elif word in IGNORED or word in ("-no-tls12", "-no-tls13"):
            options[word] = ""
        else:
            sys.exit(NOT_HERE)
    return options


def carry(source: socket.socket, sink: socket.socket, between: bytes = b"") -> None:
    """Until one of both is closed. `between`: what goes behind the first flight, unless an alert
    does.
    """
    try:
        while data := source.recv(1 << 14):
            sink.sendall(data)
            if between:
                data = source.recv(1 << 14)
                sink.sendall(data if data[:1] in (b"", ALERT) else between + data)
                between = b""
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main() -> None:
    """One connection."""
    options = asked(sys.argv[1:])
    with open(options["-orders"], encoding="utf-8") as file:  # noqa: PTH123
        orders = json.load(file)
    version, room = orders["version"], orders["room"]
    low, high = (int(options.get(f"-{end}-version", version)) for end in ("min", "max"))
    if not low <= version <= high or f"-no-tls{12 if version == TLS12 else 13}" in options:
        sys.exit(NOT_HERE)
    anchor = bytes.fromhex(orders["anchor"])
    if options["-trust-cert"]:
        with open(options["-trust-cert"], encoding="ascii") as file:  # noqa: PTH123
            anchor = ssl.PEM_cert_to_DER_cert(file.read())
    fields = {"name": options.get("-host-name", "test").encode(), "anchor": anchor}
    fields |= {"certificate": b"", "key": b""}
    if any(len(data) > room[field] for field, data in fields.items()):
        sys.exit(NOT_HERE)
    given = struct.pack("<5I", len(anchor), 0, 0, PAYLOAD, 0)
    given += b"".join(data.ljust(room[field], b"\0") for field, data in fields.items())
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        client = subprocess.Popen([orders["program"]], stdin=-1, stdout=-1)
        head = struct.pack("<2IqQ", port, int(1000 * SECONDS), orders["time_ms"], 1)
        assert client.stdin is not None
        client.stdin.write(head + given)
        client.stdin.close()
        listening.settimeout(SECONDS)
        try:
            near, _ = listening.accept()
        except TimeoutError:  # it does not know this kind of key
            sys.exit(NOT_HERE)
    host = "::1" if "-ipv6" in options else "127.0.0.1"
    far = socket.create_connection((host, int(options["-port"])))
    far.sendall(struct.pack("<Q", int(options["-shim-id"])))
    threading.Thread(target=carry, args=(far, near), daemon=True).start()
    carry(near, far, b"" if version == TLS12 else CHANGE_CIPHER_SPEC)
    assert client.stdout is not None
    out = client.stdout.read()
    if client.wait() or len(out) != RESULT.size:
        sys.exit(f"the client died: exit code {client.returncode}")
    error, stage, _, _, payload, _, _, _, alert, _ = RESULT.unpack(out)[:10]
    if alert in NOT_OFFERED and payload == 0:
        sys.exit(NOT_HERE)
    if error:
        sys.exit(f"refused: {error}, stage {stage}, alert {alert}, payload {payload}")
    print("served")


if __name__ == "__main__":
    main()
