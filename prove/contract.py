"""A contract as data: what the banner of a routine promises."""

from __future__ import annotations

from dataclasses import dataclass, field

from prove.expression import Term

HELD = "R"  # an operand in r0 to r7
FLAGS_GE = 64  # the number of the flags GE, as a mask


@dataclass(frozen=True)
class Operand:
    """Words in memory, from `least` to below `bound`; `number`: those of a modulus."""

    words: int
    bound: int
    least: int = 0
    number: int | None = None


@dataclass(frozen=True)
class Goal:
    """What an output is: `words` of it are at `place`, an operand, or in registers.

    out * factor = value modulo `modulus` (None: equal), and out < bound. `top`: the sign of a
    returned word that stands above it.
    """

    place: str
    words: int
    value: Term
    registers: tuple[int, ...] = ()
    factor: int = 1
    modulus: int | None = None
    bound: int | None = None
    top: int = 0


@dataclass(frozen=True)
class Contract:
    """What a routine promises. `arguments`: registers that point to operands; `masks`: registers
    that are 0 or all ones; `numbers`: registers with one value; `indexes`: registers that are a
    secret index of so many bits.
    """

    name: str
    backend: str
    arguments: dict[int, str]
    operands: dict[str, Operand]
    goals: tuple[Goal, ...]
    aliases: tuple[dict[str, str], ...] = ({},)
    masks: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    data: dict[int, str] = field(default_factory=dict)
    keeps: tuple[int, ...] = ()
    becomes: dict[int, tuple[str, int]] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    frame: str | None = None  # an operand where the stack pointer is
    free: int = 0  # words of the caller's frame
    public: bool = False
    text: str = ""
    case: str = ""  # which modulus
    indexes: dict[int, tuple[str, int]] = field(default_factory=dict)
    above: dict[int, str] = field(default_factory=dict)  # registers with an operand's last word
    tail: bool = False  # behind the frame: where the result goes, and the address to return to

    def variant(self) -> str:
        """Name with what it was instantiated for."""
        return f"{self.name} {self.case}".strip()
