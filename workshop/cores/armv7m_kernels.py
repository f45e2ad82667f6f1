"""Kernels for Cortex-M3, M4 and M33 whose cycles were counted by hand, by the documents that the
models name: mostly the tables of Arm 100165_0201_02 (M3) and DDI 0439D (M4), and what ``note`` and
``source`` of the rows say.

How the sums are written: one term for each instruction, in order; a refill, stall or saving stands
in brackets with the instruction that pays it. All begin at an aligned word;
SP points into RAM. BKPT ends them and costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

# Parts of a cost: no instruction is of these classes.
PARTS = {
    "pair", "pair_odd", "pair_indexed", "pair_store", "store_wait", "address", "load_use",
    "late_use", "flags_held",
    "flags_late", "fold", "fold_branch", "fold_nop", "unaligned", "refill_decode",
    "refill_execute", "refill_load",
    "refill_odd", "refill_most", "fetch_odd", "fetch_hold",
    "stores_load",
}  # fmt: skip
PAIRS = {"pair", "pair_odd", "pair_indexed", "pair_store"}
FOLDS = {"fold", "fold_branch", "fold_nop"}
SAVING = PAIRS | FOLDS
LIMITS = {"refill_most", "fetch_hold"}  # no costs


class Kernel(NamedTuple):
    """Code that ends in BKPT, its cycles on three cores (None: the core does not have these
    instructions), and how often each row and each part of a cost applies on a core that has them
    all; ``words``: registers transferred, by row.
    """

    code: str
    m3: int | None
    m4: int
    m33: int
    rows: dict[str, int]
    words: dict[str, int] = {}  # noqa: RUF012


COMPUTING = {
    "alu, 16 bits": Kernel(
        """movs r0, #1; adds r0, #2; subs r0, r0, #1; lsls r1, r0, #3; lsrs r1, r1, r0;
        asrs r1, r1, #1; rors r1, r0
        adcs r1, r0; sbcs r1, r0; rsbs r1, r1, #0; ands r1, r0; eors r1, r0; orrs r1, r0;
        bics r1, r0; mvns r1, r0
        tst r1, r0; cmp r1, r0; cmn r1, r0; cmp r1, #5; cmp r8, r0; mov r8, r0; movs r2, r0;
        add r8, r0; add r0, r8
        sxtb r0, r0; sxth r0, r0; uxtb r0, r0; uxth r0, r0; rev r0, r0; rev16 r0, r0; revsh r0, r0
        add r0, sp, #8; sub sp, #8; add sp, #8; adr r0, 1f; bkpt #1; .balign 4; 1:""",
        35, 35, 35, {"alu": 35},
    ),
    "alu, 32 bits": Kernel(
        """and.w r0, r4, r5; bic.w r0, r4, r5; orr.w r0, r4, r5; orn r0, r4, r5;
        eor.w r0, r4, r5; add.w r0, r4, r5
        adc.w r0, r4, r5; sub.w r0, r4, r5; sbc.w r0, r4, r5; rsb r0, r4, r5; mvn.w r0, r5;
        tst.w r4, r5
        teq r4, r5; cmp.w r4, r5; cmn.w r4, r5; add.w r0, r4, #0xff00; addw r0, r4, #0xabc;
        movw r0, #0x1234
        movt r0, #0x1234; lsl.w r0, r4, r5; ror.w r0, r4, r5; rrx r0, r4; bfi r0, r4, #3, #5;
        bfc r0, #1, #2
        sbfx r0, r4, #1, #2; ubfx r0, r4, #1, #2; ssat r0, #9, r4; usat r0, #9, r4, lsl #3;
        clz r0, r4; rbit r0, r4
        rev.w r0, r4; sxtb.w r0, r4, ror #8; uxth.w r0, r4; sub.w sp, sp, #8; add.w sp, sp, #8;
        clrex; bkpt #1""",
        36, 36, 36, {"alu": 36},
    ),
    "shifted operands": Kernel(
        "add.w r0, r4, r5, lsl #2; eors.w r1, r4, r5, ror #7; mvn.w r2, r5, asr #1; "
        "cmp.w r4, r5, lsr #3; bkpt #1",
        4, 4, 4, {"alu": 4},
    ),
    "shifted operand, result used at once": Kernel(
        "add.w r0, r4, r5, lsl #2; adds r1, r0, r4; bkpt #1", 1 + 1, 1 + 1, 1 + (1 + 1),
        {"alu": 2, "late_use": 1}
    ),
    "shifted operand, result used one later": Kernel(
        "add.w r0, r4, r5, lsl #2; movs r2, #0; adds r1, r0, r4; bkpt #1", 3, 3, 3, {"alu": 3}
    ),
    "multiply": Kernel("mul r0, r4, r5; muls r6, r4, r6; bkpt #1", 2, 2, 1 + 2,
        {"multiply": 2, "flags_held": 1}),
    "rotated constant, result used at once": Kernel(
        "eor r0, r4, #0x1fc0; adds r1, r0, r4; bkpt #1", 1 + 1, 1 + 1, 1 + (1 + 1),
        {"alu": 2, "late_use": 1}
    ),
    "repeated and short constants": Kernel(
        "eor r0, r4, #0x550055; adds r1, r0, r4; add.w r0, r4, #0xff; adds r1, r0, r4; "
        "addw r0, r4, #0xff9; adds r1, r0, r4; bkpt #1",
        6, 6, 6, {"alu": 6},
    ),
    "rotated constant, moved": Kernel(
        "mov.w r0, #0x1fc0; adds r1, r0, r4; movs.w r0, #0x1fc0; adds r1, r0, r4; "
        "mvn r0, #0x1fc0; adds r1, r0, r4; bkpt #1",
        6, 6, 6, {"alu": 6},
    ),
    "rotated constant, flags": Kernel(
        "adds.w r0, r4, #0x1fc0; adds r1, r0, r4; cmp.w r4, #0x1fc0; bkpt #1", 3, 3, 2 + 1 + 2,
        {"alu": 3, "flags_held": 2}
    ),
    "flags of a shifted operand, read at once": Kernel(
        "adds.w r0, r4, r5, lsl #2; adcs r1, r6; adds.w r0, r4, r5, lsl #2; movs r2, #0; "
        "adcs r1, r6; bkpt #1",
        5, 5, 1 + (1 + 1) + 1 + 1 + 1, {"alu": 5, "flags_late": 1},
    ),
    "flags of a shifted operand, by a branch": Kernel(
        "movs r4, #0; eors.w r0, r4, r4, lsl #1; bne 1f; 1: bkpt #1", 3, 3, 1 + 1 + (1 + 1),
        {"alu": 2, "branch_not_taken": 1, "flags_late": 1},
    ),
    "shifted operand, result accumulated at once": Kernel(
        "add.w r0, r4, r5, lsl #2; mla r1, r4, r5, r0; bkpt #1", 1 + 2, 1 + 1, 1 + 1,
        {"alu": 1, "multiply_accumulate": 1}
    ),
    "shifted operand, result stored at once": Kernel(
        "add.w r0, r4, r5, lsl #2; str r0, [sp]; bkpt #1", 1 + 1, 1 + 1, 1 + 1,
        {"alu": 1, "store": 1}
    ),
    "bit field, result used at once": Kernel("bfi r0, r4, #3, #5; adds r1, r0, r4; bkpt #1", 2, 2,
        2, {"alu": 2}),
    "multiply, result used at once": Kernel(
        "mul r0, r4, r5; adds r1, r0, r4; bkpt #1", 1 + 1, 1 + 1, 1 + (1 + 1),
        {"multiply": 1, "alu": 1, "late_use": 1}
    ),
    "multiply, result stored at once": Kernel(
        "mul r0, r4, r5; str r0, [sp]; bkpt #1", 1 + 1, 1 + 1, 1 + 1, {"multiply": 1, "store": 1}
    ),
    "multiply, result is an address": Kernel(
        "mov r4, sp; movs r5, #1; mul r0, r4, r5; ldr r1, [r0]; bkpt #1",
        1 + 1 + 1 + (2 + 1), 1 + 1 + 1 + (2 + 1), 1 + 1 + 1 + (1 + 1),
        {"alu": 2, "multiply": 1, "load": 1, "address": 1, "late_use": 1},
    ),
    "multiply and accumulate": Kernel(
        "mla r0, r4, r5, r6; mls r1, r4, r5, r6; bkpt #1", 2 * 2, 2 * 1, 2 * 1,
        {"multiply_accumulate": 2}
    ),
    "accumulators chain": Kernel(
        "mla r0, r4, r5, r6; mla r1, r4, r5, r0; bkpt #1", 2 * 2, 2 * 1, 2 * 1,
        {"multiply_accumulate": 2}
    ),
    "factors do not": Kernel(
        "mla r0, r4, r5, r6; mla r1, r0, r5, r6; bkpt #1", 2 * 2, 2 * 1, 1 + (1 + 1),
        {"multiply_accumulate": 2, "late_use": 1},
    ),
    "multiply, long": Kernel(
        "umull r0, r1, r4, r5; smull r2, r3, r4, r5; bkpt #1", 2 * 5, 2 * 1, 2 * 1,
        {"multiply_long": 2}
    ),
    "multiply, long, high word used": Kernel(
        "umull r0, r1, r4, r5; adds r2, r1, r4; bkpt #1", 5 + 1, 1 + 1, 1 + (1 + 1),
        {"multiply_long": 1, "alu": 1, "late_use": 1},
    ),
    "multiply and accumulate, long": Kernel(
        "umlal r0, r1, r4, r5; smlal r2, r3, r4, r5; umlal r0, r1, r4, r5; bkpt #1",
        3 * 7, 3 * 1, 3 * 1, {"multiply_long_accumulate": 3},
    ),
    "dsp": Kernel(
        """umaal r0, r1, r4, r5; smlabb r0, r4, r5, r6; smlad r1, r4, r5, r6; uadd8 r2, r4, r5;
        qadd r0, r4, r5
        sel r1, r4, r5; pkhbt r2, r4, r5, lsl #4; uxtab r0, r4, r5; smuad r1, r4, r5;
        smmul r2, r4, r5
        usad8 r0, r4, r5; smlalbb r2, r3, r4, r5; ssat16 r0, #5, r4; smulwb r1, r4, r5; bkpt #1""",
        None, 14, 14, {"dsp": 14},
    ),
    "packed, result used at once": Kernel(
        "pkhbt r0, r4, r5, lsl #4; adds r1, r0, r4; bkpt #1", None, 1 + 1, 1 + (1 + 1),
        {"dsp": 1, "alu": 1, "late_use": 1}
    ),
    "extended and added, result used at once": Kernel(
        "uxtab r0, r4, r5; adds r1, r0, r4; bkpt #1", None, 1 + 1, 1 + (1 + 1),
        {"dsp": 1, "alu": 1, "late_use": 1}
    ),
    "product that is added to at once": Kernel(
        "mul r0, r4, r5; uxtab r1, r0, r5; bkpt #1", None, 1 + 1, 1 + 1, {"multiply": 1, "dsp": 1}
    ),
    "product that is extended at once": Kernel(
        "mul r0, r4, r5; uxtab r1, r5, r0; bkpt #1", None, 1 + 1, 1 + (1 + 1),
        {"multiply": 1, "dsp": 1, "late_use": 1}
    ),
    "load that is added to at once": Kernel(
        "ldr r0, [sp]; sxtah r1, r0, r5; bkpt #1", None, 2 + 1, 1 + (1 + 1),
        {"load": 1, "dsp": 1, "load_use": 1}
    ),
    "product that is shifted at once": Kernel(
        "smlad r0, r4, r5, r6; add.w r1, r4, r0, lsl #2; bkpt #1", None, 1 + 1, 1 + (1 + 1),
        {"dsp": 1, "alu": 1, "late_use": 1},
    ),
    "high word that is shifted at once": Kernel(
        "umaal r0, r1, r4, r5; lsrs r2, r1, #2; bkpt #1", None, 1 + 1, 1 + (1 + 1),
        {"dsp": 1, "alu": 1, "late_use": 1},
    ),
    "sum of products that is stored at once": Kernel(
        "umaal r0, r1, r4, r5; str r0, [sp]; bkpt #1", None, 1 + 1, 1 + 1,
        {"dsp": 1, "store": 1}
    ),
    "umaal chains": Kernel("umaal r0, r1, r4, r5; umaal r1, r2, r4, r5; bkpt #1", None, 2, 2,
        {"dsp": 2}),
    "divide": Kernel("sdiv r0, r4, r5; udiv r1, r4, r5; bkpt #1", 2 * 12, 2 * 12, 2 * 12,
        {"divide": 2}),
    "special": Kernel("mrs r0, apsr; msr apsr_nzcvq, r0; bkpt #1", 2 * 2, 2 * 2, 2 * 2,
        {"special": 2}),
    "state": Kernel("cpsid i; cpsie i; bkpt #1", 2 * 2, 2 * 2, 2 * 2, {"state": 2}),
    "barriers": Kernel("dmb; dsb; bkpt #1", 2, 2, 2, {"barrier": 2}),
    "instruction barrier": Kernel(
        "isb; bkpt #1", 1 + 2, 1 + 2, 1 + 1, {"instruction_barrier": 1, "refill_execute": 1}
    ),
    "hints": Kernel("nop; nop.w; sev; yield; bkpt #1", 4, 4, 4, {"hint": 4}),
    "wait": Kernel("wfe; wfi; bkpt #1", 2, 2, 2, {"wait": 2}),
}  # fmt: skip

