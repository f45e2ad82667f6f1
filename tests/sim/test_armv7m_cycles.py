"""Cortex-M3, M4 and M33: the hand-counted kernels of `armv7m_kernels`,
and what does not fit into a kernel.
"""

from __future__ import annotations

import functools

import msgspec
import pytest

from ecfit.sim.machine import CycleModel, FlashTiming, Machine, RunResult, load_model
from workshop.cores.armv7m_kernels import FOLDS, KERNELS, LIMITS, PAIRS, PARTS, SAVING, Kernel
from workshop.sim.build import MEMORY, RAM, STACK_TOP, TEXT, Image
from workshop.sim.build import assemble_m4 as assemble

MODELS = ("cortex-m3", "cortex-m4", "cortex-m33")
SP = STACK_TOP - 0x100  # where SP points in the kernels
EXTENSION = "there is no "  # how the source of a row begins that a core cannot reach

pytestmark = pytest.mark.usefixtures("cross_compiler")


def run(
    image: Image, model: CycleModel, flash: FlashTiming | None = None, profile: bool = True
) -> RunResult:
    with Machine(model, MEMORY, flash) as machine:
        image.load(machine)
        start, back = image.symbols["_start"], image.symbols["back"]
        result = machine.call(start, [1], sp=SP, return_to=back, limit=10_000, profile=profile)
    assert result.stop == "bkpt", result
    return result


def expected(kernel: Kernel, model: str) -> int | None:
    return {"cortex-m3": kernel.m3, "cortex-m4": kernel.m4, "cortex-m33": kernel.m33}[model]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", KERNELS)
def test_hand_counted_kernel(name: str, model: str) -> None:
    kernel = KERNELS[name]
    cycles = expected(kernel, model)
    if cycles is None:
        with Machine(load_model(model), MEMORY) as machine:
            assemble(kernel.code).load(machine)
            fault = machine.call(TEXT, [1], sp=SP, return_to=0x80, limit=10).fault
            assert fault is not None
            assert fault.kind.startswith("undefined instruction (")
        return
    result = run(assemble(kernel.code), load_model(model))
    assert result.cycles == cycles
    assert result.classes == {row: count for row, count in kernel.rows.items() if row not in PARTS}
    assert result.instructions == sum(result.classes.values())
    plain = run(assemble(kernel.code), load_model(model), profile=False)
    assert (plain.cycles, plain.cycles_min) == (result.cycles, result.cycles_min)


def test_every_row_has_a_kernel() -> None:
    """On each core those that its instructions can reach; the others say so in their source."""
    for model in MODELS:
        counted = {
            row
            for kernel in KERNELS.values()
            if expected(kernel, model) is not None
            for row in kernel.rows
        }
        unreachable = {
            row for row, cost in load_model(model).rows.items() if cost.source.startswith(EXTENSION)
        }
        assert counted | unreachable | LIMITS == set(load_model(model).rows), model
        assert not counted & unreachable


def cycles_of_all(model: CycleModel) -> dict[str, int]:
    """Of every kernel, on one machine."""
    found = {}
    with Machine(model, MEMORY) as machine:
        for name, kernel in KERNELS.items():
            image = assemble(kernel.code)
            image.load(machine)
            start, back = image.symbols["_start"], image.symbols["back"]
            found[name] = machine.call(start, [1], sp=SP, return_to=back, limit=10_000).cycles
    return found


@functools.cache
def roomy() -> CycleModel:
    """A core of no silicon that has every effect, with rows so large that no saving meets zero, and
    2 more or less of one does not make an instruction of one cycle one of several; and with no
    limit to a refill.
    """
    base = load_model("cortex-m4")
    rows = {
        name: msgspec.structs.replace(
            row, cycles=10 * row.cycles + 20, per_register=10 * row.per_register
        )
        for name, row in base.rows.items()
    }
    for row in ("branch_taken", "compare_taken"):  # more than not taken, whichever of the two grows
        rows[row] = msgspec.structs.replace(rows[row], cycles=rows[row].cycles + 5)
    for row in PAIRS:  # a load that pairs is no longer one of several cycles
        rows[row] = msgspec.structs.replace(rows[row], cycles=10)
    for row in FOLDS:
        rows[row] = msgspec.structs.replace(rows[row], cycles=1)
    rows["refill_most"] = msgspec.structs.replace(rows["refill_most"], cycles=200)
    rows["fetch_odd"] = msgspec.structs.replace(rows["fetch_odd"], cycles=5)
    rows["fetch_hold"] = msgspec.structs.replace(rows["fetch_hold"], cycles=rows["load"].cycles)
    return msgspec.structs.replace(base, rows=rows)


