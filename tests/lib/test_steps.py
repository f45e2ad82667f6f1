"""Operations in pieces (RESUME=steps): results of the one-shot functions, bounded units, abuse,
traces on a chip.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import random
from collections.abc import Iterator
from functools import partial

import pytest
from ref.curves import TOY223, TOY251

from tests.lib.test_on_simulator import SECRETS, traces
from workshop.library import build as lib_build
from workshop.library.api import Status
from workshop.library.cases import scalar_bytes
from workshop.library.curves import (
    BAD_PRIVATE_KEY,
    BAD_PUBLIC_KEY,
    BAD_SIGNATURE,
    CURVES,
    NAMES,
    OK,
    RNG_FAILED,
    Bound,
    fixed,
    generator,
)
from workshop.library.images import Chip
from workshop.library.steps import MISUSE, MORE, Task, at_the_wall
from workshop.paths import SRC
from workshop.vectors.published import RFC6979, RFC6979_KEY, RFC6979_PUBLIC

DIGEST = hashlib.sha256(b"in pieces").digest()
UNIT_PRODUCTS = 60  # ECFIT_UNIT_PRODUCTS
OPS = ["keygen", "ecdh", "ecdsa_sign", "ecdsa_verify"]
SIZE = ctypes.c_size_t(len(DIGEST))


def operations(bound: Bound) -> dict[str, tuple[object, ...]]:
    """Arguments of each operation that is to succeed."""
    public = bound.call(
        "public_key", 1 + 2 * bound.field, bound.scalar(77), ctypes.byref(generator("p"))
    )[1]
    signature = bound.sign(77, DIGEST, generator("s"))[1]
    return {
        "keygen": (),
        "ecdh": (bound.scalar(bound.curve.n - 3), public),
        "ecdsa_sign": (bound.scalar(bound.curve.n // 3), DIGEST, SIZE),
        "ecdsa_verify": (signature, public, DIGEST, SIZE),
    }


def at_once(bound: Bound, op: str, arguments: tuple[object, ...], seed: str) -> tuple[int, bytes]:
    """Status and outputs of the one-shot function."""
    rng = ctypes.byref(generator(seed))
    if op == "keygen":
        private = ctypes.create_string_buffer(bound.order)
        status, public = bound.call("keygen", 1 + 2 * bound.field, private, rng)
        return status, public + private.raw
    if op == "ecdsa_verify":
        return int(getattr(bound.lib, f"ecfit_{bound.curve.name}_ecdsa_verify")(*arguments)), b""
    return bound.call(op, {"ecdh": bound.field, "ecdsa_sign": 2 * bound.order}[op], *arguments, rng)


@pytest.mark.parametrize("build", ["tiny", "balanced", "blinded"])
@pytest.mark.parametrize("name", NAMES)
def test_results_of_the_one_shot_functions(name: str, build: str) -> None:
    """The same draws in the same order give the same outputs, whatever the pieces."""
    bound = Bound(build, CURVES[name])
    for op, arguments in operations(bound).items():
        wanted = at_once(bound, op, arguments, name)
        assert wanted[0] == OK
        for units in (1, 10**6) if build == "balanced" else (37,):
            assert Task(bound).run(op, *arguments, rng=generator(name), units=units) == wanted, (
                op,
                units,
            )
        assert Task(bound).run_in(op, *arguments, rng=generator(name)) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_wrong_input(name: str) -> None:
    bound = Bound("balanced", CURVES[name])
    right = operations(bound)
    key, public = right["ecdh"]
    signature = right["ecdsa_verify"][0]
    assert isinstance(signature, bytes)
    assert isinstance(public, bytes)
    off = public[:-1] + bytes([public[-1] ^ 1])
    other = bytes([*signature[:-1], signature[-1] ^ 1])

    def refused(op: str, *arguments: object) -> int:
        """The status in pieces and of the function with a work area, whose outputs are zero."""
        found = [
            run(op, *arguments, rng=generator("w")) for run in (Task(bound).run, Task(bound).run_in)
        ]
        assert found[0] == found[1]
        assert not any(found[0][1])
        return found[0][0]

    for bad in (0, bound.curve.n):
        scalar = bound.scalar(bad)
        assert refused("ecdh", scalar, public) == BAD_PRIVATE_KEY
        assert refused("ecdsa_sign", scalar, DIGEST, SIZE) == BAD_PRIVATE_KEY
        for pair in (scalar + signature[bound.order :], signature[: bound.order] + scalar):
            assert refused("ecdsa_verify", pair, public, DIGEST, SIZE) == BAD_SIGNATURE
    assert refused("ecdh", key, off) == BAD_PUBLIC_KEY
    assert refused("ecdsa_verify", signature, off, DIGEST, SIZE) == BAD_PUBLIC_KEY
    assert refused("ecdsa_verify", other, public, DIGEST, SIZE) == BAD_SIGNATURE
    assert refused("ecdsa_verify", signature, public, b"\0" + DIGEST[1:], SIZE) == BAD_SIGNATURE


def test_bad_generators() -> None:
    """As of the one-shot functions, with a bounded number of draws."""
    for build in ("tiny", "blinded"):
        bound = Bound(build, CURVES["secp256r1"])
        for rng in (None, fixed(), fixed(*[bytes(32)] * 500), fixed(*[b"\xff" * 32] * 60)):
            assert Task(bound).run("keygen", rng=rng)[0] == RNG_FAILED
        assert (
            Task(bound).run("ecdsa_sign", bound.scalar(5), DIGEST, SIZE, rng=fixed(bytes(32)))[0]
            == RNG_FAILED
        )
    tiny = Bound("tiny", CURVES["secp256r1"])
    draws = [tiny.scalar(tiny.curve.n), tiny.scalar(tiny.curve.n + 1), tiny.scalar(12345)]
    wanted = tiny.sign(5, DIGEST, fixed(*draws))
    assert wanted[0] == OK
    assert Task(tiny).run("ecdsa_sign", tiny.scalar(5), DIGEST, SIZE, rng=fixed(*draws)) == wanted


def test_each_draw_may_fail() -> None:
    """With a hedged nonce and blinding, in pieces and in a work area: without a generator, and with
    one that fails at the first draw, the second, and so on.
    """
    sets = {"RESUME": "steps", "WORK": "caller", "NONCE": "hedged", "BLIND": "coordinates"}
    config = lib_build.configuration("balanced", "w64", **sets)
    bound = Bound(ctypes.CDLL(str(lib_build.shared(config))), CURVES["secp256r1"])
    draw = bound.scalar(5)
    public = bound.call("public_key", 65, bound.scalar(77), ctypes.byref(fixed(draw)))[1]
    wanted = {
        "keygen": ((), 2),
        "ecdh": ((draw, public), 1),
        "ecdsa_sign": ((draw, DIGEST, SIZE), 3),
    }
    for op, (arguments, draws) in wanted.items():
        for run in (Task(bound).run, Task(bound).run_in):
            assert run(op, *arguments, rng=None)[0] == RNG_FAILED
            for good in range(draws):
                status, out = run(op, *arguments, rng=fixed(*[draw] * good))
                assert status == RNG_FAILED and not any(out), (op, good)
            assert run(op, *arguments, rng=fixed(*[draw] * draws))[0] == OK


def test_nonces_out_of_range() -> None:
    """A generator that never gives a nonce in range ends a signature after a bounded
    number of draws.
    """
    bound = Bound("tiny", CURVES["secp256r1"])
    for byte in (b"\0", b"\xff"):
        for run in (Task(bound).run, Task(bound).run_in):
            status, out = run(
                "ecdsa_sign", bound.scalar(5), DIGEST, SIZE, rng=fixed(*[byte * 32] * 500)
            )
            assert status == RNG_FAILED and not any(out)


def ended(bound: Bound, memory: ctypes.Array[ctypes.c_char]) -> Iterator[int]:
    """The status of step and of each finish, on this memory; their outputs must be zero. Of abort,
    that it returns.
    """
    name = bound.curve.name
    yield int(getattr(bound.lib, f"ecfit_{name}_step")(memory, ctypes.c_uint(1000)))
    for op in OPS:
        outs = Task(bound).outputs(op)
        yield int(getattr(bound.lib, f"ecfit_{name}_{op}_finish")(*outs, memory))
        assert not any(b"".join(out.raw for out in outs)), op
    getattr(bound.lib, f"ecfit_{name}_abort")(memory)


@pytest.mark.parametrize("build", ["tiny", "balanced", "blinded"])
@pytest.mark.parametrize("name", NAMES)
def test_a_task_of_another_curve(name: str, build: str) -> None:
    """Begun, on its way and done: each call of each other curve says ECFIT_MISUSE, touches nothing
    behind the task, which may be shorter than its own, and leaves it as it is.
    """
    bound = Bound(build, CURVES[name])
    for op, arguments in operations(bound).items():
        task, rng = Task(bound), generator("f")
        assert task.start(op, *arguments, rng=rng) == MORE
        for units, status in ((0, MORE), (3, MORE), (10**6, OK)):
            assert task.step(units) == status
            data = task.memory.raw[: task.size]
            for foreign in NAMES:
                if foreign != name:
                    memory = at_the_wall(data)
                    statuses = list(ended(Bound(build, CURVES[foreign]), memory))
                    assert statuses == [MISUSE] * 5, (op, units, foreign)
                    assert memory.raw == data
        assert task.finish(op)[0] == OK


@pytest.mark.parametrize("name", NAMES)
def test_memory_that_was_never_a_task(name: str) -> None:
    """Zeros, any byte, random bytes and a task that is finished: ECFIT_MISUSE, and whatever stands
    there stays.
    """
    bound = Bound("balanced", CURVES[name])
    source = random.Random(name)
    random_bytes = [source.randbytes(8) for _ in range(2000)]
    for data in (*(bytes([byte]) * 8 for byte in range(256)), *random_bytes):
        memory = at_the_wall(data)  # eight bytes are enough to know it
        assert list(ended(bound, memory)) == [MISUSE] * 5, data.hex()
        assert memory.raw == data
    for op, arguments in operations(bound).items():
        task = Task(bound)
        task.run(op, *arguments, rng=generator("g"), units=10**6)
        assert list(ended(bound, at_the_wall(task.memory.raw[: task.size]))) == [MISUSE] * 5


def test_one_bit_tells_no_task_from_another() -> None:
    """The first four bytes name the curve, the fifth the operation: ten and four bits, or more, lie
    between any two, and between each and zeros.
    """
    curves, ops = {0}, {0}
    for name in NAMES:
        bound = Bound("balanced", CURVES[name])
        for op, arguments in operations(bound).items():
            task, rng = Task(bound), generator("h")
            task.start(op, *arguments, rng=rng)
            curves.add(int.from_bytes(task.memory.raw[:4], "little"))
            ops.add(task.memory.raw[4])
    assert (len(curves), len(ops)) == (1 + len(NAMES), 1 + len(OPS))
    assert all((a ^ b).bit_count() >= 10 for a, b in itertools.combinations(curves, 2))
    assert all((a ^ b).bit_count() >= 4 for a, b in itertools.combinations(ops, 2))


def test_abuse() -> None:
    """Steps and ends that do not belong there have a status of their own, and leave nothing
    in task or outputs.
    """
    bound = Bound("balanced", CURVES["secp256r1"])
    right = operations(bound)
    for op in OPS:
        task = Task(bound)
        assert task.step(1) == MISUSE, "not begun"
        outcome = task.finish(op)
        assert (outcome[0], any(outcome[1])) == (MISUSE, False), "not begun"
        for other in OPS:
            assert task.start(op, *right[op], rng=generator("a")) == MORE
            assert task.step(3) == MORE
            assert not task.is_zero
            outcome = task.finish(other)
            assert outcome[0] == (MORE if op == other else MISUSE), (op, other)
            assert not any(outcome[1])
            assert task.is_zero
            assert task.step(1) == MISUSE, "finished"
        assert task.start(op, *right[op], rng=generator("a")) == MORE
        assert task.step(10**6) == OK
        assert [task.step(1), task.step(0)] == [OK, OK], "done: says so again"
        task.call("abort", task.memory)
        assert task.is_zero
        assert task.finish(op)[0] == MISUSE
        assert task.start(op, *right[op], rng=generator("a")) == MORE
        assert task.start(op, *right[op], rng=generator("a")) == MORE, (
            "begun again: the first is forgotten"
        )
        assert task.step(0) == MORE


@pytest.mark.parametrize("coordinates", ["complete", "jacobian"])
def test_units_are_bounded(coordinates: str) -> None:
    """No call exceeds the documented number of products, counted where all go through
    one function: REDUCE=mont.
    """
    curves = ["secp256r1", "secp256k1", "secp521r1", "brainpoolP384r1"]
    preset = "tiny" if coordinates == "complete" else "balanced"
    sets = {"REDUCE": "mont", "RESUME": "steps", "COORDINATES": coordinates, "NONCE": "random"}
    sets |= {"PRODUCT": "rows"}  # all products are one function
    config = lib_build.configuration(preset, "w64", **sets)
    text = (SRC / "field" / "mod.inc").read_text(encoding="utf-8")
    text = lib_build.replace_once(
        text, "typedef struct mod {", "unsigned long test_products;\ntypedef struct mod {"
    )
    product = lib_build.replace_once(
        (SRC / "field" / "mod_mul_rows.inc").read_text(encoding="utf-8"),
        "    mp_word t[2 * MP_MAX_LIMBS];\n",
        "    mp_word t[2 * MP_MAX_LIMBS];\n    test_products++;\n",
    )
    command = [*lib_build.compiler(), "-w", "-shared", "-fPIC"]
    path = lib_build.build(
        config,
        lib_build.units(config),
        command,
        suffix=".so",
        curves=curves,
        replace={"field/mod.inc": text, "field/mod_mul_rows.inc": product},
    )
    for name in curves:
        bound = Bound(ctypes.CDLL(str(path)), CURVES[name])
        counter = ctypes.c_ulong.in_dll(bound.lib, "test_products")
        for op, arguments in operations(bound).items():
            task = Task(bound, partial(getattr, counter, "value"))
            assert task.run(op, *arguments, rng=generator(name))[0] == OK
            assert max(task.costs) <= UNIT_PRODUCTS, (name, op, max(task.costs))
            assert sum(task.costs) > 20 * bound.curve.order_bits, "the products were counted"
            assert len(task.costs) > bound.curve.order_bits


TOYS = {
    "complete": (TOY251, "tiny", {"COORDINATES": "complete", "NONCE": "random"}),
    "jacobian": (TOY223, "balanced", {"COORDINATES": "jacobian", "NONCE": "random"}),
}


@pytest.mark.parametrize("name", TOYS)
def test_toys(name: str) -> None:
    """All scalars times some points, all nonces, and all signatures,
    against the one-shot functions.
    """
    curve, preset, sets = TOYS[name]
    config = lib_build.for_toys(lib_build.configuration(preset, "w64", RESUME="steps", **sets))
    bound = Bound(ctypes.CDLL(str(lib_build.shared(config, "open", curve))), curve)
    task, n = Task(bound), curve.n
    points = [bound.call("public_key", 3, bytes([d]), None)[1] for d in range(1, n)]
    digest = bytes([0x7F, *range(15)])
    size = ctypes.c_size_t(len(digest))
    for d in range(1, n):
        assert task.run("keygen", rng=fixed(bytes([d])), units=1000) == (
            OK,
            points[d - 1] + bytes([d]),
        )
        for public in (
            points[0],
            points[1],
            points[n - 2],
            points[76],
            points[d - 1],
            points[n - 1 - d],
        ):
            assert task.run("ecdh", bytes([d]), public, units=1000) == bound.call(
                "ecdh", 1, bytes([d]), public, None
            )
        draws = [bytes([d]), b"\x05"]
        wanted = bound.sign(77, digest, fixed(*draws))
        assert (
            task.run("ecdsa_sign", b"\x4d", digest, size, rng=fixed(*draws), units=1000) == wanted
        )
    accepted = 0
    for r, s in itertools.product(range(0, 256, 3), range(0, 256, 5)):
        status = bound.verify(bytes([r, s]), points[76], digest)
        verified = task.run("ecdsa_verify", bytes([r, s]), points[76], digest, size, units=1000)
        assert verified == (status, b""), (r, s)
        accepted += status == OK
    assert accepted >= 10


@pytest.mark.parametrize("built", [("gcc", "Os"), ("clang", "O2")], ids="-".join)
@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_on_a_chip(preset: str, built: tuple[str, str]) -> None:
    """Right results on a Cortex-M0+, and the same trace for all secrets."""
    chip = Chip("samd20", preset, *built, steps=True)
    vector = next(vector for vector in RFC6979 if vector.hash_name == "sha256")
    key, signature = bytes.fromhex(RFC6979_KEY), bytes.fromhex(vector.r + vector.s)
    digest = hashlib.sha256(vector.message).digest()
    assert (
        chip.call("verify", signature + bytes.fromhex(RFC6979_PUBLIC) + digest, 0).status
        == Status.OK
    )
    assert chip.call("sign", key + digest, 64, bytes.fromhex(vector.k))[:2] == (
        Status.OK,
        signature,
    )
    for op in ("keygen", "ecdh", "sign"):
        found = traces(chip, op, SECRETS[:4] if built[0] == "gcc" else SECRETS[:2])
        assert len(found) == 1, (op, found)
    wrong = signature[:-1] + bytes([signature[-1] ^ 1])
    assert (
        chip.call("verify", wrong + bytes.fromhex(RFC6979_PUBLIC) + scalar_bytes(5), 0).status
        == Status.BAD_SIGNATURE
    )