MEMORY = {
    "loads": Kernel(
        """movs r3, #4; mov r4, sp; nop; ldr r0, [r4]; nop; ldrh r0, [r4, #2]; nop;
        ldrb r0, [r4, #3]; nop
        ldr r0, [r4, r3]; nop; ldrsh r0, [r4, r3]; nop; ldrsb r0, [r4, r3]; nop;
        ldr.w r0, [sp, #0x80]; nop
        ldrh.w r0, [r4, r3, lsl #1]; nop; ldrsb.w r0, [r4, #1]; nop; ldr r0, [r4, #-4]; nop;
        ldrt r0, [r4]; bkpt #1""",
        2 + 11 * 1 + 11 * 2, 2 + 11 * 1 + 11 * 2, 2 + 4 * 1 + 11 * 1,
        {"alu": 2, "hint": 11, "load": 11, "fold_nop": 7},
    ),
    "loads in a row": Kernel(
        "ldr r0, [sp]; ldr r1, [sp, #4]; ldr r2, [sp, #8]; bkpt #1",
        2 + (2 - 1) + (2 - 1), 2 + (2 - 1) + (2 - 1), 1 + 1 + 1, {"load": 3, "pair": 2},
    ),
    "a 32-bit load in the middle of a word": Kernel(
        "ldr r0, [sp]; ldr.w r1, [sp, #4]; bkpt #1", 2 + (2 - 1), 2 + (2 - 1), 1 + 1,
        {"load": 2, "pair_odd": 1}
    ),
    "a load whose address was just loaded": Kernel(
        "mov r4, sp; str r4, [sp]; ldr r0, [sp]; ldr r1, [r0]; bkpt #1",
        1 + 1 + (2 + 1) + 2, 1 + 1 + (2 + 1) + 2, 1 + 1 + 1 + (1 + 1),
        {"alu": 1, "store": 1, "load": 2, "store_wait": 1, "load_use": 1},
    ),
    "load, used at once": Kernel(
        "ldr r0, [sp]; adds r1, r0, r4; bkpt #1", 2 + 1, 2 + 1, 1 + (1 + 1),
        {"load": 1, "alu": 1, "load_use": 1}
    ),
    "load, used one later": Kernel(
        "ldr r0, [sp]; movs r2, #0; adds r1, r0, r4; bkpt #1", 2 + 1 + 1, 2 + 1 + 1, 1 + 1 + 1,
        {"load": 1, "alu": 2}
    ),
    "load, accumulated at once": Kernel(
        "ldr r0, [sp]; mla r1, r4, r5, r0; bkpt #1", 2 + 2, 2 + 1, 1 + 1,
        {"load": 1, "multiply_accumulate": 1}
    ),
    "load, then one with write-back": Kernel(
        "mov r4, sp; nop; ldr r0, [sp]; ldr r1, [r4], #4; bkpt #1",
        1 + 1 + 2 + 2, 1 + 1 + 2 + (2 - 1), 1 + 0 + 1 + 1,
        {"alu": 1, "hint": 1, "load": 2, "pair_indexed": 1, "fold_nop": 1},
    ),
    "load with write-back, then another": Kernel(
        "mov r4, sp; nop; ldr r1, [r4, #4]!; ldr r0, [sp]; bkpt #1",
        1 + 1 + 2 + (2 - 1), 1 + 1 + 2 + (2 - 1), 1 + 0 + 1 + 1,
        {"alu": 1, "hint": 1, "load": 2, "pair": 1, "fold_nop": 1},
    ),
    "loads with write-back on the same base": Kernel(
        "mov r4, sp; nop; ldr r1, [r4], #4; ldr r0, [r4], #4; bkpt #1",
        1 + 1 + 2 + 2, 1 + 1 + 2 + 2, 1 + 0 + 1 + 1,
        {"alu": 1, "hint": 1, "load": 2, "fold_nop": 1},
    ),
    "load and store": Kernel(
        "ldr r0, [sp]; str r0, [sp, #4]; bkpt #1", 2 + (1 - 1), 2 + (1 - 1), 1 + 1,
        {"load": 1, "store": 1, "pair_store": 1},
    ),
    "load, and store by register": Kernel(
        "movs r3, #4; nop; ldr.w r0, [sp]; str.w r1, [sp, r3]; bkpt #1",
        1 + 1 + 2 + (2 - 1), 1 + 1 + 2 + (2 - 1), 1 + 0 + 1 + 1,
        {"alu": 1, "hint": 1, "load": 1, "store_register": 1, "pair": 1, "fold_nop": 1},
    ),
    "load, store, load": Kernel(
        "ldr r0, [sp]; str r0, [sp, #4]; ldr r1, [sp, #8]; bkpt #1",
        2 + (1 - 1) + (2 + 1), 2 + (1 - 1) + (2 + 1), 1 + 1 + 1,
        {"load": 2, "store": 1, "pair_store": 1, "store_wait": 1},
    ),
    "stores": Kernel(
        "mov r4, sp; nop; str r0, [r4]; strh r0, [r4, #2]; strb r0, [r4, #3]; str.w r0, [sp, #4]; "
        "bkpt #1",
        6, 6, 1 + 0 + 4, {"alu": 1, "hint": 1, "store": 4, "fold_nop": 1},
    ),
    "stores by register": Kernel(
        """movs r3, #4; mov r4, sp; nop; str r0, [r4, r3]; strh r0, [r4, r3]; strb r0, [r4, r3]
        str.w r0, [sp, r3, lsl #1]; bkpt #1""",
        3 + 4 * 2, 3 + 4 * 2, 2 + 0 + 4 * 1,
        {"alu": 2, "hint": 1, "store_register": 4, "fold_nop": 1},
    ),
    "stores with write-back": Kernel(
        "mov r4, sp; nop; str r0, [r4], #4; strb r0, [r4, #1]!; push.w {r9}; bkpt #1",
        1 + 1 + 3 * 1, 1 + 1 + 3 * 1, 1 + 0 + 3 * 1,
        {"alu": 1, "hint": 1, "store_indexed": 3, "fold_nop": 1},
    ),
    "store, then load": Kernel(
        "str r0, [sp]; ldr r1, [sp, #4]; bkpt #1", 1 + (2 + 1), 1 + (2 + 1), 1 + 1,
        {"store": 1, "load": 1, "store_wait": 1},
    ),
    "store with write-back, then pop": Kernel(
        "mov r4, sp; nop; str r0, [r4], #4; pop {r5, r6}; bkpt #1",
        1 + 1 + 1 + (3 + 1), 1 + 1 + 1 + (3 + 1), 1 + 0 + 1 + 2,
        {"alu": 1, "hint": 1, "store_indexed": 1, "pop": 1, "store_wait": 1, "fold_nop": 1},
        {"pop": 2},
    ),
    "store by register, then load": Kernel(
        "movs r3, #4; nop; str.w r0, [sp, r3]; ldr r1, [sp]; bkpt #1",
        1 + 1 + 2 + 2, 1 + 1 + 2 + 2, 1 + 0 + 1 + 1,
        {"alu": 1, "hint": 1, "store_register": 1, "load": 1, "fold_nop": 1},
    ),
    "address just computed": Kernel(
        "add r4, sp, #4; ldr r0, [r4]; bkpt #1", 1 + (2 + 1), 1 + (2 + 1), 1 + 1,
        {"alu": 1, "load": 1, "address": 1}
    ),
    "index just computed, to store": Kernel(
        "movs r3, #4; str.w r0, [sp, r3]; bkpt #1", 1 + (2 + 1), 1 + (2 + 1), 1 + 1,
        {"alu": 1, "store_register": 1, "address": 1},
    ),
    "stack pointer just computed": Kernel(
        "sub sp, #8; push {r0}; bkpt #1", 1 + (2 + 1), 1 + (2 + 1), 1 + 1,
        {"alu": 1, "push": 1, "address": 1}, {"push": 1},
    ),
    "value just computed, to store": Kernel("movs r0, #1; str r0, [sp]; bkpt #1", 2, 2, 2,
        {"alu": 1, "store": 1}),
    "literals of flash": Kernel(
        "ldr r0, 1f; nop; ldr.w r1, 1f; nop; ldrb r2, 1f; bkpt #1; .balign 4; 1: .word 7",
        3 * 2 + 2, 3 * 2 + 2, 3 * 1 + 1, {"load_literal": 3, "hint": 2, "fold_nop": 1},
    ),
    "literals in a row": Kernel(
        "ldr r0, 1f; ldr r1, 2f; bkpt #1; .balign 4; 1: .word 7; 2: .word 8",
        2 + (2 - 1), 2 + (2 - 1), 2, {"load_literal": 2, "pair": 1},
    ),
    "literal of flash and data": Kernel(
        "ldr r0, 1f; ldr r1, [sp]; bkpt #1; .balign 4; 1: .word 7", 2 + 2, 2 + 2, 2,
        {"load_literal": 1, "load": 1}
    ),
    "two words": Kernel(
        "ldrd r0, r1, [sp]; ldrd r2, r3, [sp, #8]!; strd r0, r1, [sp]; strd r0, r1, [sp], #8; "
        "bkpt #1",
        4 * 3, 4 * 3, 4 * 2, {"load_double": 2, "store_double": 2},
    ),
    "load, then two words": Kernel(
        "ldr r4, [sp]; ldrd r0, r1, [sp]; bkpt #1", 2 + 3, 2 + 3, 1 + 2,
        {"load": 1, "load_double": 1}
    ),
    "load multiple": Kernel(
        "mov r4, sp; nop; ldm.w r4, {r0, r1, r2}; ldm r4!, {r0-r3}; ldmdb r4!, {r0, r8}; bkpt #1",
        2 + (1 + 3) + (1 + 4) + (1 + 2), 2 + (1 + 3) + (1 + 4) + (1 + 2), 1 + 0 + 3 + 4 + 2,
        {"alu": 1, "hint": 1, "load_multiple": 3, "fold_nop": 1}, {"load_multiple": 9},
    ),
    "load, then multiple": Kernel(
        "mov r4, sp; ldr r0, [sp]; ldm r4!, {r0-r3}; bkpt #1", 1 + 2 + (1 + 4), 1 + 2 + (1 + 4),
        1 + 1 + 4,
        {"alu": 1, "load": 1, "load_multiple": 1}, {"load_multiple": 4},
    ),
    "store multiple": Kernel(
        "mov r4, sp; nop; stm r4!, {r0-r2}; stmdb r4!, {r0, r8}; bkpt #1",
        2 + (1 + 3) + (1 + 2), 2 + (1 + 3) + (1 + 2), 1 + 0 + 3 + 2,
        {"alu": 1, "hint": 1, "store_multiple": 2, "fold_nop": 1}, {"store_multiple": 5},
    ),
    "push and pop": Kernel(
        "push {r0}; push {r4-r7, lr}; push.w {r4, r8}; pop.w {r4, r8}; pop {r1-r5}; pop {r0}; "
        "bkpt #1",
        2 * ((1 + 1) + (1 + 5) + (1 + 2)), 2 * ((1 + 1) + (1 + 5) + (1 + 2)), 2 * (1 + 5 + 2),
        {"push": 3, "pop": 3, "stores_load": 1}, {"push": 8, "pop": 8},
    ),
    "store multiple, then load": Kernel(
        "mov r4, sp; nop; stm r4!, {r0, r1}; ldr r2, [sp]; bkpt #1", 2 + (1 + 2) + 2,
        2 + (1 + 2) + 2, 1 + 0 + 2 + 1,
        {"alu": 1, "hint": 1, "store_multiple": 1, "load": 1, "fold_nop": 1, "stores_load": 1},
        {"store_multiple": 2},
    ),
    "store two words, then load": Kernel(
        "strd r0, r1, [sp]; ldr r2, [sp]; bkpt #1", 3 + 2, 3 + 2, 2 + 1,
        {"store_double": 1, "load": 1, "stores_load": 1}
    ),
    "exclusive": Kernel(
        "mov r4, sp; nop; ldrex r0, [r4]; strex r1, r2, [r4]; bkpt #1",
        1 + 1 + 2 + (2 - 1), 1 + 1 + 2 + (2 - 1), 1 + 0 + 1 + 1,
        {"alu": 1, "hint": 1, "exclusive": 2, "pair": 1, "fold_nop": 1},
    ),
    "preload": Kernel("pld [sp]; pld [sp, #64]; bkpt #1", 2 * 2, 2 * 2, 2 * 1, {"preload": 2}),
    "unaligned words": Kernel(  # byte, halfword, byte; two halfwords
        """ldr.w r0, [sp, #1]; nop; ldr.w r0, [sp, #2]; nop; ldr.w r0, [sp, #3]; nop;
        str.w r0, [sp, #1]; nop
        str.w r0, [sp, #2]; bkpt #1""",
        (2 + 2) + 1 + (2 + 1) + 1 + (2 + 2) + 1 + (1 + 2) + 1 + (1 + 1),
        (2 + 2) + 1 + (2 + 1) + 1 + (2 + 2) + 1 + (1 + 2) + 1 + (1 + 1),
        (1 + 2) + 1 + (1 + 1) + 1 + (1 + 2) + 1 + (1 + 2) + 1 + (1 + 1),
        {"load": 3, "store": 2, "hint": 4, "unaligned": 8},
    ),
    "unaligned halfwords": Kernel(  # two bytes
        "ldrh.w r0, [sp, #1]; nop; ldrsh.w r0, [sp, #3]; nop; strh.w r0, [sp, #3]; bkpt #1",
        (2 + 1) + 1 + (2 + 1) + 1 + (1 + 1), (2 + 1) + 1 + (2 + 1) + 1 + (1 + 1),
        (1 + 1) + 1 + (1 + 1) + 1 + (1 + 1),
        {"load": 2, "store": 1, "hint": 2, "unaligned": 3},
    ),
}  # fmt: skip

