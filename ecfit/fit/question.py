"""The question to a fit: operations, limits and the objective. And the cost of a configuration.

Figures are by name: `flash`; of each operation `CURVE.OP.time` in microseconds, `.energy` in
microjoules, `.stack` and `.ram` in bytes; `asks`, how many settings ask something of the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.curves import POST_QUANTUM, Curve
from ecfit.choices.targets import Mode, Target
from ecfit.fit.estimate import ASKS, Figures
from ecfit.fit.search import Cost
from ecfit.measure.battery import Plan, of_chip
from ecfit.model import Record

SIZES = ("flash", "stack", "ram")
AIMS = ("time", *SIZES, "energy")


class Use(msgspec.Struct, frozen=True):
    """How often a use of a device calls each operation, and why."""

    counts: dict[str, int]
    why: str


USES = {
    "tls13-client": Use(
        {"keygen": 1, "ecdh": 1, "verify": 2},
        "a TLS 1.3 handshake of a client without a certificate: a fresh key pair, one shared "
        "secret, the signatures of the server's certificate and of its handshake (RFC 8446, 2)",
    ),
    "secure-boot": Use({"verify": 1}, "each start verifies the signature of one image"),
    "ble-pairing": Use(
        {"keygen": 1, "ecdh": 1},
        "LE Secure Connections: a fresh key pair and one shared secret for each pairing "
        "(Bluetooth Core 5.4, vol. 3, part H, 2.3.5.6)",
    ),
    "sensor": Use(
        {"keygen": 1, "ecdh": 1, "sign": 24, "verify": 1},
        "a day of a sensor that signs a reading every hour, and once a day agrees on a key with "
        "a gateway whose signature it verifies",
    ),
}


class Channel(msgspec.Struct, frozen=True):
    """What a connection of `ecfit tls` needs of a curve: how often each operation, and what of it
    has no operation of its own, as knobs that are set.
    """

    curve: str
    counts: dict[str, int]
    sets: tuple[str, ...] = ()


CHANNELS = {
    "dtls1.2-cid": Channel("secp256r1", USES["tls13-client"].counts),
    # A fresh key pair; shared secrets of it with two keys, and of the own key (RFC 9528, 4.1.2).
    "edhoc": Channel("secp256r1", {"keygen": 1, "ecdh": 3}, ("COMPRESS=sec1", "SHA256=own")),
}


class Need(msgspec.Struct, frozen=True):
    """A curve, and the operations of it that are needed."""

    curve: Curve
    ops: tuple[str, ...]


class Limit(msgspec.Struct, frozen=True):
    """A budget: the option as it was given, and the most that it allows of each figure named;
    of sizes the largest counts. With `counts`, of each figure how often, of a whole that they are
    parts of: then their sum with the `rest` of it counts. `told`: how the rest is known.
    `budget`: what was given, where a margin or a reserve is taken off; `replayed`: whether a
    replay tells the rest, of this `connection`, or else of TLS 1.3.
    """

    option: str
    aim: str
    figures: tuple[str, ...]
    most: float
    counts: tuple[int, ...] = ()
    rest: float = 0.0
    told: str = ""
    budget: float | None = None
    replayed: bool = False
    connection: str = ""

    @property
    def given(self) -> float:
        """The budget as it was given."""
        return self.most if self.budget is None else self.budget

    def spent(self, figures: Figures) -> float:
        """What a configuration takes of it; 0 for what is not known."""
        if self.counts:
            parts = zip(self.figures, self.counts, strict=True)
            return self.rest + sum(figures.get(name, 0.0) * count for name, count in parts)
        return max([figures[name] for name in self.figures if name in figures], default=0.0)


class Question(msgspec.Struct, frozen=True):
    """A question, names checked. `weights`: how often each operation counts in time and energy;
    `use`: the use that they are of.
    """

    target: Target
    mode: Mode | None
    mode_name: str
    needs: tuple[Need, ...]
    limits: tuple[Limit, ...]
    minimise: str
    weights: dict[str, int]
    use: str | None
    sets: dict[str, str]
    presets: tuple[str, ...]
    libraries: tuple[str, ...]
    extras: tuple[str, ...] = ()
    several: bool = False  # whether its curve is to stand beside others that can share its code
    asking: bool = False  # whether values that ask something of the caller are tried
    battery: Plan | None = None

    @property
    def hybrid(self) -> bool:
        """Whether it is of curves and of what is post-quantum."""
        return len({need.curve.name in POST_QUANTUM for need in self.needs}) > 1

    def about(self, need: Need) -> Question:
        """The part of it that is about one of several curves, alone in an image.

        Where X25519 shares the table of Ed25519, its figures alone say nothing: for --set to ask.
        """
        limits = []
        for limit in self.limits:
            mine = tuple(name for name in limit.figures if name in names((need,), limit.aim))
            counts = limit.counts[: len(mine)]  # of each part of a hybrid, once
            if mine:
                limits.append(msgspec.structs.replace(limit, figures=mine, counts=counts))
        family = sum(each.curve.form == "weierstrass" for each in self.needs)
        sets = self.sets
        own = need.curve.name not in POST_QUANTUM
        libraries = tuple(name for name in self.libraries if (name == OWN) == own)
        if need.curve.form == "montgomery" and any(o.curve.form == "edwards" for o in self.needs):
            sets = {f"{need.curve.name}.MULG": "as_var", **sets}
        return msgspec.structs.replace(
            self, needs=(need,), limits=tuple(limits), several=family > 1, sets=sets,
            libraries=libraries,
        )  # fmt: skip

    def doubts(self, limit: Limit, figures: Figures) -> bool:
        """Whether the model's error decides about a limit: silicon may keep one that is exceeded
        here, or exceed one that is kept. Sizes have no error. A mode that bounds an unknown flash
        from below says nothing of a limit that it keeps.
        """
        if limit.aim in SIZES or self.mode is None:
            return False
        error, spent = self.mode.error, limit.spent(figures)
        if spent <= limit.given:
            return self.mode.bound is not None or spent > limit.given * (1 - error)
        return spent <= limit.given * (1 + error)

    def operations(self) -> list[tuple[str, str]]:
        """Each operation needed, with its curve."""
        return [(need.curve.name, op) for need in self.needs for op in need.ops]

    def total(self, aim: str, figures: Figures) -> float:
        """The objective: weighted times or energies, flash, or the deepest stack or RAM."""
        return self.totalling(aim)(figures)

    def totalling(self, aim: str) -> Callable[[Figures], float]:
        """The total as a function, for who asks for that of many."""
        if aim in SIZES:
            named = names(self.needs, aim)
            return lambda figures: max([figures[n] for n in named if n in figures], default=0.0)
        weights = [(f"{curve}.{op}.{aim}", self.weights[op]) for curve, op in self.operations()]
        return lambda figures: sum([figures.get(name, 0.0) * weight for name, weight in weights])

    def years(self, figures: Figures) -> float | None:
        """How long the battery lasts with all operations needed, each as often as asked."""
        if self.battery is None:
            return None
        calls = [(op, figures.get(f"{curve}.{op}.time")) for curve, op in self.operations()]
        found = of_chip(self.battery, self.target, calls)
        return found.years if found else None

    def excess(self, figures: Figures) -> float:
        """By which part limits are exceeded, together; 0 when all are kept."""
        return sum([max(0.0, limit.spent(figures) / limit.most - 1) for limit in self.limits])

    def cost(self, figures: Figures) -> Cost:
        """The excess over limits, then the burden on the caller, the objective, and the flash."""
        return self.pricing()(figures)

    @property
    def counted(self) -> tuple[str, ...]:
        """The figures that the cost depends on."""
        limited = (name for limit in self.limits for name in limit.figures)
        return tuple(dict.fromkeys(("flash", ASKS, *names(self.needs, self.minimise), *limited)))

    def pricing(self) -> Callable[[Figures], Cost]:
        """The cost as a function, for who asks for that of many."""
        total, limits = self.totalling(self.minimise), [(x.spent, x.most) for x in self.limits]

        def cost(figures: Figures) -> Cost:
            excess = 0.0
            for spent, most in limits:
                taken = spent(figures)
                if taken > most:
                    excess += taken / most - 1
            return excess, figures.get(ASKS, 0.0), total(figures), figures.get("flash", 0.0)

        return cost


def names(needs: Sequence[Need], aim: str) -> tuple[str, ...]:
    """The figures of an aim."""
    if aim == "flash":
        return ("flash",)
    return tuple(f"{need.curve.name}.{op}.{aim}" for need in needs for op in need.ops)


def figures_of(curve: str, record: Record) -> dict[str, float]:
    """The figures of an operation that ran, and of its image. Keys, ciphertexts and signatures that
    are post-quantum are kilobytes of the caller's: they count as RAM.
    """
    ram = record.ram_bytes
    if ram is not None and curve in POST_QUANTUM:
        ram += POST_QUANTUM[curve].buffers(record.op)
    values: Mapping[str, float | None] = {
        "flash": record.flash_bytes,
        f"{curve}.{record.op}.time": record.time_us,
        f"{curve}.{record.op}.energy": record.energy_uj,
        f"{curve}.{record.op}.stack": record.stack_bytes,
        f"{curve}.{record.op}.ram": ram,
    }
    return {name: value for name, value in values.items() if value is not None}
