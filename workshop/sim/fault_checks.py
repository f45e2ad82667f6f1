"""What the tests of faults share: on each core r0 or a0 is 0, and then come RAM,
its end, a peripheral.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ecfit.sim.machine import Fault, Machine
from workshop.sim.build import RAM, RAM_SIZE, STACK_TOP, TEXT, Image, assemble

END = RAM + RAM_SIZE
PERIPHERAL = 0x40000000
AT = TEXT + 4  # the fault happens in the instruction at _start + 4
READ, WRITE, EXECUTE = "read outside memory", "write outside memory", "execution outside memory"
PERIPHERAL_READ = "read of a peripheral, which is not modelled,"
PERIPHERAL_WRITE = "write to a peripheral, which is not modelled,"


def warm(machine: Machine) -> None:
    """RAM has just been accessed, which is when the fast path takes over (Arm)."""
    image = assemble("push {r0}; pop {r0}; bx lr")
    image.load(machine)
    assert image.call(machine, "_start").stop == "bkpt"


def check_fault(
    machine: Machine, image: Image, fault: tuple[str, int], before: int, *,
    kept: tuple[int, int] = (RAM, RAM_SIZE),
    counter: int = 15, profile: bool = False, taint: bool = False,
) -> None:  # fmt: skip
    """The image ends with that kind of fault and address at AT, behind so many instructions.

    What it kept, as address and size, is as it was; counter: the number of the program counter.
    """
    kind, address = fault
    image.load(machine)
    memory = machine.read(*kept)
    result = machine.call(
        image.symbols["_start"], [0, RAM, END, PERIPHERAL], sp=STACK_TOP,
        return_to=image.symbols["back"], limit=10,
        profile=profile, taint=taint,
    )  # fmt: skip
    assert (result.stop, result.fault, result.bkpt) == ("fault", Fault(kind, address, AT), None)
    assert str(result.fault) == f"{kind} 0x{address:08x} at pc 0x00000104"
    assert (result.instructions, machine.register(counter)) == (before, AT)
    assert taint or sum(result.classes.values()) == (before if profile else 0)
    assert machine.read(*kept) == memory


def check_registers_stay(
    machine: Machine,
    image: Image,
    registers: Mapping[int, int],
    state_of: Callable[[Machine], object],
) -> None:
    """A fault in the first instruction changes no register; registers:
    those that have a certain value.
    """
    image.load(machine)
    for index in range(13):
        machine.set_register(index, 0x11111111 * index)
    for index, value in registers.items():
        machine.set_register(index, value)
    before = state_of(machine)
    assert machine.run(TEXT | 1, limit=10).fault is not None
    assert state_of(machine) == before