VECTORS = {
    "fp moves": Kernel(
        "vmov r0, s0; vmov s1, r0; vmov.f32 s2, s3; vmov.f32 s4, #1.0; bkpt #1", None, 4, 4,
        {"fp_move": 4},
    ),
    "fp moves of two words": Kernel(
        "vmov r0, r1, s0, s1; vmov s2, s3, r0, r1; vmov d2, r2, r3; vmov r2, r3, d2; bkpt #1",
        None, 4 * 2, 2 * 2 + 2 * 1, {"fp_move_double": 2, "fp_move_double_in": 2},
    ),
    "fp loads": Kernel("vldr s0, [sp]; vldr s1, [sp, #4]; bkpt #1", None, 2 * 2, 2 * 1,
        {"fp_load": 2}),
    "fp loads of two words": Kernel(
        "vldr d0, [sp]; vldr d1, 1f; bkpt #1; .balign 8; 1: .quad 7", None, 2 * 3, 2 * 2,
        {"fp_load_double": 2}
    ),
    "fp stores": Kernel(
        "vstr s0, [sp]; vstr s1, [sp, #4]; ldr r0, [sp]; bkpt #1", None, 2 * 2 + 2, 2 * 1 + 1,
        {"fp_store": 2, "load": 1},
    ),
    "fp stores of two words": Kernel("vstr d0, [sp]; bkpt #1", None, 3, 2, {"fp_store_double": 1}),
    "store, then fp load": Kernel(
        "str r0, [sp]; vldr s0, [sp]; bkpt #1", None, 1 + (2 + 1), 1 + 1,
        {"store": 1, "fp_load": 1, "store_wait": 1}
    ),
    "vldm, vpop": Kernel(
        "mov r4, sp; nop; vldmia r4!, {s0-s3}; vldmia r4, {d0-d1}; vldmdb r4!, {s5}; "
        "vpop {s0-s2}; bkpt #1",
        None, 2 + (1 + 4) + (1 + 4) + (1 + 1) + (1 + 3), 1 + 0 + 4 + 4 + 1 + 3,
        {"alu": 1, "hint": 1, "fp_load_multiple": 4, "fold_nop": 1}, {"fp_load_multiple": 12},
    ),
    "vstm, vpush": Kernel(
        "mov r4, sp; nop; vpush {s0-s3}; vstmia r4!, {d0-d2}; vstmdb r4!, {s5, s6}; "
        "vpush {d8-d15}; bkpt #1",
        None, 2 + (1 + 4) + (1 + 6) + (1 + 2) + (1 + 16), 1 + 0 + 4 + 6 + 2 + 16,
        {"alu": 1, "hint": 1, "fp_store_multiple": 4, "fold_nop": 1}, {"fp_store_multiple": 28},
    ),
    "fp status": Kernel("vmrs r0, fpscr; vmsr fpscr, r0; vmrs apsr_nzcv, fpscr; bkpt #1", None, 3,
        3, {"fp_status": 3}),
}  # fmt: skip

