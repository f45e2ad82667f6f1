"""The cycle models of the RISC-V cores: kernels counted by hand (rv32_kernels.py)."""

from __future__ import annotations

import msgspec
import pytest

from ecfit.sim.machine import CycleModel, FlashTiming, Machine, RunResult, SimError, load_model
from workshop.cores.rv32_build import assemble
from workshop.cores.rv32_kernels import EXTENDED, HAZARD3, HAZARD3_LOOP, KERNELS, SP
from workshop.sim.build import MEMORY, RAM, TEXT

PENALTIES = {
    "load_use", "load_store", "load_csr", "csr_flush", "load_overwrite", "jump_register_use",
    "jump_register_load",
    "jump_register_same", "jump_hidden", "target_split", "access_split", "exclusive_again",
    "pop_return_one",
}  # fmt: skip
SAVED = {"jump_hidden": -1}
MODELS = ("ibex", "cv32e40p", "hazard3", "esp32-c3", "qingke-v2")
# Of QingKe V2, by the page that its model names: what costs more than a cycle, and what is added.
QINGKE = {
    "load": 2, "store": 2, "branch_taken": 3, "jump": 3, "jump_register": 3, "fence_i": 3,
    "target_split": 1,
}  # fmt: skip
EXTENSION_ROWS = load_model("hazard3").rows.keys() - load_model("ibex").rows.keys()

pytestmark = pytest.mark.usefixtures("riscv_compiler")


def run(model: CycleModel, code: str, flash: FlashTiming | None = None) -> RunResult:
    image = assemble(code)
    with Machine(model, MEMORY, flash) as machine:
        image.load(machine)
        back = image.symbols["back"]
        result = machine.call(TEXT, [1], sp=SP, return_to=back, limit=10_000, profile=True)
        assert result.stop == "bkpt", result
        return result


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str) -> None:
    kernel = KERNELS[name]
    expected = {
        "ibex": kernel.ibex,
        "cv32e40p": kernel.cv32e40p,
        "esp32-c3": kernel.esp32c3 or kernel.cv32e40p,
        "hazard3": HAZARD3.get(name),
    }
    for model, cycles in expected.items():
        if cycles is None:
            continue
        result = run(load_model(model), kernel.code)
        assert (model, result.cycles) == (model, cycles)
        rows = HAZARD3_LOOP if (model, name) == ("hazard3", "loop") else kernel.rows
        assert result.classes == {row: n for row, n in rows.items() if row not in PENALTIES}
        assert result.instructions == sum(result.classes.values())


@pytest.mark.parametrize("name", KERNELS)
def test_kernel_on_qingke(name: str) -> None:
    """What the core does not have is a fault: M, x16 to x31 ("load"), accesses that are not
    aligned.
    """
    kernel, fault = KERNELS[name], ""
    if name == "load" or kernel.rows.keys() & {"multiply", "multiply_high", "divide"}:
        fault = "undefined instruction"
    elif "access_split" in kernel.rows or name == "halfwords within a word":
        fault = "unaligned read"
    image = assemble(kernel.code)
    with Machine(load_model("qingke-v2"), MEMORY) as machine:
        image.load(machine)
        back = image.symbols["back"]
        result = machine.call(TEXT, [1], sp=SP, return_to=back, limit=10_000)
    if fault:
        assert result.fault is not None
        assert result.fault.kind == fault
        return
    cycles = sum(n * QINGKE.get(row, row not in PENALTIES) for row, n in kernel.rows.items())
    if "fence" in kernel.rows:  # it does nothing, so what is behind it waits for nothing
        cycles -= kernel.rows.get("target_split", 0) // 2
    assert (result.stop, result.cycles) == ("bkpt", cycles)


@pytest.mark.parametrize("name", EXTENDED)
def test_kernel_of_extensions(name: str) -> None:
    """On the core that has them; each of its rows costs where it applies. On others, the first
    instruction of them is a fault.
    """
    kernel, hazard3 = EXTENDED[name], load_model("hazard3")
    result = run(hazard3, kernel.code)
    assert result.cycles == kernel.cycles
    assert result.classes == {row: n for row, n in kernel.rows.items() if row not in PENALTIES}
    dearer = {row: cost.cycles + 2 for row, cost in hazard3.rows.items()}
    for row in EXTENSION_ROWS:
        more = run(hazard3.with_rows({row: dearer[row]}), kernel.code).cycles - kernel.cycles
        assert (row, more) == (row, 2 * kernel.rows.get(row, 0))
    for model in ("ibex", "cv32e40p", "esp32-c3"):
        with Machine(load_model(model), MEMORY) as machine:
            image = assemble(kernel.code)
            image.load(machine)
            back = image.symbols["back"]
            refused = machine.call(TEXT, [1], sp=SP, return_to=back, limit=10_000)
            assert (refused.stop, refused.fault and refused.fault.kind) == (
                "fault",
                "undefined instruction",
            )


