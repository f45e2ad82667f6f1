"""AVR code for the simulator's tests, and the machines that run it."""

from __future__ import annotations

import functools

from ecfit.sim.machine import Machine, load_model
from workshop.cores.avr_oracle import PARTS
from workshop.sim.build import TEXT, Image, link

ARCHITECTURES = {"atmega328p": "avr5", "atmega1284p": "avr51", "atmega2560": "avr6"}


@functools.cache
def assemble(text: str, part: str = "atmega328p") -> Image:
    """Assemble statements (`;` ends one), placed at TEXT. `back` comes behind them, which stops
    with number 1.
    """
    lines = "\n".join(one.strip() for one in text.replace(";", "\n").splitlines())
    source = (
        f".text\n.global _start\n.type _start, @function\n_start:\n{lines}\n"
        "back: break\nmov r1, r1\n"
    )
    flags = [f"-mmcu={ARCHITECTURES[part]}", "-nostdlib", f"-Wl,-Ttext={TEXT:#x}", "-Wl,-e,_start"]
    return link(["avr-gcc", *flags, "-Wl,--build-id=none"], source, ".s")


def machine(part: str = "atmega328p") -> Machine:
    """A core with the memory of a chip."""
    return Machine(load_model("avr"), PARTS[part].memory)