_TO_R0 = "adr r0, 1f; adds r0, #1"  # label 1 is at an aligned word; 2 instructions
BRANCHES = {
    "b": Kernel("b 1f; nop; 1: bkpt #1", 1 + 1, 1 + 1, 1 + 1, {"branch": 1, "refill_decode": 1}),
    "b.w": Kernel("b.w 1f; nop; 1: bkpt #1", 1 + 1, 1 + 1, 1 + 1,
        {"branch": 1, "refill_decode": 1}),
    "to a 32-bit instruction in the middle of a word": Kernel(
        "b 1f; nop; nop; 1: add.w r0, r4, r5; bkpt #1", (1 + 1 + 1) + 1, (1 + 1 + 1) + 1,
        (1 + 1 + 1) + 1,
        {"branch": 1, "refill_decode": 1, "refill_odd": 1, "alu": 1},
    ),
    "to a 16-bit instruction there": Kernel(
        "b 1f; nop; nop; 1: movs r0, #1; bkpt #1", (1 + 1) + 1, (1 + 1) + 1, (1 + 1) + 1,
        {"branch": 1, "refill_decode": 1, "alu": 1},
    ),
    "to a 32-bit instruction at a word": Kernel(
        "b 1f; nop; 1: add.w r0, r4, r5; bkpt #1", (1 + 1) + 1, (1 + 1) + 1, (1 + 1) + 1,
        {"branch": 1, "refill_decode": 1, "alu": 1},
    ),
    "taken": Kernel(
        "movs r0, #0; beq 1f; nop; nop; 1: beq.w 1f; nop; 1: bkpt #1",
        1 + 2 * (1 + 1), 1 + 2 * (1 + 1), 1 + 2 * (1 + 1),
        {"alu": 1, "branch_taken": 2, "refill_decode": 2},
    ),
    "taken, to the middle of a word": Kernel(
        "movs r0, #0; beq 1f; nop; 1: add.w r0, r4, r5; bkpt #1", 1 + (1 + 1 + 1) + 1,
        1 + (1 + 1 + 1) + 1,
        1 + (1 + 1 + 1) + 1, {"alu": 2, "branch_taken": 1, "refill_decode": 1, "refill_odd": 1},
    ),
    "not taken": Kernel(
        "movs r0, #0; bne 1f; bne.w 1f; 1: bkpt #1", 3, 3, 1 + 0 + 1,
        {"alu": 1, "branch_not_taken": 2, "fold_branch": 1},
    ),
    "behind one that sets no flags": Kernel(
        "movs r0, #0; mov r8, r0; beq 1f; nop; 1: mov r8, r0; bne 1f; nop; mov r8, r0; b 1f; nop; "
        "1: bkpt #1",
        1 + 1 + 2 + 1 + 1 + 1 + 1 + 2, 1 + 1 + 2 + 1 + 1 + 1 + 1 + 2,
        1 + 1 + (2 - 1) + 1 + (1 - 1) + 1 + 1 + (2 - 1),
        {"alu": 4, "branch_taken": 1, "branch_not_taken": 1, "hint": 1, "branch": 1,
         "refill_decode": 2,
         "fold_branch": 3},
    ),
    "two, not taken": Kernel(
        "movs r0, #0; bne 1f; bne 1f; 1: bkpt #1", 3, 3, 1 + 0 + 1,
        {"alu": 1, "branch_not_taken": 2, "fold_branch": 1}
    ),
    "behind one of 32 bits": Kernel(  # whose second halfword reads as LSLS
        "movs r0, #0; add.w r1, r4, r5; bne 1f; 1: bkpt #1", 3, 3, 3,
        {"alu": 2, "branch_not_taken": 1}
    ),
    "behind one behind one of 32 bits": Kernel(  # both of whose halfwords read as the first of one
        "umull lr, r8, r4, r5; movs r0, #0; bne 1f; 1: bkpt #1", 5 + 1 + 1, 1 + 1 + 1, 1 + 1 + 0,
        {"multiply_long": 1, "alu": 1, "branch_not_taken": 1, "fold_branch": 1},
    ),
    "behind a load": Kernel(
        "mov r4, sp; nop; ldm r4!, {r0-r3}; b 1f; nop; 1: bkpt #1", 2 + (1 + 4) + 2,
        2 + (1 + 4) + 2, 1 + 0 + 4 + (2 - 1),
        {"alu": 1, "hint": 1, "load_multiple": 1, "branch": 1, "refill_decode": 1,
         "fold_branch": 1, "fold_nop": 1},
        {"load_multiple": 4},
    ),
    "cbz behind one that sets flags": Kernel(
        "movs r0, #1; cbz r0, 1f; movs r0, #0; cbz r0, 1f; nop; 1: bkpt #1", 1 + 1 + 1 + (1 + 2),
        1 + 1 + 1 + (1 + 2),
        1 + 0 + 1 + (1 + 1),
        {"alu": 2, "compare_not_taken": 1, "compare_taken": 1, "refill_execute": 1,
         "fold_branch": 1},
    ),
    "cbz": Kernel(
        "movs r0, #0; cbz r0, 1f; nop; .balign 4; 1: cbnz r0, 1f; nop; 1: bkpt #1",
        1 + (1 + 2) + 1 + 1, 1 + (1 + 2) + 1 + 1, 1 + (1 + 1) + 1 + 1,
        {"alu": 1, "compare_taken": 1, "refill_execute": 1, "compare_not_taken": 1, "hint": 1},
    ),
    "cbz to the middle of a word": Kernel(
        "movs r0, #0; cbz r0, 1f; nop; 1: add.w r0, r4, r5; bkpt #1",
        1 + (1 + 2 + 1) + 1, 1 + (1 + 2 + 1) + 1, 1 + (1 + 1 + 1) + 1,
        {"alu": 2, "compare_taken": 1, "refill_execute": 1, "refill_odd": 1},
    ),
    "cbz of what was just loaded": Kernel(
        "ldr r0, [sp]; cbnz r0, 1f; nop; 1: bkpt #1", 2 + (1 + 2), 2 + (1 + 2), 1 + (1 + 1 + 1 - 1),
        {"load": 1, "compare_taken": 1, "refill_execute": 1, "load_use": 1, "fold_branch": 1},
    ),
    "bx lr": Kernel("bx lr", 1 + 1, 1 + 1, 1 + 1, {"branch_register": 1, "refill_decode": 1}),
    "bx lr, just written": Kernel(
        "mov r0, lr; mov lr, r0; bx lr", 1 + 1 + (1 + 2), 1 + 1 + (1 + 2), 1 + 1 + (1 + 1 - 1),
        {"alu": 2, "branch_register": 1, "refill_execute": 1, "fold_branch": 1},
    ),
    "bx": Kernel(
        f"{_TO_R0}; bx r0; .balign 4; 1: bkpt #1", 2 + (1 + 2), 2 + (1 + 2), 2 + (1 + 1),
        {"alu": 2, "branch_register": 1, "refill_execute": 1},
    ),
    "blx": Kernel(
        f"{_TO_R0}; blx r0; .balign 4; 1: bkpt #1", 2 + (1 + 2), 2 + (1 + 2), 2 + (1 + 1),
        {"alu": 2, "call_register": 1, "refill_execute": 1},
    ),
    "blx lr": Kernel("blx lr", 1 + 1, 1 + 1, 1 + 1, {"call_register": 1, "refill_decode": 1}),
    "bx to the middle of a word": Kernel(
        "adr r0, 1f; adds r0, #3; bx r0; .balign 4; 1: nop; add.w r0, r4, r5; bkpt #1",
        2 + (1 + 2 + 1) + 1, 2 + (1 + 2 + 1) + 1, 2 + (1 + 1 + 1) + 1,
        {"alu": 3, "branch_register": 1, "refill_execute": 1, "refill_odd": 1},
    ),
    "bl": Kernel("bl 1f; nop; 1: bkpt #1", 1 + 1, 1 + 1, 1 + 1, {"call": 1, "refill_decode": 1}),
    "mov pc": Kernel(
        "adr r0, 1f; nop; mov pc, r0; .balign 4; 1: bkpt #1", 2 + (1 + 2), 2 + (1 + 2),
        1 + 0 + (1 + 1),
        {"alu": 1, "hint": 1, "move_pc": 1, "refill_execute": 1, "fold_nop": 1},
    ),
    "mov pc, lr": Kernel("mov pc, lr", 1 + 1, 1 + 1, 1 + 1, {"move_pc": 1, "refill_decode": 1}),
    "add pc": Kernel(
        "movs r0, #0; add pc, r0; nop; bkpt #1", 1 + (1 + 2), 1 + (1 + 2), 1 + (1 + 1),
        {"alu": 1, "move_pc": 1, "refill_execute": 1},
    ),
    "tbb": Kernel(
        "movs r0, #1; nop; tbb [pc, r0]; .byte 1, 2; nop; bkpt #1", 2 + (3 + 3), 2 + (3 + 3),
        1 + 0 + (2 + 3),
        {"alu": 1, "hint": 1, "table_branch": 1, "refill_load": 1, "fold_nop": 1},
    ),
    "tbh, index just computed": Kernel(
        "movs r0, #1; tbh [pc, r0, lsl #1]; .hword 2, 3; nop; bkpt #1", 1 + (3 + 3 + 1),
        1 + (3 + 3 + 1), 1 + (2 + 3),
        {"alu": 1, "table_branch": 1, "refill_load": 1, "address": 1},
    ),
    "ldr pc": Kernel(
        f"{_TO_R0}; str r0, [sp]; nop; ldr.w pc, [sp]; .balign 4; 1: bkpt #1",
        2 + 1 + 1 + (2 + 3), 2 + 1 + 1 + (2 + 3), 2 + 1 + 0 + (1 + 3),
        {"alu": 2, "store": 1, "hint": 1, "load_pc": 1, "refill_load": 1, "fold_nop": 1},
    ),
    "ldr pc, to the middle of a word": Kernel(  # a refill of three is the longest there is
        "adr r0, 1f; adds r0, #3; str r0, [sp]; nop; ldr.w pc, [sp]; .balign 4; 1: nop; "
        "add.w r0, r4, r5; bkpt #1",
        2 + 1 + 1 + (2 + 3) + 1, 2 + 1 + 1 + (2 + 3) + 1, 2 + 1 + 0 + (1 + 3) + 1,
        {"alu": 3, "store": 1, "hint": 1, "load_pc": 1, "refill_load": 1, "refill_odd": 1,
         "refill_most": 1, "fold_nop": 1},
    ),
    "ldm pc": Kernel(
        f"{_TO_R0}; str r0, [sp, #4]; mov r4, sp; nop; ldm.w r4, {{r1, pc}}; .balign 4; 1: bkpt #1",
        2 + 1 + 1 + 1 + (1 + 2 + 3), 2 + 1 + 1 + 1 + (1 + 2 + 3), 2 + 1 + 1 + 0 + (2 + 3),
        {"alu": 3, "store": 1, "hint": 1, "load_multiple_pc": 1, "refill_load": 1, "fold_nop": 1},
        {"load_multiple_pc": 2},
    ),
    "pop pc": Kernel(
        "push {r0, lr}; pop {r0, pc}", (1 + 2) + (1 + 2 + 3), (1 + 2) + (1 + 2 + 3), 2 + (2 + 3),
        {"push": 1, "pop_pc": 1, "refill_load": 1, "stores_load": 1}, {"push": 2, "pop_pc": 2},
    ),
    "loop": Kernel(
        "movs r0, #10; 1: subs r0, #1; bne 1b; bkpt #1", 1 + 10 + 9 * 2 + 1, 1 + 10 + 9 * 2 + 1,
        1 + 10 + 9 * 2 + 0,
        {"alu": 11, "branch_taken": 9, "branch_not_taken": 1, "refill_decode": 9, "fold_branch": 1},
    ),
    "call and return": Kernel(  # the first return is to a BL in the middle of a word
        "push {r4, lr}; bl 1f; bl 1f; pop {r4, pc}; .balign 4; 1: bx lr",
        3 + 2 * (2 + 2) + 1 + (3 + 3), 3 + 2 * (2 + 2) + 1 + (3 + 3), 2 + 2 * (2 + 2) + 1 + (2 + 3),
        {"push": 1, "call": 2, "branch_register": 2, "pop_pc": 1, "refill_decode": 4,
         "refill_odd": 1,
         "refill_load": 1}, {"push": 2, "pop_pc": 2},
    ),
}  # fmt: skip