@pytest.mark.parametrize("row", sorted(set(load_model("cortex-m4").rows) - LIMITS))
def test_each_row_counts_where_it_applies(row: str) -> None:
    """A row that costs 2 more shows in the kernels that have it, as often as they have it,
    and in no other.
    """
    base = roomy()
    cost = base.rows[row]
    model = msgspec.structs.replace(
        base, rows={**base.rows, row: msgspec.structs.replace(cost, cycles=cost.cycles + 2)}
    )
    sign = -1 if row in SAVING else 1
    before, after = cycles_of_all(base), cycles_of_all(model)
    more = {name: after[name] - before[name] for name in KERNELS}
    assert more == {name: 2 * sign * kernel.rows.get(row, 0) for name, kernel in KERNELS.items()}


@pytest.mark.parametrize(
    "row", sorted({row for kernel in KERNELS.values() for row in kernel.words})
)
def test_each_register_counts(row: str) -> None:
    base = load_model("cortex-m4")
    dearer = msgspec.structs.replace(base.rows[row], per_register=base.rows[row].per_register + 3)
    model = msgspec.structs.replace(base, rows={**base.rows, row: dearer})
    before, after = cycles_of_all(base), cycles_of_all(model)
    more = {name: after[name] - before[name] for name in KERNELS}
    assert more == {name: 3 * kernel.words.get(row, 0) for name, kernel in KERNELS.items()}


def test_longest_refill() -> None:
    """The limit binds where the target is late and odd."""
    base = load_model("cortex-m4")
    longer = msgspec.structs.replace(base.rows["refill_most"], cycles=9)
    free = msgspec.structs.replace(base, rows={**base.rows, "refill_most": longer})
    before, after = cycles_of_all(base), cycles_of_all(free)
    more = {name: after[name] - before[name] for name in KERNELS}
    assert more == {name: kernel.rows.get("refill_most", 0) for name, kernel in KERNELS.items()}


def test_what_holds_up_the_fetch_unit() -> None:
    """With fetch_hold at 3, loads no longer do, and LDM of four registers does."""
    base = load_model("cortex-m4")
    longer = msgspec.structs.replace(base.rows["fetch_hold"], cycles=3)
    before = cycles_of_all(base)
    after = cycles_of_all(msgspec.structs.replace(base, rows={**base.rows, "fetch_hold": longer}))
    less = {name for name in KERNELS if after[name] != before[name]}
    held = {name for name, kernel in KERNELS.items() if "fetch_odd" in kernel.rows}
    assert less == {name for name in held if KERNELS[name].rows.get("load", 0) > 0}
    assert all(before[name] - after[name] == 1 for name in less)


def test_what_is_not_settled_is_off() -> None:
    """And says so."""
    for model in MODELS:
        for row in ("stores_load",):
            cost = load_model(model).rows[row]
            assert cost.cycles == 0
            assert cost.source.startswith(("not settled, off: ", EXTENSION)), (model, row)


@pytest.mark.parametrize(
    ("kernel", "model", "shortest"),
    [
        ("multiply, long", "cortex-m3", 2 * 3),
        ("multiply and accumulate, long", "cortex-m3", 3 * 4),
        ("divide", "cortex-m3", 2 * 2),
        ("divide", "cortex-m4", 2 * 2),
        ("divide", "cortex-m33", 2 * 2),
        ("multiply, long", "cortex-m4", 2),
        ("skipped loads and stores", "cortex-m3", 4),
    ],
)
def test_interval_of_operand_dependent_times(kernel: str, model: str, shortest: int) -> None:
    """The longest time counts; the shortest is reported beside it.
    What is skipped has no interval.
    """
    result = run(assemble(KERNELS[kernel].code), load_model(model))
    assert result.cycles == expected(KERNELS[kernel], model)
    assert result.cycles_min == shortest


def test_literals_of_code_in_ram_pair_with_data() -> None:
    """They come over the same bus."""
    kernel = KERNELS["literal of flash and data"]
    in_ram = assemble(kernel.code, base=RAM + 0x400)
    assert run(in_ram, load_model("cortex-m4")).cycles == kernel.m4 - 1


