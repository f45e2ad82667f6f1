"""Firmware that talks (firmware/net) as an ELF file: lwIP, the library, the messages, a program."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ecfit.build import toolchain
from ecfit.build.boardimage import BAUD
from ecfit.build.elf import Elf
from ecfit.build.fetch import check_compiled, package_digest, package_folder
from ecfit.build.messages import SIGNERS
from ecfit.build.parts import NO_ASSEMBLY, library_sources
from ecfit.choices import knobs
from ecfit.choices.boards import NetMachine
from ecfit.choices.curves import Curve
from ecfit.choices.peers import Package
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.model import Toolchain, digest
from ecfit.paths import FIRMWARE, LIB, ROOT, cache_dir, read_kept, write_kept

LWIP = Package(
    registry="cargo",
    name="lwip",
    version="0.4.0",  # of the crate: lwIP 2.2.1
    sha256="91a6b1dcb50bc8c8c032b7fefb5176aad2ce3eaed5b8307aace0b8d1e348184e",
)
SETTINGS_BYTES = 4096  # at the end of RAM: what the loader writes there before the reset
_LWIP_FILES = (
    *(f"core/{name}.c" for name in ("init", "def", "inet_chksum", "ip", "mem", "memp", "netif",
                                    "pbuf", "timeouts", "udp")),
    *(f"core/ipv4/{name}.c" for name in ("etharp", "icmp", "ip4", "ip4_addr")),
    "netif/ethernet.c",
)  # fmt: skip


class Around(NamedTuple):
    """What a talking program needs of an architecture: the network's sources, start-up and UART,
    folders of headers, linker script, and the machine of its ELF files.
    """

    network: tuple[Path, ...]
    glue: tuple[Path, ...]
    include: tuple[Path, ...]
    script: Path
    machine: str


def _in(*names: str) -> tuple[Path, ...]:
    return tuple(FIRMWARE / name for name in names)


AROUND = {
    "armv7m": Around(
        _in("net/net.c", "net/lan9118.c"),
        _in("cortexm/startup.c", "board/uart_cmsdk.c"),
        _in("cortexm", "net/cortexm"),
        FIRMWARE / "cortexm" / "image.ld.in",
        "EM_ARM",
    ),
    "xtensa": Around(
        _in("net/net.c", "net/open_eth.c"),
        _in("net/lx106/startup.c", "lx106/rom.c", "board/uart_16550.c"),
        _in("lx106", "net/lx106"),
        FIRMWARE / "net" / "lx106" / "image.ld.in",
        "EM_XTENSA",
    ),
}
_SENSOR = ("net/sensor_main.c", "net/sensor_emulated.c", "net/coap.c")
_MESSAGES = ("writer.c", "epoch.c", "jss.c", "cose.c")


def settings_address(machine: NetMachine) -> int:
    """Where the loader puts the settings of a program."""
    return machine.loaded_at(SETTINGS_BYTES)


def _header(machine: NetMachine, curve: Curve) -> str:
    configuration = knobs.resolve(
        curve, DEFAULT_PRESET, {"BACKEND": machine.backend}, machine.backend
    )
    return knobs.header(configuration, [curve.name], ("keygen", "sign"), extras=False)


def _script(machine: NetMachine) -> str:
    script = AROUND[machine.arch].script.read_text(encoding="utf-8")
    script = script.replace("@CODE@", "FLASH")
    for kind, less in (("flash", 0), ("ram", SETTINGS_BYTES)):
        memory = machine.region(kind)
        script = script.replace(f"@{kind.upper()}_START@", hex(memory.start))
        script = script.replace(f"@{kind.upper()}_SIZE@", hex(memory.size - less))
    return script


def build_sensor(machine: NetMachine, curve: Curve) -> bytes:
    """The firmware of a sensor that signs on a curve, as ELF; kept in the cache.
    Errors: BuildError, MissingToolError, UsageError.
    """
    tools = toolchain.find_toolchain("gcc", machine.arch, machine.core, "Os")
    lwip = package_folder("sensor", LWIP) / "src"
    signer = SIGNERS[curve.name]
    header = _header(machine, curve)
    around = AROUND[machine.arch]
    own = [*around.network, *reversed(around.glue), *_in(*_SENSOR)]
    own += [LIB / "msg" / name for name in (*_MESSAGES, f"sign_{signer}.c")]
    group = LIB / "msg" / f"recovery_{curve.name}.c"
    recovers = group.is_file()
    own += [FIRMWARE / "net" / f"sensor_{'' if recovers else 'no_'}recovery.c"]
    own += [LIB / "msg" / "recovery.c", group] if recovers else []
    assert NO_ASSEMBLY in header or len(library_sources(header)) == 2
    macros = (
        f"LAN_BASE={machine.lan_base:#x}u",
        f"LAN_IRQ={machine.lan_irq}",
        f"UART_BASE={machine.uart_base:#x}u",
        f"UART_BAUD={BAUD}u",
        f"BOARD_HZ={machine.hz}u",
        "NET_TCP=0",
        f"SENSOR_SIGNER=ecfit_msg_{signer}",
        f"SENSOR_RECOVERY=ecfit_msg_recovery_{curve.name}",
        f"SENSOR_SETTINGS={settings_address(machine):#x}u",
    )
    inputs = sorted({*own, *_headers(), *(path for path in (LIB / "src").rglob("*.[chiS]*"))})
    contents = [[path.name, path.read_bytes()] for path in inputs if path.is_file()]
    key = digest([contents, header, package_digest(lwip.parent), macros, _script(machine),
                  toolchain.flags_key(tools)])  # fmt: skip
    kept = cache_dir() / "firmware" / f"{key}.elf"
    data = read_kept(kept)
    if data is None:
        sources = (*library_sources(header), *own, *(lwip / name for name in _LWIP_FILES))
        include = (LIB / "include", LIB / "src", LIB / "msg", FIRMWARE / "net",
                   *around.include, lwip / "include")  # fmt: skip
        data = _compiled(
            tools,
            f"sensor for {machine.name}",
            header,
            _script(machine),
            sources,
            flags=[*(f"-I{path}" for path in include), *(f"-D{macro}" for macro in macros)],
            machine=around.machine,
        )
        check_compiled(sources)
        write_kept(kept, data)
    return data


def _headers() -> list[Path]:
    folders = (*_in("net", "net/arch", "net/cortexm", "net/lx106", "board"), LIB / "msg")
    headers = [path for folder in folders for path in folder.glob("*.[hi]*")]
    return [*headers, *(LIB / "include").rglob("*.h")]


def _compiled(
    tools: Toolchain,
    what: str,
    header: str,
    script: str,
    sources: Sequence[Path],
    *,
    flags: Sequence[str],
    machine: str,
) -> bytes:
    """Compiles each source, links them. `machine`: of the ELF file. Errors: BuildError."""
    with tempfile.TemporaryDirectory(prefix="net-", dir=cache_dir()) as name:
        folder = Path(name)
        (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
        (folder / "image.ld").write_text(script, encoding="utf-8")
        prefix = [
            f"-ffile-prefix-map={ROOT}=.",
            f"-ffile-prefix-map={cache_dir()}=.",
            f"-I{folder}",
        ]
        objects = []
        for index, source in enumerate(sources):
            objects.append(f"{index}_{source.stem}.o")
            command = [*tools.compile, *prefix, *flags, "-c", str(source), "-o", objects[-1]]
            toolchain.run(command, what, folder)
        toolchain.run([*tools.link, "-Timage.ld", *objects, "-o", "image.elf"], what, folder)
        data = (folder / "image.elf").read_bytes()
    Elf(data, machine)
    return data
