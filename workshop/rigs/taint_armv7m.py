"""Random ARMv7-M programs for the taint tests, as assembly: data processing, IT blocks,
loads and stores near r8, which holds the middle of RAM. r9 is a scratch register for flags;
the stack pointer stays. All else is free."""

from __future__ import annotations

import random

from workshop.sim.random_items import Items

_TWO = ("and", "bic", "orr", "orn", "eor", "add", "adc", "sub", "sbc", "rsb")
_TEST = ("tst", "teq", "cmp", "cmn")
_UNARY = ("mov", "mvn", "clz", "rbit", "rev", "rev16", "revsh", "sxtb", "sxth", "uxtb", "uxth")
_PRODUCTS = ("umull", "smull", "umlal", "smlal", "umaal")
_LONG_SUMS = ("smlalbb", "smlalbt", "smlaltb", "smlaltt", "smlald", "smlaldx", "smlsld", "smlsldx")
_DSP = (
    "smulbb",
    "smultt",
    "smmul",
    "uadd8",
    "ssub16",
    "sel",
    "qadd",
    "uhadd16",
    "usad8",
    "pkhbt",
    "uxtab",
    "smulbt",
    "smulwb",
    "smuad",
    "smusdx",
    "smmulr",
    "sadd8",
    "usub16",
    "qsub8",
    "uqadd16",
    "shasx",
    "usax",
    "qdsub",
    "pkhtb",
    "sxtah",
    "uxtab16",
)
_DSP_SUMS = ("smlabb", "smlatt", "smlawt", "smlad", "smladx", "smlsd", "smmla", "smmlsr", "usada8")
_ACCESS = ("", "b", "h", "sb", "sh")
_CONDITIONS = ("eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")