@pytest.mark.parametrize("name", [name for name in KERNELS if "literal" not in name])
def test_cycles_do_not_depend_on_where_code_lies(name: str) -> None:
    kernel = KERNELS[name]
    assert run(assemble(kernel.code, base=RAM + 0x400), load_model("cortex-m4")).cycles == kernel.m4


def test_code_in_ram_that_changes_changes_its_cost() -> None:
    """What a decoder has looked at beyond its instruction is not remembered when it changes."""
    waits, pairs = (
        assemble("ldr r0, [sp]; ldr r1, [r0]; bkpt #1"),
        assemble("ldr r0, [sp]; ldr r1, [sp]; bkpt #1"),
    )
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        machine.write(SP, SP.to_bytes(4, "little"))
        for image, cycles in ((waits, 4), (pairs, 3), (waits, 4)):
            code = image.segments[0][1]
            machine.write(
                RAM + 2, code[2:]
            )  # all but the first load, which stays as it was decoded
            if machine.read(RAM, 2) != code[:2]:
                machine.write(RAM, code[:2])
            assert machine.call(RAM, [], sp=SP, return_to=RAM, limit=10).cycles == cycles


def test_a_store_changes_a_branch_target() -> None:
    """The refill depends on what stands at the target: 16 bits, then 32 bits in the middle
    of a word.
    """
    code = assemble(
        """1: b 2f; nop; nop; 2: movs r2, #0; movs r2, #0; cbz r4, 3f; movs r4, #0; str r5, [r6]
        b 1b
        .balign 4; 3: bkpt #1"""
    )
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        machine.write(RAM, code.segments[0][1])
        wide = bytes.fromhex("4ff00002")  # mov.w r2, #0
        machine.set_register(4, 1)
        machine.set_register(5, int.from_bytes(wide, "little"))
        machine.set_register(6, RAM + 6)
        result = machine.run(RAM | 1, limit=100)
        assert result.stop == "bkpt", result
        first = 2 + 1 + 1 + 1 + 1 + (1 + 1) + 2  # an unaligned store of a word: two halfwords
        second = (2 + 1) + 1 + 3
        assert result.cycles == first + second


@pytest.mark.parametrize(
    ("code", "wait_states", "waits"),
    [
        # Halfwords of one word: it is asked for once. The second word is asked for at 5 + 1,
        # there at 11, wanted at 7.
        ("nop; nop; nop; bkpt #1", 5, 5 + 4),
        ("nop; nop.w; nop; bkpt #1", 5, 5 + 5),  # wanted at 6
        ("b 1f; nop; 1: nop; bkpt #1", 5, 5 + 5),  # what was fetched ahead is of no use
        # LDM is asked for at 6, wanted at 7, begins at 11, ends at 16; the next is asked for
        # at 12, there at 17.
        ("mov r4, sp; nop; ldm.w r4, {r0-r3}; nop.w; bkpt #1", 5, 5 + 4 + 1),
        # Words 1 to 3 are there when the division ends, at 13; word 4 is asked for when word 1
        # leaves the buffer, at 14, there at 15, wanted at 16; word 5 at 16, 17, 17; word 6 at 18,
        # 19, 18; word 7 at 20, 21, 20.
        (f"udiv r0, r4, r5; {7 * 'nop.w; '} bkpt #1", 1, 1 + 0 + 0 + 0 + 0 + 0 + 1 + 1),
    ],
)
def test_waits_behind_what_is_executed(code: str, wait_states: int, waits: int) -> None:
    """The three words that a Cortex-M4 fetches ahead; flash with a buffer of one word."""
    m4, slow = load_model("cortex-m4"), FlashTiming(wait_states, 32)
    image = assemble(code)
    assert run(image, m4, slow).cycles == run(image, m4).cycles + waits


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("nop; nop; nop; bkpt #1", 2),  # halfwords of one word that is in the buffer
        ("nop; nop.w; nop; bkpt #1", 2),
        ("b 1f; nop; 1: nop; bkpt #1", 2),
    ],
)
@pytest.mark.parametrize(("model", "line_bits"), [("cortex-m33", 32), ("cortex-m4", 0)])
def test_fetches_of_flash(code: str, words: int, model: str, line_bits: int) -> None:
    """Where nothing is hidden each new word waits once: on a core of which no fetch buffer is
    known, and where every access is to wait, as an upper bound.
    """
    core, slow = load_model(model), FlashTiming(5, line_bits)
    image = assemble(code)
    assert run(image, core, slow).cycles == run(image, core).cycles + 5 * words
