"""Cortex-M3, M4 and M33: the hand-counted kernels of `armv7m_kernels`,
and what does not fit into a kernel. Cortex-M7: pairs of instructions, counted by hand.
"""

from __future__ import annotations

import functools

import msgspec
import pytest

from ecfit.sim.machine import CycleModel, FlashTiming, Machine, RunResult, load_model
from workshop.cores.armv7m_kernels import FOLDS, KERNELS, LIMITS, PAIRS, PARTS, SAVING, Kernel
from workshop.sim.build import ARMV7M, MEMORY, RAM, STACK_TOP, TEXT, Image, arm_assemble
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


# ---- Cortex-M7: sim/src/armv7m/armv7m_dual.c; r0 and SP are addresses, r1 is 1 -------------------

ZERO = "mov.w r4, #0; nop.w; "  # so that r4 can be an index: one cycle
DUAL = {
    # what shares a cycle
    "two": ("nop.w; nop.w", 1),
    "three": ("nop.w; nop.w; nop.w", 2),
    "loads of an even and an odd word": ("ldr.w r4, [r0]; ldr.w r5, [r0, #4]", 1),
    "loads of two even words": ("ldr.w r4, [r0]; ldr.w r5, [r0, #8]", 2),
    "load, store": ("ldr.w r4, [r0]; str.w r5, [r0, #8]", 1),
    "stores": ("str.w r4, [r0]; str.w r5, [r0, #4]", 2),
    "products": ("mul r4, r5, r6; mul r7, r8, r9", 2),
    "product, store": ("mul r4, r5, r6; str.w r7, [r0]", 2),
    "product, load": ("mul r4, r5, r6; ldr.w r7, [r0]", 1),
    "shifted operands": ("eor.w r4, r5, r6, lsl #3; eor.w r7, r8, r9, lsl #3", 2),
    "rotated constant, shifted operand": ("eor.w r4, r5, #0x1fc0; eor.w r7, r8, r9, lsl #3", 2),
    "pattern, shifted operand": ("eor.w r4, r5, #0x1b1b1b1b; eor.w r7, r8, r9, lsl #3", 1),
    "shift, shifted operand": ("lsl.w r4, r5, #3; eor.w r7, r8, r9, lsl #3", 2),
    "shifted operand, shift": ("eor.w r7, r8, r9, lsl #3; lsl.w r4, r5, #3", 1),
    "bit field, shifted operand": ("bfi r4, r5, #0, #3; eor.w r7, r8, r9, lsl #1", 2),
    "extension, shifted operand": ("uxtb.w r4, r5; eor.w r7, r8, r9, lsl #1", 1),
    "extensions": ("uxtb.w r4, r5; uxtb.w r6, r7", 2),
    "extension last": ("eor.w r4, r5, r6; uadd8 r7, r8, r9", 2),
    "extension first": ("uadd8 r7, r8, r9; eor.w r4, r5, r6", 1),
    "branch, branch": ("b.w 1f; 1: b.w 2f; 2:", 2),
    "push": ("push.w {r4, r5}; nop.w", 2),
    "push of four": ("push.w {r4-r7}; nop.w", 3),
    "even words at an even one": ("strd r4, r5, [r0]; nop.w", 2),
    "even words at an odd one": ("strd r4, r5, [r0, #4]; nop.w", 3),
    "three words at an odd one": ("adds.w r0, r0, #4; nop.w; stm.w r0, {r4-r6}", 3),
    "two words of VMOV": ("vmov r4, r5, d0; nop.w", 2),
    "table branch": ("tbb [pc, r1]; .byte 2, 2; 1: nop.w", 2 + 8 + 1),
    # what waits: for arithmetic
    "sum, late": ("add.w r4, r5, r6; eor.w r7, r4, r8", 1),
    "sum, shifted": ("add.w r4, r5, r6; eor.w r7, r8, r4, lsl #1", 2),
    "sum, sum": ("add.w r4, r5, r6; add.w r7, r4, r8", 1),
    "sum by the younger": ("nop.w; add.w r4, r5, r6; eor.w r7, r8, r4, lsl #1", 3),
    "MOVW, MOVT": ("movw r4, #1; movt r4, #2", 1),
    "shift by the younger": ("nop.w; lsl.w r4, r5, #1; eor.w r7, r8, r4, lsl #1", 2),
    "shift behind a shifted operand": (
        "eor.w r9, r9, r9, lsl #1; lsl.w r4, r5, #1; eor.w r7, r8, r4, lsl #1", 3),
    "logic, late": ("eor.w r4, r5, r6; eor.w r7, r4, r8", 2),
    "logic, shifted": ("eor.w r4, r5, r6; eor.w r7, r8, r4, lsl #1", 3),
    "sum of a late result": ("eor.w r4, r5, r6; nop.w; add.w r4, r4, r7; eor.w r8, r4, r9", 3),
    "rotated constant is no move": ("mov.w r4, #0x1fc0; eor.w r7, r8, r4", 2),
    "logic, address": ("eor.w r4, r5, r5; ldr.w r7, [r0, r4]", 3),
    "sum, address": ("mov.w r4, #0; ldr.w r7, [r0, r4]", 2),
    "REV, late": (ZERO + "rev.w r4, r4; eor.w r7, r4, r8", 2),
    "REV, address": (ZERO + "rev.w r4, r4; nop.w; ldr.w r7, [r0, r4]", 4),
    "extension, address": (ZERO + "uxtb.w r4, r4; nop.w; ldr.w r7, [r0, r4]", 4),
    "field of a late result": ("eor.w r4, r5, r6; nop.w; ubfx r7, r4, #0, #3", 3),
    "inserted, and into what": ("eor.w r4, r5, r6; nop.w; bfi r4, r7, #0, #3", 2),
    "extended and added": ("eor.w r4, r5, r6; nop.w; uxtab r7, r8, r4", 3),
    "added to": ("eor.w r4, r5, r6; nop.w; uxtab r7, r4, r8", 2),
    "saturation": ("ssat r4, #5, r5; nop.w; eor.w r6, r4, r7", 3),
    "carry": ("adds.w r4, r5, r6; adc.w r7, r8, r9", 2),
    "flags of a shifted operand": ("cmp.w r4, r5, lsl #1; nop.w; adc.w r7, r8, r9", 3),
    "condition": ("cmp.w r1, r1; it eq; moveq r4, r5", 2),
    # for loads and products
    "load, late": ("ldr.w r4, [r0]; eor.w r5, r4, r6", 2),
    "load, shifted": ("ldr.w r4, [r0]; eor.w r5, r6, r4, lsl #1", 3),
    "load, beside a shifted one": ("ldr.w r4, [r0]; eor.w r5, r4, r6, lsl #1", 3),
    "load, factor": ("ldr.w r4, [r0]; mul r5, r4, r6", 3),
    "load, addend": ("ldr.w r4, [r0]; mla r5, r6, r7, r4", 1),
    "load, store of it": ("ldr.w r4, [r0]; str.w r4, [r0, #8]", 1),
    "load of a byte, late": ("ldrb.w r4, [r0]; eor.w r5, r4, r6", 3),
    "load of a byte, beside a shifted one": ("ldrb.w r4, [r0]; eor.w r5, r4, r6, lsl #1", 3),
    "load of a byte, factor": ("ldrb.w r4, [r0]; mul r5, r4, r6", 3),
    "load of a byte, addend": ("ldrb.w r4, [r0]; mla r5, r6, r7, r4", 2),
    "load that is not aligned": ("ldr.w r4, [r0, #1]", 4),
    "younger load that is not aligned": ("nop.w; ldr.w r4, [r0, #1]", 4),
    "base written back, address": ("ldr.w r4, [r0], #4; ldr.w r5, [r0]", 2),
    "base written back, late": ("ldr.w r4, [r0], #4; eor.w r5, r0, r6", 1),
    "base written back, sum": ("ldr.w r4, [r0], #4; nop.w; add.w r5, r0, r6; eor.w r7, r5, r8", 3),
    "last of four": ("ldm.w r0, {r4-r7}; eor.w r8, r7, r9", 3),
    "product, late": ("mul r4, r5, r6; eor.w r7, r4, r8", 3),
    "product, addend": ("mla r4, r5, r6, r4; mla r4, r7, r8, r4", 2),
    "product, factor": ("mul r4, r5, r6; mul r7, r4, r8", 3),
    "long products": ("umaal r4, r5, r6, r7; umaal r5, r4, r8, r9", 2),
    "product of halves, late": ("smulbb r4, r5, r6; eor.w r7, r4, r8", 3),
    "division": ("udiv r4, r5, r1; nop.w", 8),
    "load, division, late": ("ldr.w r4, [r0]; udiv r5, r4, r1; eor.w r6, r5, r7", 1 + 7 + 1),
    "special register": ("mrs r4, apsr; nop.w", 4),
    "VMOV there and back": ("vmov s0, r4; vmov r5, s0", 4),
    "VLDR and VMOV": ("vldr s0, [r0]; vmov r5, s0; eor.w r6, r5, r7", 4),
    # fetching: 8 bytes a cycle, aligned
    "16-bit": ("nop; nop; nop; nop", 2),
    "into the middle": ("b.w 1f; nop.w; nop.w; 1: nop.w; nop.w", 3),
    "branch behind 16-bit ones": ("nop; nop; nop; b.n 1f; .balign 8; 1: nop.w; nop.w", 3),
}  # fmt: skip