@pytest.mark.parametrize("row", load_model("ibex").rows)
def test_each_row_counts_where_it_applies(row: str) -> None:
    """A row that costs 2 more shows in the kernels that have it, as often as they have it,
    and in no other.
    """
    predicted = row == "branch_predicted"
    base = load_model("hazard3" if predicted else "cv32e40p")
    dearer = msgspec.structs.replace(base.rows[row], cycles=base.rows[row].cycles + 2)
    model = msgspec.structs.replace(base, rows={**base.rows, row: dearer})
    for name, kernel in KERNELS.items():
        if predicted:
            if name in HAZARD3:
                more = 2 * HAZARD3_LOOP[row] if name == "loop" else 0
                assert run(model, kernel.code).cycles - HAZARD3[name] == more
            continue
        # What takes more than one cycle gives a load time to end before a jump.
        ended = kernel.rows.get("jump_register_load", 0) if row == "alu" else 0
        dearer_by = 2 * SAVED.get(row, 1) * kernel.rows.get(row, 0)
        assert run(model, kernel.code).cycles - kernel.cv32e40p == dearer_by - ended


def test_a_taken_branch_is_not_cheaper() -> None:
    base = load_model("ibex")
    cheap = msgspec.structs.replace(base.rows["branch_taken"], cycles=0)
    with pytest.raises(SimError, match="a branch that is taken costs at least as much"):
        run(msgspec.structs.replace(base, rows={**base.rows, "branch_taken": cheap}), "ebreak")


def test_every_row_has_a_kernel() -> None:
    common = set(HAZARD3_LOOP).union(*(kernel.rows for kernel in KERNELS.values()))
    for model in MODELS:
        more = EXTENSION_ROWS if model == "hazard3" else set()
        assert set(load_model(model).rows) == common | more
    assert set().union(*(kernel.rows for kernel in EXTENDED.values())) >= EXTENSION_ROWS


def test_interval_of_operand_dependent_times() -> None:
    """Without a law, the longest time counts, and the shortest is reported beside it."""
    divide = KERNELS["divide"]
    result = run(load_model("esp32-c3"), divide.code)
    assert (result.cycles, result.cycles_min) == (4 * 35, 4 * 3)
    for name, cycles in (("ibex", divide.ibex), ("cv32e40p", divide.cv32e40p)):
        result = run(load_model(name), divide.code)
        assert result.cycles == result.cycles_min == cycles
        assert "divide" in load_model(name).variable_rows()


@pytest.mark.parametrize(("choice", "low", "high"), [(1, 1, 2), (3, 3, 4), (33, 33, 33)])
def test_multipliers_of_ibex(choice: int, low: int, high: int) -> None:
    model = load_model("ibex", multiplier=choice)
    result = run(model, "mul x5, x6, x7; mulhu x5, x6, x7; ebreak")
    assert result.cycles == result.cycles_min == low + high


@pytest.mark.parametrize(
    ("factor", "cycles"), [(0, 2), (1, 2), (2, 3), (3, 3), (4, 4), (2047, 12), (-1, 33)]
)
def test_slow_multiplier_of_ibex(factor: int, cycles: int) -> None:
    """One cycle for each bit of the second factor, and one more."""
    model = load_model("ibex", multiplier=33)
    assert run(model, f"li x7, {factor}; mul x5, x6, x7; ebreak").cycles == 1 + cycles


