"""The library in an image for a chip, called on the simulator: bytes in, bytes out,
and what was counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES, Curve
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import Target, find_target
from ecfit.measure.store import Store
from ecfit.model import Configuration, Image, Place
from ecfit.sim.machine import Machine, Region, load_model

CURVE = CURVES["secp256r1"]
ARENA_OUT = 256  # firmware/bench_main.c: offset of the output in bench_arena
POOL = 512  # its bytes of random numbers
READY, RETURNED = 0, 1  # its BKPT numbers
LIMIT = 500_000_000  # instructions of one call


class Answer(NamedTuple):
    """Return value of an adapter's function, its output, and the observations
    that must not depend on secrets.
    """

    status: int
    out: bytes
    cycles: int
    trace_hash: str


class Chip:
    """A preset, built for a target with all operations, on its simulator.
    `steps`: each operation in pieces.
    """

    def __init__(
        self,
        target_name: str,
        preset: str,
        compiler: str = "gcc",
        opt: str = "Os",
        place: Place = "flash",
        *,
        steps: bool = False,
        sets: Mapping[str, str] | None = None,
        curve: Curve = CURVE,
        beside: Sequence[Curve] = (),
    ) -> None:
        """`sets`: knobs on top of the preset. `beside`: curves in the same image."""
        self.target = find_target(target_name)
        self.curve = curve
        chosen = {**(sets or {}), **({"RESUME": "steps"} if steps else {})}
        self.configuration = resolve(curve, preset, chosen, self.target.backend)
        more = [(other, resolve(other, preset, chosen, self.target.backend)) for other in beside]
        self.image = _image(self.target, self.configuration, compiler, opt, place, curve, more)
        regions = [Region(m.name, m.start, m.size, m.kind) for m in self.target.memory]
        model = load_model(self.target.model or "", **self.target.model_options)
        self.machine = Machine(model, regions, None)
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        self.instructions = 0  # of the last call

    def call(self, op: str, data: bytes, out_size: int, pool: bytes = b"") -> Answer:
        """bench_<op> from reset, with `data` as input and `pool` as all that its generator gives
        before it fails.
        """
        symbols, machine = self.image.symbols, self.machine
        ready = machine.reset(self.target.region("flash").start, limit=LIMIT)
        assert (ready.stop, ready.bkpt) == ("bkpt", READY), ready
        machine.write(symbols["bench_arena"], data)
        machine.write(symbols["bench_pool"], bytes(POOL - len(pool)) + pool)
        machine.write(symbols["bench_pool_used"], (POOL - len(pool)).to_bytes(4, "little"))
        result = machine.call(
            symbols[f"bench_{op}"],
            (symbols["bench_arena"] + ARENA_OUT, symbols["bench_arena"]),
            sp=symbols["image_stack_top"],
            return_to=symbols["bench_return"],
            limit=LIMIT,
        )
        assert (result.stop, result.bkpt) == ("bkpt", RETURNED), result
        self.instructions = result.instructions
        out = machine.read(symbols["bench_arena"] + ARENA_OUT, out_size) if out_size else b""
        return Answer(result.result, out, result.cycles, result.trace_hash)


def _image(  # noqa: PLR0917
    target: Target,
    config: Configuration,
    compiler: str,
    opt: str,
    place: Place,
    curve: Curve,
    more: Sequence[tuple[Curve, Configuration]],
) -> Image:
    """The image, from the store or built."""
    parts = make_parts(config, curve.name, curve.ops, {}, more=more, pieces=True)
    toolchain = find_toolchain(compiler, target.arch, target.core, opt)
    request = Request(target, config, curve.name, curve.ops, toolchain, parts, place)
    return Store().made_image(request.key, lambda: build(request))