def dual(code: str, *, runs: int = 1, **options: bool) -> int:
    """Cycles on a Cortex-M7, of the last of some runs that begin alike."""
    image = arm_assemble(code.replace(";", "\n"), TEXT, ARMV7M["cortex-m7"])
    with Machine(load_model("cortex-m7"), MEMORY) as machine:
        image.load(machine)
        for _ in range(runs):
            result = machine.call(
                image.symbols["_start"], [RAM, 1], sp=SP, return_to=image.symbols["back"],
                limit=10_000, **options,
            )  # fmt: skip
            assert result.stop == "bkpt", result
    return result.cycles


@pytest.mark.parametrize("name", DUAL)
def test_two_instructions_a_cycle(name: str) -> None:
    code, cycles = DUAL[name]
    assert dual(code) == cycles


LOOP = "movs.w r4, #{n}; nop.w; 1: {body}; bne.w 1b; nop.w"


@pytest.mark.parametrize(
    ("body", "halves"),
    [
        # SUBS in the fifth cycle before the branch, or beside it: the loop itself takes no longer
        ("subs.w r4, r4, #1; nop.w; nop.w; nop.w; nop.w; nop.w; nop.w", 8),
        ("nop.w; nop.w; nop.w; nop.w; nop.w; nop.w; subs.w r4, r4, #1", 8),
        # an odd number: the branch is alone in its cycle, for its target is fetched in the next
        ("subs.w r4, r4, #1; nop.w; nop.w; nop.w; nop.w; nop.w", 8),
        # 16-bit instructions leave time to fetch it
        ("subs r4, #1; nop; nop; nop; nop; nop; nop; nop", 9),
    ],
)
def test_a_loop_whose_branch_is_foreseen(body: str, halves: int) -> None:
    """Half cycles of each further round."""
    more, less = (dual(LOOP.format(n=n, body=body)) for n in (30, 20))
    assert 2 * (more - less) == 10 * halves


