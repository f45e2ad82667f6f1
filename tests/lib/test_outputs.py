"""Outputs of operations with a private key: untouched until all is computed, and free to overlap
the inputs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from ecfit.choices.curves import CURVES as BENCH_CURVES
from workshop.library.curves import CURVES, NAMES, OK, Bound, Fill, Rng, generator
from workshop.library.images import ARENA_OUT, LIMIT, POOL, READY, Chip
from workshop.library.rfc_api import EXCHANGE, SETTINGS, SIGNATURE, SIZES
from workshop.library.steps import Task

DIRT = 0xC3
DIGEST = bytes(range(100, 132))
SIZE = ctypes.c_size_t(len(DIGEST))
SHIFTS = (0, 1, -1, 8, -8, 31, -31)


class Watching:
    """A generator that notes what stands in some buffers whenever it is asked."""

    def __init__(self, *outputs: ctypes.Array[ctypes.c_char]) -> None:
        self.seen: list[tuple[bytes, ...]] = []
        source = generator("watching")

        def fill(context: int, out: int, size: int) -> int:
            self.seen.append(tuple(output.raw for output in outputs))
            return int(source.fill(context, out, size))

        self.rng = Rng(Fill(fill), None)


def dirty(size: int) -> ctypes.Array[ctypes.c_char]:
    """A buffer for an output."""
    return ctypes.create_string_buffer(bytes([DIRT]) * size, size)


@pytest.mark.parametrize("build", ["tiny", "blinded", "masked"])
@pytest.mark.parametrize("name", NAMES)
def test_generators_see_no_output(name: str, build: str) -> None:
    """The nonce is drawn before the factors that blind: whoever is asked for those must not
    find it, nor anything else, in an output.
    """
    bound = Bound(build, CURVES[name])
    function = f"ecfit_{name}_"
    point = bound.call("public_key", 1 + 2 * bound.field, bound.scalar(5), rng("p"))[1]
    key = bound.scalar(bound.curve.n // 3)
    for verb, size, arguments in (
        ("public_key", 1 + 2 * bound.field, (key,)),
        ("ecdh", bound.field, (key, point)),
        ("ecdsa_sign", 2 * bound.order, (key, DIGEST, SIZE)),
    ):
        out = dirty(size)
        watching = Watching(out)
        status = getattr(bound.lib, function + verb)(out, *arguments, ctypes.byref(watching.rng))
        assert status == OK
        assert all(seen == (bytes([DIRT]) * size,) for seen in watching.seen), verb
        assert len(watching.seen) >= (build != "tiny") + (verb == "ecdsa_sign")
    public, private = dirty(1 + 2 * bound.field), dirty(bound.order)
    watching = Watching(public)
    assert getattr(bound.lib, function + "keygen")(public, private, ctypes.byref(watching.rng)) == 0
    refused = {bytes(len(public))}  # a draw that is out of range leaves zeros
    assert {seen for (seen,) in watching.seen} <= {bytes([DIRT]) * len(public)} | refused


def rng(seed: str) -> object:
    """A generator as an argument."""
    return ctypes.byref(generator(seed))


def seeded(function: Callable[..., int], *arguments: object) -> int:
    """A call with a generator that gives the same in each."""
    source = generator("o")
    return function(*arguments, ctypes.byref(source))


def overlapping(
    function: Callable[..., int], out_size: int, inputs: list[bytes], rest: list[object]
) -> Iterator[tuple[str, int, bytes]]:
    """Calls the function with an output that overlaps each input, at each shift. Yields a name for
    the place, the status and the output.
    """
    for index, data in enumerate(inputs):
        for shift in SHIFTS:
            room = ctypes.create_string_buffer(out_size + len(data) + 128)
            at = 64
            ctypes.memmove(ctypes.byref(room, at), data, len(data))
            arguments: list[object] = [ctypes.c_char_p(one) for one in inputs]
            arguments[index] = ctypes.byref(room, at)
            out = at + shift
            status = function(ctypes.byref(room, out), *arguments, *rest)
            yield f"input {index}, shift {shift}", status, room.raw[out : out + out_size]


@pytest.mark.parametrize("build", ["tiny", "balanced", "blinded", "shared"])
def test_outputs_over_inputs(build: str) -> None:
    """Of the Weierstrass operations: the same result."""
    for name in ("secp256r1", "secp521r1"):
        bound = Bound(build, CURVES[name])
        key = bound.scalar(bound.curve.n // 3)
        point = bound.call("public_key", 1 + 2 * bound.field, bound.scalar(5), rng("p"))[1]
        for verb, size, inputs, more in (
            ("public_key", 1 + 2 * bound.field, [key], []),
            ("ecdh", bound.field, [key, point], []),
            ("ecdsa_sign", 2 * bound.order, [key, DIGEST], [SIZE]),
        ):
            wanted = bound.call(verb, size, *inputs, *more, rng("o"))
            assert wanted[0] == OK

            call = partial(seeded, getattr(bound.lib, f"ecfit_{name}_{verb}"))
            for where, status, found in overlapping(call, size, inputs, list(more)):
                assert (status, found) == wanted, (name, verb, where)


@pytest.mark.parametrize("curve", [*EXCHANGE, *SIGNATURE])
def test_outputs_over_inputs_of_the_rfcs(curve: str) -> None:
    """An EdDSA signature in the place of its own message would give the key away, were R written
    before the message is read for the second time.
    """
    setting = SETTINGS[f"{curve}-balanced-w64"]
    library, size = ctypes.CDLL(str(setting.shared())), SIZES[curve]
    key, message = bytes(range(size)), bytes(range(7, 107))
    context = b"context in its place, " * 4
    cases: list[tuple[str, int, list[bytes], list[object]]] = [("_public_key", size, [key], [])]
    if curve in EXCHANGE:
        cases += [("", size, [key, bytes([9]) + bytes(size - 1)], [])]
    else:
        cases += [("_sign", 2 * size, [key, message], [ctypes.c_size_t(len(message))])]
        cases += [("_sign_ph", 2 * size, [key, message[:64], context], [ctypes.c_uint8(80)])]
    for ending, out_size, inputs, rest in cases:
        function = getattr(library, f"ecfit_{curve}{ending}")
        out = dirty(out_size)
        assert function(out, *[ctypes.c_char_p(one) for one in inputs], *rest) == OK
        for where, status, found in overlapping(function, out_size, inputs, rest):
            assert (status, found) == (OK, out.raw), (ending, where)


SLICES = 200
LAST = 0.98  # of a run: before it, no output


@pytest.mark.parametrize("curve", ["secp256r1", "ed25519", "x25519"])
def test_nothing_stands_in_an_output_before_the_end(curve: str) -> None:
    """On the simulator, which stops again and again: what an interrupt would see."""
    chip = Chip("nrf52840", "balanced", curve=BENCH_CURVES[curve])
    symbols, machine, of = chip.image.symbols, chip.machine, BENCH_CURVES[curve]
    out, size = symbols["bench_arena"] + ARENA_OUT, 2 * of.scalar_bytes
    data = bytes(range(1, of.scalar_bytes + 1)) + bytes([9]) + bytes(150)
    if of.form == "weierstrass":
        point = of.gx.to_bytes(of.field_bytes, "big") + of.gy.to_bytes(of.field_bytes, "big")
        data = data[: of.scalar_bytes] + b"\4" + point
    for op in of.ops:
        if op in {"keygen", "verify"}:
            continue
        whole = chip.call(op, data, size)
        total = chip.instructions
        ready = machine.reset(chip.target.region("flash").start, limit=LIMIT)
        assert ready.bkpt == READY
        machine.write(symbols["bench_arena"], data)
        machine.write(out, bytes([DIRT]) * size)
        machine.write(symbols["bench_pool"], bytes(POOL))
        result = machine.call(
            symbols[f"bench_{op}"],
            (out, symbols["bench_arena"]),
            sp=symbols["image_stack_top"],
            return_to=symbols["bench_return"],
            limit=total // SLICES,
        )
        done = result.instructions
        while result.stop == "limit":
            if done < LAST * total:
                assert machine.read(out, size) == bytes([DIRT]) * size, (op, done / total)
            result = machine.run(machine.register(15) | 1, limit=total // SLICES)
            done += result.instructions
        assert machine.read(out, len(whole.out))[: of.field_bytes] == whole.out[: of.field_bytes]


def test_a_task_gives_its_outputs_at_the_end() -> None:
    """Operations in a work area, over their inputs."""
    bound = Bound("balanced", CURVES["secp256r1"])
    key = bound.scalar(bound.curve.n // 3)
    wanted = Task(bound).run_in("ecdsa_sign", key, DIGEST, SIZE, rng=generator("t"))
    assert wanted[0] == OK

    def call(out: object, *arguments: object) -> int:
        source, task = generator("t"), Task(bound)
        function = bound.lib.ecfit_secp256r1_ecdsa_sign_in
        return int(function(out, *arguments, ctypes.byref(source), task.memory))

    for where, status, found in overlapping(call, 64, [key, DIGEST], [SIZE]):
        assert (status, found) == wanted, where
