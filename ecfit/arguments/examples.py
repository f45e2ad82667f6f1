"""What to type: examples of each command, which its help shows and a test reads."""

from __future__ import annotations

EXAMPLES = {
    "ecfit": (
        "ecfit fit --target nrf52840 --need secp256r1:sign,verify --flash 12KiB",
        "ecfit bench --target rp2040 --lib ecfit,micro-ecc --op verify",
        "ecfit amalgamate --target nrf52840 --curve x25519 -o x25519",
    ),
    "bench": (
        "ecfit bench --target nrf52840 --preset fast",
        "ecfit bench --target rp2040,samd20 --lib ecfit,micro-ecc --op ecdh",
        "ecfit bench --target nrf52840 --op sign --every 30s --battery CR2032",
        "ecfit bench --target nrf52840 --curve x25519 --format csv -o x25519.csv",
    ),
    "size": (
        "ecfit size --target lpc1114 --preset tiny,balanced",
        "ecfit size --target nrf52840 --curve secp256r1+x25519",
    ),
    "profile": (
        "ecfit profile --target nrf52840 --op sign",
        "ecfit profile --target samd20 --op verify --format svg -o verify.svg",
        "ecfit profile --target samd20 --op verify --stack",
    ),
    "ct": (
        "ecfit ct --target nrf52840 --curve secp256r1 --op sign",
        "ecfit ct --target lpc1114 --lib micro-ecc",
    ),
    "config": ("ecfit config --target nrf52840 --preset fast --op verify -o config",),
    "amalgamate": (
        "ecfit amalgamate --target nrf52840 --curve x25519 -o x25519",
        "ecfit amalgamate --target lpc1114 --preset tiny --op verify -o verify",
    ),
    "measure": ("ecfit measure --target nrf52840 --elf app.elf --function crc --arg u64:7",),
    "fit": (
        "ecfit fit --target nrf52840 --need secp256r1:sign,verify --flash 12KiB",
        "ecfit fit --target lpc1114 --need secp256r1:verify --minimise flash -o lib",
    ),
    "compare": (
        "ecfit compare old.json new.json --fail-on 1%",
        "ecfit compare v0.1.0 HEAD -- --target nrf52840 --op sign",
    ),
    "report": (
        "ecfit report -o report.html",
        "ecfit report --target nrf52840 --curve secp256r1 -o report.html",
    ),
    "study": (
        "ecfit study --list",
        "ecfit study micro-ecc",
        "ecfit study micro-ecc --peer-dir micro-ecc-2013=build/outside/micro-ecc-2013",
        "ecfit study anchors --target cc2538",
    ),
    "tls": (
        "ecfit tls --target nrf52840 --server tls1.3-ecdsa",
        "ecfit tls --connect example.org:443 --ca root.pem",
    ),
    "keys": (
        "ecfit keys --curve secp256r1 --format pem -o key.pem",
        "ecfit keys --curve ed25519 --format c",
    ),
    "energy": (
        "ecfit energy trace.csv --volts 3 --task hash,sign",
        "ecfit energy trace.csv --volts 3 --every 30s --battery CR2032 --sleep 2uA",
    ),
    "gateway": ("ecfit gateway coap://[::1]/temperature --keys keys --sqlite store.db",),
    "fidelity": (
        "ecfit fidelity",
        "ecfit fidelity --target nrf52840",
    ),
    "board": (
        "ecfit board",
        "ecfit board nrf52840dk --firmware kernels.elf",
        "ecfit board nrf52840dk --port /dev/ttyACM0 --format json -o loops.json",
    ),
    "sensor": ("ecfit sensor --board mps2-an385 --curve secp256r1",),
    "list": (
        "ecfit list targets cortex-m4",
        "ecfit list targets nrf52840",
        "ecfit list curves brainpool",
        "ecfit list libs micro-ecc",
        "ecfit list knobs WINDOW",
        "ecfit list presets fast",
    ),
    "doctor": ("ecfit doctor",),
}