class Assembly:
    """Grows a random program line by line."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._kinds = Items(
            rng,
            (20, self._two),
            (6, self._test),
            (8, self._unary),
            (8, self._shift),
            (5, self._field),
            (8, self._multiply),
            (4, self._long_sum),
            (5, self._dsp),
            (14, self._access),
            (4, self._multiple),
            (3, self._flags),
            (3, self._vector),
            (9, self._it),
            (6, self._from_flags),
            (2, self._exclusive),
            (1, self._preload),
        )

    def program(self, lines: int) -> str:
        """About that many instructions."""
        return "\n".join(self._kinds.draw() for _ in range(lines))

    def _r(self) -> str:
        return f"r{self._rng.randrange(8)}"

    def _distinct(self, count: int) -> list[str]:
        return [f"r{number}" for number in self._rng.sample(range(8), count)]

    def _s(self) -> str:
        return self._rng.choice(("", "s"))

    def _second(self) -> str:
        """Flexible second operand."""
        rng, kind = self._rng, self._rng.randrange(4)
        if kind == 0:
            shifted = 0x81 << rng.randrange(1, 24)
            return f"#{rng.choice((0, 1, 0x80, 0xFF, 0x00FF00FF, 0xFF00FF00, shifted))}"
        if kind == 1:
            return self._r()
        shift = rng.choice(("lsl", "lsr", "asr", "ror"))
        return (
            f"{self._r()}, rrx"
            if rng.random() < 0.1
            else f"{self._r()}, {shift} #{rng.randrange(1, 32)}"
        )

    def _two(self) -> str:
        return f"{self._rng.choice(_TWO)}{self._s()}.w {self._r()}, {self._r()}, {self._second()}"

    def _test(self) -> str:
        return f"{self._rng.choice(_TEST)}.w {self._r()}, {self._second()}"

    def _unary(self) -> str:
        rng, name = self._rng, self._rng.choice(_UNARY)
        if name == "mvn":
            return f"mvn{self._s()}.w {self._r()}, {self._second()}"
        if name == "mov":  # with a shift it is that shift
            return f"mov{self._s()}.w {self._r()}, {rng.choice((self._r(), '#0', '#0x00FF00FF'))}"
        turn = (
            f", ror #{rng.choice((8, 16, 24))}" if name[1:3] == "xt" and rng.random() < 0.5 else ""
        )
        return f"{name}.w {self._r()}, {self._r()}{turn}"

    def _shift(self) -> str:
        name = self._rng.choice(("lsl", "lsr", "asr", "ror"))
        by = self._r() if self._rng.random() < 0.5 else f"#{self._rng.randrange(1, 32)}"
        return f"{name}{self._s()}.w {self._r()}, {self._r()}, {by}"

    def _field(self) -> str:
        rng = self._rng
        low = rng.randrange(32)
        width = rng.randrange(1, 33 - low)
        kind = rng.randrange(6)
        if kind == 0:
            return f"bfc {self._r()}, #{low}, #{width}"
        if kind == 1:
            return f"movt {self._r()}, #{rng.randrange(1 << 16)}"
        if kind == 2:
            return (
                f"{rng.choice(('ssat', 'usat'))} {self._r()}, #{rng.randrange(1, 32)}, {self._r()}"
            )
        return f"{rng.choice(('bfi', 'sbfx', 'ubfx'))} {self._r()}, {self._r()}, #{low}, #{width}"

    def _multiply(self) -> str:
        rng, kind = self._rng, self._rng.randrange(3)
        if kind == 0:
            low, high = self._distinct(2)
            return f"{rng.choice(_PRODUCTS)} {low}, {high}, {self._r()}, {self._r()}"
        if kind == 1:
            return (
                f"{rng.choice(('mla', 'mls'))} {self._r()}, {self._r()}, {self._r()}, {self._r()}"
            )
        return f"mul.w {self._r()}, {self._r()}, {self._r()}"

    def _long_sum(self) -> str:
        low, high = self._distinct(2)
        return f"{self._rng.choice(_LONG_SUMS)} {low}, {high}, {self._r()}, {self._r()}"

    def _dsp(self) -> str:
        if self._rng.random() < 0.3:
            return (
                f"{self._rng.choice(_DSP_SUMS)} {self._r()}, {self._r()}, {self._r()}, {self._r()}"
            )
        return f"{self._rng.choice(_DSP)} {self._r()}, {self._r()}, {self._r()}"

    def _access(self) -> str:
        rng, kind = self._rng, self._rng.randrange(6)
        name = (
            f"ldr{rng.choice(_ACCESS)}" if rng.random() < 0.5 else f"str{rng.choice(_ACCESS[:3])}"
        )
        if kind == 0:
            index = self._r()
            return (
                f"movs {index}, #{rng.randrange(24)}\n"
                f"{name}.w {self._r()}, [r8, {index}, lsl #{rng.randrange(4)}]"
            )
        if kind == 1:
            base, to = self._distinct(2)
            return f"mov {base}, r8\n{name} {to}, [{base}], #{rng.randrange(100)}\nmovs {base}, #0"
        if kind == 2:
            one, two = self._distinct(2)
            return f"{rng.choice(('ldrd', 'strd'))} {one}, {two}, [r8, #{4 * rng.randrange(16)}]"
        return f"{name}.w {self._r()}, [r8, #{rng.randrange(96)}]"

    def _multiple(self) -> str:
        rng = self._rng
        registers = ", ".join(
            f"r{number}" for number in sorted(rng.sample(range(8), rng.randrange(2, 6)))
        )
        if rng.random() < 0.3:
            return f"push {{{registers}}}\npop {{{registers}}}"
        return f"{rng.choice(('ldm', 'stm'))} r8, {{{registers}}}"

    def _from_flags(self) -> str:
        """Public registers, and an operation on them that reads a flag: what of the result is
        secret, flags have brought there."""
        one, two = self._distinct(2)
        second = self._rng.choice((two, "#0x80", f"{two}, lsl #{self._rng.randrange(1, 32)}"))
        uses = [f"{name}{self._s()}.w {self._r()}, {one}, {second}" for name in ("adc", "sbc")]
        uses += [f"sel {self._r()}, {one}, {two}", f"rrx{self._s()} {self._r()}, {one}"]
        condition = self._rng.choice(_CONDITIONS)
        uses.append(f"it {condition}\nadd{condition}.w {one}, {two}, #1")
        constants = [f"movw {register}, #{self._rng.randrange(1 << 16)}" for register in (one, two)]
        return "\n".join([*constants, self._rng.choice(uses)])

    def _exclusive(self) -> str:
        """A store that succeeds or not: there is a load before it, or none since another store."""
        rng, size = self._rng, self._rng.choice(("", "b", "h"))
        status, value = self._distinct(2)
        load = f"ldrex{size} {self._r()}, [r8]\n" if rng.random() < 0.5 else ""
        return f"{load}strex{size} {status}, {value}, [r8]"

    def _preload(self) -> str:
        return self._rng.choice((f"pld [r8, #{self._rng.randrange(64)}]", f"pld [r8, {self._r()}]"))

    def _flags(self) -> str:
        r = self._r()
        return self._rng.choice(
            (
                f"mrs {r}, apsr",
                f"msr apsr_nzcvq, {r}",
                f"msr apsr_g, {r}",
                f"msr basepri, {r}",
                f"mrs {r}, basepri",
            )
        )

    def _vector(self) -> str:
        rng = self._rng
        one, two = rng.randrange(31), self._distinct(2)
        return rng.choice(
            (
                f"vmov s{one}, {two[0]}",
                f"vmov {two[0]}, s{one}",
                f"vmov {two[0]}, {two[1]}, s{one}, s{one + 1}",
                f"vldr s{one}, [r8, #{4 * rng.randrange(16)}]",
                f"vstr s{one}, [r8, #{4 * rng.randrange(16)}]",
            )
        )

    def _it(self) -> str:
        """A block of one or two, on what can stand in one."""
        condition = self._rng.choice(_CONDITIONS)
        body = self._rng.choice((self._two, self._unary, self._shift, self._access))().splitlines()
        if len(body) > 1:
            return "\n".join(body)
        name, _, rest = body[0].partition(" ")
        stem, dot, width = name.partition(".")
        return f"it {condition}\n{stem}{condition}{dot}{width} {rest}"