@pytest.mark.parametrize("name", MODELS)
def test_a_jump_to_another_memory_waits_for_the_second_word(name: str) -> None:
    """Where the instruction there lies in two words; a short one in the same place does not."""
    model = load_model(name)
    wide, short, stop = (0x00128293, 4), (0x0285, 2), (0x00100073, 4)

    def cycles(at: int, instruction: tuple[int, int]) -> int:
        image = assemble(f"li x5, {RAM}; jalr x0, {at}(x5)")
        with Machine(model, MEMORY) as machine:
            image.load(machine)
            code = b"".join(word.to_bytes(size, "little") for word, size in (instruction, stop))
            machine.load(RAM + at, code)
            back = image.symbols["back"]
            result = machine.call(TEXT, [], sp=SP, return_to=back, limit=100)
            assert result.stop == "bkpt", result
            return result.cycles

    split = model.rows["target_split"].cycles
    assert split > 0
    assert cycles(2, wide) - cycles(4, wide) == split
    assert cycles(2, short) == cycles(4, short)


def test_write_back_stage_of_ibex() -> None:
    model = load_model("ibex", write_back=1)
    for name in ("load", "store", "load, used at once", "load, used one later"):
        assert run(model, KERNELS[name].code).cycles == KERNELS[name].cv32e40p


def test_branch_target_alu_of_ibex() -> None:
    assert run(load_model("ibex", branch_taken=2), KERNELS["taken"].code).cycles == 6 * 2
    with pytest.raises(SimError, match=r"branch_taken is one of \(2, 3\), not 1"):
        load_model("ibex", branch_taken=1)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("nop; nop; nop; ebreak", 3),
        ("c.nop; c.nop; c.nop; c.nop; ebreak", 2),
        ("c.nop; nop; nop; c.nop; ebreak", 3),  # two instructions in two words each
        ("j 1f; 1: nop; ebreak", 2),
        ("c.j 1f; 1: c.nop; ebreak", 2),  # the same word again, behind a jump
        ("c.nop; j 1f; nop; 1: nop; c.nop; ebreak", 4),
    ],
)
def test_fetches_of_flash(code: str, words: int) -> None:
    """Each fetched word waits when the flash has no buffer; a jump empties the buffer
    of the core.
    """
    ibex = load_model("ibex")
    assert run(ibex, code, FlashTiming(5)).cycles == run(ibex, code).cycles + 5 * words


def test_loads_from_flash_wait() -> None:
    code = (
        "lui x5, 0; lw x6, 0x100(x5); lh x6, 0x102(x5); lw x6, 0x102(x5); lb x6, 0x103(x5); ebreak"
    )
    ibex = load_model("ibex")
    assert run(ibex, code, FlashTiming(5)).cycles == run(ibex, code).cycles + 5 * (
        5 + 5
    )  # one of the loads is two


def test_unaligned_access_to_flash_reads_what_is_there() -> None:
    image = assemble("lui x5, 0; lw x10, 0x101(x5); ebreak")
    with Machine(load_model("ibex"), MEMORY) as machine:
        image.load(machine)
        expected = int.from_bytes(machine.read(TEXT + 1, 4), "little")
        assert machine.call(TEXT, [], sp=SP, return_to=TEXT, limit=10).result == expected


def test_code_in_ram_that_changes_changes_its_cost() -> None:
    """What a decoder has looked at beyond its instruction is not remembered when it changes."""
    wait, no_wait = (
        assemble("lw x5, 0(sp); add x6, x5, x5; ebreak"),
        assemble("lw x5, 0(sp); add x6, x7, x7; ebreak"),
    )
    with Machine(load_model("cv32e40p"), MEMORY) as machine:
        for image, cycles in ((wait, 3), (no_wait, 2), (wait, 3)):
            code = image.segments[0][1]
            machine.write(RAM + 4, code[4:])  # all but the load, which stays as it was decoded
            if machine.read(RAM, 4) != code[:4]:
                machine.write(RAM, code[:4])
            assert machine.call(RAM, [], sp=SP, return_to=RAM, limit=10).cycles == cycles


def test_code_that_changes_itself() -> None:
    """A store into the next instruction but one takes effect; FENCE.I comes between,
    as the architecture wants.
    """
    changer = assemble(
        """auipc x5, 0; lw x6, 32(x5); sw x6, 24(x5); fence.i; li x10, 1; j 1f; 1: addi x10, x10, 1
        ebreak
        addi x10, x10, 64"""
    )
    code = changer.segments[0][1]
    with Machine(load_model("ibex"), MEMORY) as machine:
        for expected in (65, 65):
            machine.write(RAM, code)
            assert machine.call(RAM, [], sp=SP, return_to=RAM, limit=20).result == expected