CONDITIONS = {
    "it, folded": Kernel(
        "cmp r0, r0; it eq; moveq r1, r2; bkpt #1", 1 + 0 + 1, 1 + 0 + 1, 1 + 0 + 1,
        {"alu": 2, "it": 1, "fold": 1}
    ),
    "it behind a 32-bit instruction": Kernel(
        "cmp.w r0, r0; it eq; moveq r1, r2; bkpt #1", 1 + 1 + 1, 1 + 1 + 1, 1 + 1 + 1,
        {"alu": 2, "it": 1}
    ),
    "then and else": Kernel(
        "cmp r0, r0; ite ne; movne r1, r2; moveq r1, r3; bkpt #1", 1 + 0 + 1 + 1, 1 + 0 + 1 + 1,
        1 + 0 + 1 + 1,
        {"alu": 2, "it": 1, "skipped": 1, "fold": 1},
    ),
    "skipped loads and stores": Kernel(
        "cmp r0, r0; ittt ne; ldrne r1, [sp]; strne r1, [sp]; umullne r0, r1, r4, r5; bkpt #1",
        1 + 0 + 3, 1 + 0 + 3, 1 + 0 + 3, {"alu": 1, "it": 1, "skipped": 3, "fold": 1},
    ),
    "skipped return": Kernel(
        "cmp r0, r0; it ne; bxne lr; bkpt #1", 1 + 0 + 1, 1 + 0 + 1, 1 + 0 + 1,
        {"alu": 1, "it": 1, "skipped": 1, "fold": 1},
    ),
    "return": Kernel(
        "cmp r0, r0; it eq; bxeq lr; nop", 1 + 0 + (1 + 1), 1 + 0 + (1 + 1), 1 + 0 + (1 + 1),
        {"alu": 1, "it": 1, "branch_register": 1, "refill_decode": 1, "fold": 1},
    ),
    "loads of one condition": Kernel(
        "cmp r0, r0; itt eq; ldreq r1, [sp]; ldreq r2, [sp, #4]; bkpt #1",
        1 + 0 + 2 + (2 - 1), 1 + 0 + 2 + (2 - 1), 1 + 0 + 1 + 1,
        {"alu": 1, "it": 1, "load": 2, "fold": 1, "pair": 1},
    ),
    "loads of two conditions": Kernel(
        "cmp r0, r0; ite eq; ldreq r1, [sp]; ldrne r2, [sp, #4]; bkpt #1",
        1 + 0 + 2 + 1, 1 + 0 + 2 + 1, 1 + 0 + 1 + 1,
        {"alu": 1, "it": 1, "load": 1, "skipped": 1, "fold": 1},
    ),
    "it behind one that is skipped": Kernel(
        "cmp r0, r0; it ne; movne r1, r2; it eq; moveq r1, r3; bkpt #1", 1 + 0 + 1 + 0 + 1,
        1 + 0 + 1 + 0 + 1,
        1 + 0 + 1 + 0 + 1, {"alu": 2, "it": 2, "skipped": 1, "fold": 2},
    ),
    "it behind a branch that is not taken": Kernel(
        "cmp r0, r0; bne 1f; it eq; moveq r1, r3; 1: bkpt #1", 1 + 1 + 0 + 1, 1 + 1 + 0 + 1,
        1 + 0 + 1 + 1,
        {"alu": 2, "branch_not_taken": 1, "it": 1, "fold_branch": 1},
    ),
    "branch behind one that may be skipped": Kernel(
        "cmp r0, r0; it eq; cmpeq r0, r0; bne 1f; 1: bkpt #1", 1 + 0 + 1 + 1, 1 + 0 + 1 + 1,
        1 + 0 + 1 + 1,
        {"alu": 2, "it": 1, "fold": 1, "branch_not_taken": 1},
    ),
    "rotated constant with flags": Kernel(
        "cmp r0, r0; it eq; addseq.w r0, r1, #0x1fc0; bkpt #1", 1 + 0 + 1, 1 + 0 + 1, 1 + 0 + 2,
        {"alu": 2, "it": 1, "fold": 1, "flags_held": 1},
    ),
    "rotated constant with flags, skipped": Kernel(
        "cmp r0, r0; it ne; addsne.w r0, r1, #0x1fc0; bkpt #1", 1 + 0 + 1, 1 + 0 + 1, 1 + 0 + 1,
        {"alu": 1, "it": 1, "fold": 1, "skipped": 1},
    ),
    "shifted operand, used": Kernel(
        "cmp r0, r0; it eq; addeq.w r0, r1, r2, ror #23; add r0, r3; bkpt #1", 1 + 0 + 1 + 1,
        1 + 0 + 1 + 1,
        1 + 0 + 1 + (1 + 1), {"alu": 3, "it": 1, "fold": 1, "late_use": 1},
    ),
    "shifted operand, skipped": Kernel(
        "cmp r0, r0; it ne; addne.w r0, r1, r2, ror #23; add r0, r3; bkpt #1", 1 + 0 + 1 + 1,
        1 + 0 + 1 + 1,
        1 + 0 + 1 + 1, {"alu": 2, "it": 1, "fold": 1, "skipped": 1},
    ),
    "it behind a branch that is taken": Kernel(
        "cmp r0, r0; beq 1f; it eq; moveq r1, r3; 1: bkpt #1", 1 + 2, 1 + 2, 1 + 2,
        {"alu": 1, "branch_taken": 1, "refill_decode": 1},
    ),
}  # fmt: skip

