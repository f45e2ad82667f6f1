"""How many random programs of taint_pairs.py contradict a simulator with one flow of taint wrong:
so how many it takes to find such a fault.

    taint_mutants.py [N]    N programs for each mutant (4000); exit code 1 where none contradicts
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Mutant(NamedTuple):
    """A text of a file of sim/src, which stands there once, and what takes its place."""

    what: str
    model: str
    file: str
    text: str
    other: str


M0, M4, IBEX, HAZARD3 = "cortex-m0", "cortex-m4", "ibex", "hazard3"
V6, V7, RV = "armv6m_taint.h", "armv7m_taint.h", "rv32_taint.h"
MUTANTS = (
    Mutant("SMLALD: the low word upward only", M4, V7,
           "ecs_taint_upward(A) | ecs_taint_spread(factors)", "ecs_taint_upward(all)"),
    Mutant("STREX that fails moves the label", M4, V7, "if (m->exclusive) {", "{"),
    Mutant("ADC forgets the carry", M4, V7, "VALUE(adc_reg, OF_REGISTER, SUM_OF(x | y | T->c))",
           "VALUE(adc_reg, OF_REGISTER, SUM_OF(x | y))"),
    Mutant("UBFX does not shift", M4, V7, "ecs_taint_right(B, e->c) & LOW_BYTES(e->d))\nMOVES(ssat",
           "B & LOW_BYTES(e->d))\nMOVES(ssat"),
    Mutant("UMULL: the high word upward only", M4, V7,
           "A = ecs_taint_upward(all); \\\n        D = ecs_taint_spread(all);",
           "A = ecs_taint_upward(all); \\\n        D = ecs_taint_upward(all);"),
    Mutant("SEL forgets the GE flags", M4, V7, "all = B | C | T->ge;", "all = B | C;"),
    Mutant("a condition does not reach the result", M4, V7,
           "T->r[field[i] & 15] |= under * 0x01010101u;", "(void)field;"),
    Mutant("a condition does not reach the flags", M4, V7, "        T->nz |= under;\n", ""),
    Mutant("a register offset does not count", M4, V7,
           "#define AT_REG B | C,", "#define AT_REG B,"),
    Mutant("ADCS forgets the carry", M0, V6,
           "ecs_taint_upward(A | B | T->c)", "ecs_taint_upward(A | B)"),
    Mutant("ASRS forgets the sign", M0, V6,
           "ecs_taint_right_signed(B, e->c)", "ecs_taint_right(B, e->c)"),
    Mutant("MULS is no sum", M0, V6, "RESULT_NZ(ecs_taint_upward(A | B));", "RESULT_NZ(A | B);"),
    Mutant("SXTB without the sign", M0, V6, "MOVES(sxtb, A = ecs_taint_spread(B & 0xFF))",
           "MOVES(sxtb, A = B & 0xFF)"),
    Mutant("TST sets no flag", M0, V6,
           "MOVES(tst, T->nz = ecs_taint_fold(A | B))", "MOVES(tst, T->nz = 0)"),
    Mutant("ADD forgets the carries", IBEX, RV,
           "e->c == 0 ? B : ecs_taint_upward(B | C))\nRESULT_BOTH(addi",
           "e->c == 0 ? B : (B | C))\nRESULT_BOTH(addi"),
    Mutant("SRAI forgets the sign", IBEX, RV,
           "ecs_taint_right_signed(B, e->imm)", "ecs_taint_right(B, e->imm)"),
    Mutant("LB without the sign", IBEX, RV,
           "LOADS(lb, 1, A, SIGNED_8)", "LOADS(lb, 1, A, UNSIGNED)"),
    Mutant("MULHU upward only", IBEX, RV,
           "OPERANDS(mulhu, ROW_multiply_high, ecs_taint_spread(B | C))",
           "OPERANDS(mulhu, ROW_multiply_high, ecs_taint_upward(B | C))"),
    Mutant("SH1ADD forgets the shift", HAZARD3, RV, "ecs_taint_left(B, 1) | C", "B << 24 | C"),
    Mutant("CLZ by the lowest byte", HAZARD3, RV, "MOVES(clz, A = ecs_taint_fold(B))",
           "MOVES(clz, A = B & 255)"),
    Mutant("SC that fails moves the label", HAZARD3, RV, "if (m->exclusive) {", "{"),
    Mutant("AMOADD forgets the carries", HAZARD3, RV,
           "ATOMICS(amoadd, ecs_taint_upward(loaded | C))", "ATOMICS(amoadd, loaded | C)"),
)  # fmt: skip
COUNT = """
import sys, tempfile
from workshop.rigs import taint_pairs
from pathlib import Path
with tempfile.TemporaryDirectory() as folder:
    native = taint_pairs.driver(Path(folder))
    print(len(taint_pairs.check(native, sys.argv[1], int(sys.argv[2]), 1)[1]))
"""


def contradicting(mutant: Mutant, programs: int) -> int:
    """How many of so many programs contradict the simulator that a mutant makes."""
    with tempfile.TemporaryDirectory() as folder:
        sim = Path(folder, "sim")
        shutil.copytree(ROOT / "sim", sim)
        path = next((sim / "src").rglob(mutant.file))
        text = path.read_text(encoding="utf-8")
        assert text.count(mutant.text) == 1, mutant
        path.write_text(text.replace(mutant.text, mutant.other), encoding="utf-8")
        for made in (sim / "build" / "fast").glob("*.o"):
            if not made.name.endswith(".taint.o"):
                made.touch()  # no flow is in it: it need not be made again
        subprocess.run(
            ["make", "-s", "-C", str(sim), "CFLAGS=-O1"], check=True, capture_output=True
        )
        done = subprocess.run(
            [sys.executable, "-c", COUNT, mutant.model, str(programs)],
            check=True, capture_output=True, text=True,
            env={**os.environ, "ECFIT_LIBECSIM": str(sim / "libecsim.so")},
        )  # fmt: skip
        return int(done.stdout)


def main(arguments: list[str]) -> int:
    """Each mutant: how many contradict, and how probable it is that so many programs miss it."""
    programs = int(arguments[0]) if arguments else 4000
    missed = 0
    for mutant in MUTANTS:
        found = contradicting(mutant, programs)
        missed += found == 0
        miss = "not found" if found == 0 else f"missed with probability {math.exp(-found):.0e}"
        sys.stdout.write(f"{mutant.model}: {mutant.what}: {found} of {programs}: {miss}\n")
        sys.stdout.flush()
    sys.stdout.write(f"taint-mutants: {len(MUTANTS)} mutants, {missed} not found\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
