"""Emulated boards with Ethernet, for firmware that talks: one TOML each in ecfit/data/machines."""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.choices.targets import Memory
from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA


class NetMachine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine of QEMU: which core its code is for, where its memories, its Ethernet controller
    (LAN9118) and its UART (CMSDK) are. `backend`: of the library.
    """

    description: str
    core: str
    backend: str
    hz: int
    lan_base: int
    lan_irq: int
    uart_base: int
    memory: tuple[Memory, ...]
    source: str
    name: str = ""

    def region(self, kind: str) -> Memory:
        """The memory of that kind."""
        return next(memory for memory in self.memory if memory.kind == kind)


@cache
def all_machines() -> dict[str, NetMachine]:
    """Every machine by name. Errors: UsageError."""
    found = {}
    for path in sorted((DATA / "machines").glob("*.toml")):
        try:
            machine = msgspec.toml.decode(path.read_bytes(), type=NetMachine)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path.name}: {error}") from None
        found[path.stem] = msgspec.structs.replace(machine, name=path.stem)
    return found


def find_machine(name: str) -> NetMachine:
    """The machine of that name, letter case ignored. Errors: UsageError."""
    if name.lower() not in all_machines():
        raise unknown_name("board", name, all_machines())
    return all_machines()[name.lower()]