_WIDE = "add.w r0, r4, r5"
_THREE = f"{_WIDE}; {_WIDE}; {_WIDE}"
FETCHES = {
    "load multiple, then three at odd halfwords": Kernel(
        f"mov r4, sp; nop; ldm r4!, {{r0-r3}}; {_THREE}; bkpt #1", 2 + (1 + 4 + 1) + 3,
        2 + (1 + 4 + 1) + 3, 1 + 0 + 4 + 3,
        {"alu": 4, "hint": 1, "load_multiple": 1, "fold_nop": 1, "fetch_odd": 1},
        {"load_multiple": 4},
    ),
    "then six": Kernel(
        f"mov r4, sp; nop; ldm r4!, {{r0-r3}}; {_THREE}; {_THREE}; bkpt #1", 2 + (1 + 4 + 1) + 6,
        2 + (1 + 4 + 1) + 6,
        1 + 0 + 4 + 6, {"alu": 7, "hint": 1, "load_multiple": 1, "fold_nop": 1, "fetch_odd": 1},
        {"load_multiple": 4},
    ),
    "then two": Kernel(
        f"mov r4, sp; nop; ldm r4!, {{r0-r3}}; {_WIDE}; {_WIDE}; movs r0, #0; bkpt #1",
        2 + (1 + 4) + 3, 2 + (1 + 4) + 3,
        1 + 0 + 4 + 3, {"alu": 4, "hint": 1, "load_multiple": 1, "fold_nop": 1},
        {"load_multiple": 4},
    ),
    "then three at words": Kernel(
        f"mov r4, sp; nop; nop; ldm r4!, {{r0-r3}}; {_THREE}; bkpt #1", 3 + (1 + 4) + 3,
        3 + (1 + 4) + 3,
        1 + 0 + 1 + 4 + 3, {"alu": 4, "hint": 2, "load_multiple": 1, "fold_nop": 1},
        {"load_multiple": 4},
    ),
    "one cycle, then three": Kernel(f"movs r0, #1; {_THREE}; bkpt #1", 4, 4, 4, {"alu": 4}),
    "load, then three": Kernel(
        f"ldr r1, [sp]; {_THREE}; bkpt #1", (2 + 1) + 3, (2 + 1) + 3, 1 + 3,
        {"load": 1, "alu": 3, "fetch_odd": 1}
    ),
    "load, then three, the last a branch": Kernel(
        f"ldr r1, [sp]; {_WIDE}; {_WIDE}; b.w 1f; nop; 1: bkpt #1", (2 + 1) + 2 + 2,
        (2 + 1) + 2 + 2, 1 + 2 + 2,
        {"load": 1, "alu": 2, "branch": 1, "refill_decode": 1, "fetch_odd": 1},
    ),
    "load, then three, the first a branch": Kernel(
        f"movs r0, #0; nop; ldr r1, [sp]; bne.w 1f; {_WIDE}; {_WIDE}; 1: bkpt #1", 2 + 2 + 3,
        2 + 2 + 3, 1 + 0 + 1 + 3,
        {"alu": 3, "hint": 1, "load": 1, "branch_not_taken": 1, "fold_nop": 1},
    ),
    "loads, the others at odd halfwords": Kernel(
        "ldr r0, [sp]; ldr.w r1, [sp, #4]; ldr.w r2, [sp, #8]; ldr.w r3, [sp, #12]; bkpt #1",
        (2 + 1) + 3 * (2 - 1), (2 + 1) + 3 * (2 - 1), 4, {"load": 4, "pair_odd": 3, "fetch_odd": 1},
    ),
    "load that pairs, then three": Kernel(
        f"nop; ldr r1, [sp]; ldr r2, [sp, #4]; {_THREE}; bkpt #1", 1 + 2 + (2 - 1) + 3,
        1 + 2 + (2 - 1) + 3, 1 + 1 + 1 + 3,
        {"hint": 1, "load": 2, "pair": 1, "alu": 3},
    ),
    "long multiplication, then three": Kernel(  # of one cycle on a Cortex-M4
        f"nop; umull r1, r2, r4, r5; {_THREE}; bkpt #1", 1 + (5 + 1) + 3, 1 + 1 + 3, 1 + 1 + 3,
        {"hint": 1, "multiply_long": 1, "alu": 3},
    ),
    "load of a condition, then three": Kernel(
        f"cmp r0, r0; it eq; ldreq r1, [sp]; {_THREE}; bkpt #1", 1 + 0 + (2 + 1) + 3,
        1 + 0 + (2 + 1) + 3, 1 + 0 + 1 + 3,
        {"alu": 4, "it": 1, "fold": 1, "load": 1, "fetch_odd": 1},
    ),
    "skipped load, then three": Kernel(
        f"cmp r0, r0; it ne; ldrne r1, [sp]; {_THREE}; bkpt #1", 1 + 0 + 1 + 3, 1 + 0 + 1 + 3,
        1 + 0 + 1 + 3,
        {"alu": 4, "it": 1, "fold": 1, "skipped": 1},
    ),
}  # fmt: skip

KERNELS = {**COMPUTING, **MEMORY, **VECTORS, **BRANCHES, **CONDITIONS, **FETCHES}