def test_a_branch_that_was_not_foreseen() -> None:
    """The last of a loop costs 6 more if the flags were there three cycles before, else 8. A branch
    forward that is taken at first costs as much, and no more once that is known.
    """
    pad = "; nop.w" * 6
    early, late = (
        dual(LOOP.format(n=9, body=body))
        for body in (f"subs.w r4, r4, #1{pad}", f"{pad[2:]}; subs.w r4, r4, #1")
    )
    assert (early, late) == (1 + 9 * 4 + 6 + 1, 1 + 9 * 4 + 8 + 1)
    forward = "cmp.w r1, #1; beq.w 1f; nop.w; 1: nop.w"
    assert [dual(forward, runs=runs, warm=True) for runs in (1, 2)] == [1 + 8 + 1, 1 + 1]
    assert dual(forward, runs=2) == 1 + 8 + 1  # a run knows nothing of the one before
    zero = "cbz r1, 1f; nop; nop.w; 1: nop.w"  # not taken: as is foreseen forward
    assert dual(zero) == 2


def test_a_return_is_foreseen_to_where_it_went_last() -> None:
    call = "mov.w r5, lr; nop.w; bl 3f; nop.w; {} b.w 4f; 3: nop.w; bx lr; .balign 8; 4: mov lr, r5"
    once, alike = call.format(""), call.format("bl 3f;")
    assert dual(once) - dual(once, runs=2, warm=True) == 8
    assert dual(alike) - dual(alike, runs=2, warm=True) == 0  # from two places in turn


def test_a_core_that_is_not_dual_learns_nothing() -> None:
    image = assemble("cmp r1, #1; beq 1f; nop; 1: nop")
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        image.load(machine)
        back = image.symbols["back"]
        cycles = [
            machine.call(TEXT, [RAM, 1], sp=SP, return_to=back, limit=99, warm=True).cycles
            for _ in range(2)
        ]
    assert cycles[0] == cycles[1]


def test_slices_profiles_and_taint_count_alike() -> None:
    """However it is looked at, and wherever a run pauses; with slow flash as well."""
    body = "ldr.w r5, [r0]; eor.w r6, r5, r6; str.w r6, [r0]; mul r7, r6, r7; subs.w r4, r4, #1"
    image = arm_assemble(LOOP.format(n=50, body=body).replace(";", "\n"), TEXT, ARMV7M["cortex-m7"])
    for flash in (None, FlashTiming(3, 64, instruction_lines=1)):
        seen = set()
        for options in ({}, {"profile": True}, {"taint": True}):
            with Machine(load_model("cortex-m7"), MEMORY, flash) as machine:
                image.load(machine)
                result = machine.call(
                    TEXT, [RAM, 1], sp=SP, return_to=image.symbols["back"], limit=10_000, **options
                )
                seen.add((result.cycles, result.instructions, result.trace_hash))
        assert len(seen) == 1
