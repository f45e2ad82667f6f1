"""The client's image for an emulated board: the client of ecfit_lab.tls, with lwIP beneath it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import msgspec

from ecfit.build import toolchain
from ecfit.build.boardimage import BAUD
from ecfit.build.elf import Elf, object_bytes
from ecfit.build.fetch import check_compiled, package_digest, package_folder
from ecfit.build.netimage import AROUND, LWIP
from ecfit.build.parts import Parts
from ecfit.choices.boards import NetMachine, find_machine
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Clock, Memory, Target
from ecfit.errors import UsageError
from ecfit.measure.store import Store
from ecfit.model import Image, Segment, digest
from ecfit.paths import FIRMWARE, ROOT, cache_dir
from ecfit_lab.tls.configs import OWN_BACKEND
from ecfit_lab.tls.image import CLIENT, Client, check, request

ORDERS_BYTES = 8192  # at the end of RAM: what the loader writes there before the reset
_LWIP = (
    *(f"core/{name}.c" for name in ("init", "def", "inet_chksum", "ip", "mem", "memp", "netif",
                                    "pbuf", "tcp", "tcp_in", "tcp_out", "timeouts")),
    *(f"core/ipv4/{name}.c" for name in ("etharp", "icmp", "ip4", "ip4_addr")),
    "netif/ethernet.c",
)  # fmt: skip
NETWORK_OBJECT = "net_"  # how objects of TCP/IP and of the driver begin
_HARNESS = FIRMWARE / "bench_main.c"  # for its heap, which is that of the chips


def target(machine: NetMachine, flash_bytes: float = 0, ram_bytes: float = 0) -> Target:
    """A machine as the other rows have their chips, with so much of its memory; 0: all of it.
    Errors: UsageError when it has less.
    """
    ram = machine.region("ram")
    taken = ORDERS_BYTES if orders_address(machine) < ram.start + ram.size else 0
    return Target(
        name=machine.name,
        description=machine.description,
        core=machine.core,
        arch=machine.arch,
        runner="qemu",
        backend=machine.backend,
        clock=Clock(machine.hz, machine.source),
        memory=(
            _cut(machine, "flash", round(flash_bytes), 0),
            _cut(machine, "ram", round(ram_bytes), taken),
        ),
    )


def _cut(machine: NetMachine, kind: str, size: int, less: int) -> Memory:
    whole = machine.region(kind)
    if size > whole.size - less:
        raise UsageError(
            f"{machine.name} has {whole.size - less} bytes of {kind}: --{kind} wants {size}"
        )
    return msgspec.structs.replace(whole, size=size or whole.size - less)


def orders_address(machine: NetMachine) -> int:
    """Where the loader puts what the client is to do."""
    return machine.loaded_at(ORDERS_BYTES)


class _Unit(msgspec.Struct, frozen=True):
    """A source, the object that it makes, and what only it is compiled with."""

    source: Path
    name: str
    flags: tuple[str, ...] = ()


class _Program(msgspec.Struct, frozen=True):
    """The parts to link for a client: those of chips, and those of a board."""

    client: Client
    parts: Parts
    lwip: Path
    macros: tuple[str, ...]
    script: str
    units: tuple[_Unit, ...]

    @property
    def key(self) -> str:
        """The content key."""
        around = {unit.source for unit in self.units if FIRMWARE in unit.source.parents}
        around |= {path for name in ("net", "board") for path in (FIRMWARE / name).rglob("*.h")}
        contents = [[path.name, path.read_bytes()] for path in sorted(around)]
        flags = toolchain.flags_key(self.client.tools)
        names = [unit.name for unit in self.units]
        return digest([self.client.stack, self.parts.identity, list(self.macros), self.script,
                       contents, package_digest(self.lwip.parent), names, flags])  # fmt: skip


def image(client: Client, peers: Mapping[str, Peer], store: Store) -> Image:
    """The image, built if need be; its one segment is the ELF file.
    Errors: UsageError, BuildError, PackageError, MissingToolError.
    """
    check(client)
    parts, lwip = request(client, peers).parts, package_folder("tls", LWIP) / "src"
    macros, script = _macros(find_machine(client.target.name)), _script(client.target)
    program = _Program(
        client, parts, lwip, macros, script, tuple(_units(parts, lwip, client.target.arch))
    )
    return store.made_image(program.key, lambda: _linked(program))


def _macros(machine: NetMachine) -> tuple[str, ...]:
    return (
        f"LAN_BASE={machine.lan_base:#x}u",
        f"LAN_IRQ={machine.lan_irq}",
        f"UART_BASE={machine.uart_base:#x}u",
        f"UART_BAUD={BAUD}u",
        f"BOARD_HZ={machine.hz}u",
        "NET_TCP=1",
        f"BOARD_ORDERS={orders_address(machine):#x}u",
    )


def _script(board: Target) -> str:
    script = AROUND[board.arch].script.read_text(encoding="utf-8")
    script = script.replace("@CODE@", "FLASH")
    for memory in board.memory:
        kind = memory.kind.upper()
        script = script.replace(f"@{kind}_START@", hex(memory.start))
        script = script.replace(f"@{kind}_SIZE@", hex(memory.size))
    return script


def _units(parts: Parts, lwip: Path, arch: str) -> list[_Unit]:
    """What is compiled. The linker script, and :func:`_origins`, know by the object's name what
    is the client's surroundings (glue_), and what is the network's (net_).
    """
    own = tuple(f"-D{define}" for define in parts.defines)
    library = enumerate(parts.sources)
    units = [_Unit(path, f"lib_{i}_{path.stem}.o", own) for i, path in library]
    units += [_Unit(lwip / name, f"{NETWORK_OBJECT}lwip_{Path(name).stem}.o") for name in _LWIP]
    units += [_Unit(path, f"{NETWORK_OBJECT}{path.stem}.o") for path in AROUND[arch].network]
    glue = *AROUND[arch].glue, FIRMWARE / "tls" / "port_board.c"
    units += [_Unit(path, f"glue_{path.stem}.o", own) for path in glue]
    units.append(_Unit(parts.adapter, f"glue_{parts.adapter.stem}.o", own))
    for one in parts.beside:
        flags = *(f"-I{path}" for path in one.include), *(f"-D{d}" for d in one.defines), *one.flags
        units += [
            _Unit(path, f"lib_beside_{i}_{path.stem}.o", flags)
            for i, path in enumerate(one.sources)
        ]
        around = *flags, f"-I{FIRMWARE}", *(f"-D{define}" for define in one.glue_defines)
        units.append(_Unit(one.adapter, f"glue_beside_{one.adapter.stem}.o", around))
    alone = ("-DBENCH_OPS=", "-Dbench_main=bench_stopped")
    return [*units, _Unit(_HARNESS, "glue_bench_main.o", alone)]


def _linked(program: _Program) -> Image:
    """Compiles and links. Errors: BuildError."""
    client, parts = program.client, program.parts
    tools, what = client.tools, f"the {client.connection.name} client for {client.target.name}"
    include = (*parts.include, CLIENT, FIRMWARE, *AROUND[client.target.arch].include,
               FIRMWARE / "net", program.lwip / "include")  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="net-", dir=cache_dir()) as name:
        folder = Path(name)
        for file, text in {**parts.generated, "image.ld": program.script}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        flags = [
            f"-ffile-prefix-map={ROOT}=.",
            f"-ffile-prefix-map={cache_dir()}=.",
            f"-ffile-prefix-map={folder}=.",
            *(f"-I{path}" for path in (folder, *include)),
            *(f"-D{macro}" for macro in program.macros),
        ]
        if client.backend.startswith(OWN_BACKEND):
            flags.append("-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY")
        for unit in program.units:
            command = [*tools.compile, *flags, *unit.flags, "-c", str(unit.source), "-o", unit.name]
            toolchain.run(command, what, folder)
        link = [*tools.link, "-Timage.ld", "-Wl,-Map=image.map"]
        link += [f"-Wl,-u,{root}" for root in parts.roots]
        objects = [unit.name for unit in program.units]
        toolchain.run([*link, *objects, "-o", "image.elf"], what, folder)
        data = (folder / "image.elf").read_bytes()
        map_text = (folder / "image.map").read_text(encoding="utf-8")
    check_compiled(unit.source for unit in program.units)
    elf = Elf(data, AROUND[client.target.arch].machine)
    return Image(
        key=program.key,
        segments=(Segment(0, data),),
        symbols=elf.symbols,
        sections=elf.sections,
        origins=_origins(map_text),
    )


def _origins(map_text: str) -> dict[str, int]:
    """Bytes by source; those of the network begin with net_."""
    found: dict[str, int] = {}
    for name, size in object_bytes(map_text).items():
        last = PurePosixPath(name.split("(")[0]).name
        source = re.sub(r"^(?:lib_(?:beside_)?\d+_|glue_(?:beside_)?)?(.*)\.o$", r"\1", last)
        found[source] = found.get(source, 0) + size
    return found
