"""A contract as data: what the banner of a routine promises; and what its proof took."""

from __future__ import annotations

from dataclasses import dataclass, field

from prove.contracts.expression import Term

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
    returned word that stands above it. `quotient`: out is the value and q times the modulus, with
    q from 0 to below it.
    """

    place: str
    words: int
    value: Term
    registers: tuple[int, ...] = ()
    factor: int = 1
    modulus: int | None = None
    bound: int | None = None
    top: int = 0
    quotient: int | None = None

    @property
    def most(self) -> int | None:
        """What is added to the value at most, where `quotient` says so."""
        if self.quotient is None or self.modulus is None:
            return None
        return (self.quotient - 1) * self.modulus

    def fits(self, out: int, value: int) -> bool:
        """Whether a result, and what the banner computes, are what the contract says."""
        left = out * self.factor - value
        right = left % self.modulus == 0 if self.modulus else left == 0
        right = right and (self.most is None or 0 <= left <= self.most)
        return right and (self.bound is None or 0 <= out < self.bound)


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
    record: tuple[
        str | int | None, ...
    ] = ()  # a register's: addresses, numbers, words of any value
    pushed: tuple[str, ...] = ()  # operands whose addresses are on the stack

    @property
    def read(self) -> set[str]:
        """The names that its goals compute with."""
        return {n for g in self.goals for n in g.value.names()}

    def variant(self) -> str:
        """Name with what it was instantiated for."""
        return f"{self.name} {self.case}".strip()


@dataclass
class Outcome:
    """What a proof took."""

    seconds: float = 0.0
    instructions: int = 0
    variables: int = 0
    queries: int = 0
    stack: int = 0
    aliases: int = 0
    compared: int = 0  # instructions of which the emulator had the same
    goals: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)  # contracts that it relies on
    facts: list[str] = field(default_factory=list)  # what was proved on the way, when asked
    signed: bool = False  # whether words were numbers with signs
