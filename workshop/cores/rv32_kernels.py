"""Kernels whose cycles were counted by hand from the documents that the models of Ibex, CV32E40P
and Hazard3 name, and from their RTL.
"""

from __future__ import annotations

from typing import NamedTuple

from workshop.sim.build import STACK_TOP

SP = STACK_TOP - 0x100  # where x2 points in the kernels


class Kernel(NamedTuple):
    """Code that ends in EBREAK, its cycles on Ibex and on CV32E40P,
    and how often each cost row applies.
    """

    code: str
    ibex: int
    cv32e40p: int
    rows: dict[str, int]
    esp32c3: int | None = None  # where it is not as CV32E40P


KERNELS = {
    "alu": Kernel(
        """addi x5, x6, 1; slti x5, x6, 1; sltiu x5, x6, 1; xori x5, x6, 1; ori x5, x6, 1
        andi x5, x6, 1
        slli x5, x6, 1
        srli x5, x6, 1; srai x5, x6, 1; add x5, x6, x7; sub x5, x6, x7; sll x5, x6, x7
        slt x5, x6, x7
        sltu x5, x6, x7; xor x5, x6, x7; srl x5, x6, x7; sra x5, x6, x7; or x5, x6, x7
        and x5, x6, x7; lui x5, 1
        auipc x5, 1; ebreak""",
        21, 21, {"alu": 21},
    ),
    "short alu": Kernel(
        """c.addi x5, 1; c.li x5, 1; c.lui x5, 1; c.mv x5, x6; c.add x5, x6; c.sub x8, x9
        c.xor x8, x9; c.or x8, x9
        c.and x8, x9; c.andi x8, 1; c.srli x8, 1; c.srai x8, 1; c.slli x5, 1; c.addi4spn x8, sp, 4
        c.addi16sp sp, -16
        c.nop; ebreak""",
        16, 16, {"alu": 16},
    ),
    "alu on the stack pointer": Kernel(
        "addi sp, sp, -16; add sp, sp, x0; sub sp, sp, x0; andi sp, sp, -16; c.addi16sp sp, 16; "
        "ebreak",
        5, 5, {"alu": 5},
    ),
    "multiply": Kernel("mul x5, x6, x7; mul x6, x5, x7; ebreak", 2 * 3, 2 * 1, {"multiply": 2}),
    "multiply high": Kernel(
        "mulh x5, x6, x7; mulhsu x5, x6, x7; mulhu x5, x6, x7; ebreak", 3 * 4, 3 * 5,
        {"multiply_high": 3}
    ),
    # x7 is 0xECF00007: 32 bits as an unsigned number, 30 with the sign as a signed one
    "divide": Kernel(
        "div x5, x6, x7; divu x5, x6, x7; rem x5, x6, x7; remu x5, x6, x7; ebreak",
        4 * 37, 5 + 3 + 5 + 3, {"divide": 4}, esp32c3=4 * 35
    ),
    "divide by zero": Kernel(
        "div x5, x6, x0; divu x5, x6, x0; rem x5, x6, x0; remu x5, x6, x0; ebreak",
        4 * 2, 4 * 35, {"divide": 4}
    ),
    "divide by small numbers": Kernel(
        """li x7, 1; divu x5, x6, x7; rem x5, x6, x7; li x7, -1; div x5, x6, x7; li x7, 256
        remu x5, x6, x7
        ebreak""",
        4 * 37 + 3, 34 + 34 + 34 + 26 + 3, {"alu": 3, "divide": 4}, esp32c3=4 * 35 + 3
    ),
    "load": Kernel(
        """lw x5, 0(sp); lh x6, 2(sp); lhu x7, 4(sp); lb x28, 7(sp); lbu x29, 8(sp);
        c.lwsp x30, 12(sp); c.mv x8, sp
        c.lw x9, 16(x8); ebreak""",
        7 * 2 + 1, 7 * 1 + 1, {"load": 7, "alu": 1},
    ),
    "load, used at once": Kernel(
        "lw x5, 0(sp); add x6, x7, x5; ebreak", 2 + 1, 1 + 1 + 1,
        {"load": 1, "alu": 1, "load_use": 1}
    ),
    "load, stored at once": Kernel("lw x5, 0(sp); sw x5, 4(sp); ebreak", 4, 3,
        {"load": 1, "store": 1, "load_store": 1}),
    "load, compared at once": Kernel(
        "lhu x5, 0(sp); bne x0, x5, 1f; 1: ebreak", 2 + 3, 1 + 1 + 3,
        {"load": 1, "branch_taken": 1, "load_use": 1}
    ),
    "load, used as an address": Kernel(
        "sw sp, 0(sp); lw x5, 0(sp); lw x6, 0(x5); ebreak", 6, 4,
        {"store": 1, "load": 2, "load_use": 1}
    ),
    "load, used by a short one": Kernel(
        "c.lwsp x9, 0(sp); c.add x5, x9; c.lwsp x9, 0(sp); c.sub x8, x9; ebreak",
        6, 6, {"load": 2, "alu": 2, "load_use": 2},
    ),
    "load, written to a control register": Kernel(
        "lw x5, 0(sp); csrw mscratch, x5; lw x5, 0(sp); csrwi mscratch, 5; ebreak",
        6, 5, {"load": 2, "csr": 2, "load_use": 1, "load_csr": 1},
    ),
    "load, used one later": Kernel("lw x5, 0(sp); nop; add x6, x7, x5; ebreak", 4, 3,
        {"load": 1, "alu": 2}),
    "load, overwritten": Kernel("lw x5, 0(sp); lui x5, 5; addi x6, x0, 5; ebreak", 4, 4,
        {"load": 1, "alu": 2, "load_overwrite": 1}, esp32c3=3),
    "load, overwritten by a load": Kernel("lw x5, 0(sp); lw x5, 4(sp); lui x6, 5; ebreak", 5, 3,
        {"load": 2, "alu": 1}),
    "load, overwritten by a jump": Kernel("lw x5, 0(sp); jal x5, 1f; nop; 1: ebreak", 4, 3,
        {"load": 1, "jump": 1}),
    "load into nothing, before a NOP": Kernel("lw x0, 0(sp); nop; ebreak", 3, 3,
        {"load": 1, "alu": 1, "load_overwrite": 1}, esp32c3=2),
    "load into nothing": Kernel("lw x0, 0(sp); add x6, x0, x0; ebreak", 3, 2,
        {"load": 1, "alu": 1}),
    "store": Kernel(
        "sw x5, 0(sp); sh x5, 4(sp); sb x5, 7(sp); c.swsp x5, 8(sp); c.mv x8, sp; "
        "c.sw x9, 12(x8); ebreak",
        5 * 2 + 1, 5 * 1 + 1, {"store": 5, "alu": 1},
    ),
    "taken": Kernel(
        """beq x0, x0, 1f; nop; 1: bne x1, x0, 1f; nop; 1: blt x0, x10, 1f; nop; 1: bge x0, x0, 1f
        nop; 1:
        bltu x0, x10, 1f; nop; 1: bgeu x0, x0, 1f; nop; 1: ebreak""",
        6 * 3, 6 * 3, {"branch_taken": 6},
    ),
    "not taken": Kernel(
        """bne x0, x0, 1f; beq x1, x0, 1f; bge x0, x10, 1f; blt x0, x0, 1f; bgeu x0, x10, 1f
        bltu x0, x0, 1f
        1: ebreak""",
        6, 6, {"branch_not_taken": 6},
    ),
    "short branches": Kernel(
        "c.li x8, 0; c.beqz x8, 1f; c.nop; 1: c.bnez x8, 1f; c.nop; 1: ebreak",
        1 + 3 + 1 + 1, 6, {"alu": 2, "branch_taken": 1, "branch_not_taken": 1},
    ),
    "taken, to a split instruction": Kernel(
        "c.nop; beq x0, x0, 1f; nop; 1: addi x5, x5, 1; c.nop; ebreak",
        1 + (3 + 1) + 1 + 1, 1 + 4 + 1 + 1, {"alu": 3, "branch_taken": 1, "target_split": 1},
    ),
    "taken, to a short instruction there": Kernel(
        "c.nop; beq x0, x0, 1f; nop; 1: c.addi x5, 1; ebreak", 5, 5, {"alu": 2, "branch_taken": 1}
    ),
    "not taken, on to a split instruction": Kernel(
        "c.nop; bne x0, x0, 1f; 1: addi x5, x5, 1; c.nop; ebreak", 4, 4,
        {"alu": 3, "branch_not_taken": 1}
    ),
    "jump": Kernel(
        "j 1f; nop; 1: jal x5, 1f; nop; 1: c.j 1f; c.nop; 1: c.jal 1f; c.nop; 1: ebreak", 4 * 2,
        4 * 2, {"jump": 4}
    ),
    "jump to a split instruction": Kernel(
        "c.nop; j 1f; nop; 1: addi x5, x5, 1; c.nop; ebreak", 1 + 3 + 2, 6,
        {"alu": 3, "jump": 1, "target_split": 1}
    ),
    "jump by register": Kernel(
        "auipc x5, 0; nop; jalr x0, 16(x5); nop; ebreak", 1 + 1 + 2, 4,
        {"alu": 2, "jump_register": 1}
    ),
    "jump by a register just written": Kernel(
        "auipc x5, 0; jalr x0, 12(x5); nop; ebreak",
        1 + 2, 1 + 2 + 1, {"alu": 1, "jump_register": 1, "jump_register_use": 1},
    ),
    "jump by a register just loaded": Kernel(
        "auipc x6, 0; addi x6, x6, 24; sw x6, 0(sp); lw x5, 0(sp); jalr x0, 0(x5); nop; ebreak",
        1 + 1 + 2 + 2 + 2, 1 + 1 + 1 + (1 + 1 + 1) + 2,
        {"alu": 2, "store": 1, "load": 1, "jump_register": 1, "load_use": 1,
            "jump_register_use": 1},
    ),
    "jump by a register loaded one before": Kernel(
        """auipc x6, 0; addi x6, x6, 28; sw x6, 0(sp); lw x5, 0(sp); addi x7, x7, 1
        jalr x0, 0(x5); nop; ebreak""",
        1 + 1 + 2 + 2 + 1 + 2, 1 + 1 + 1 + 1 + (1 + 1) + 2,
        {"alu": 3, "store": 1, "load": 1, "jump_register": 1, "jump_register_load": 1}, esp32c3=7,
    ),
    "jump by a register loaded two before": Kernel(
        """auipc x6, 0; addi x6, x6, 32; sw x6, 0(sp); lw x5, 0(sp); nop; addi x7, x7, 1
        jalr x0, 0(x5); nop; ebreak""",
        1 + 1 + 2 + 2 + 1 + 1 + 2, 1 + 1 + 1 + 1 + 1 + 1 + 2,
        {"alu": 4, "store": 1, "load": 1, "jump_register": 1},
    ),
    "jump behind a multiplication": Kernel(
        "mulhu x5, x6, x7; j 1f; nop; 1: ebreak", 4 + 2, 5 + 1,
        {"multiply_high": 1, "jump": 1, "jump_hidden": 1}, esp32c3=7,
    ),
    "jump behind a split access": Kernel(
        "lw x5, 1(sp); j 1f; nop; 1: sw x5, 1(sp); j 1f; nop; 1: ebreak", 3 + 2 + 3 + 2,
        2 + 1 + 2 + 1,
        {"load": 1, "store": 1, "access_split": 2, "jump": 2, "jump_hidden": 2}, esp32c3=8,
    ),
    "jump by register to a split instruction": Kernel(
        "auipc x5, 0; nop; jalr x0, 14(x5); c.nop; addi x5, x5, 1; c.nop; ebreak",
        2 + 3 + 2, 7, {"alu": 4, "jump_register": 1, "target_split": 1},
    ),
    "call and return": Kernel(
        "call 1f; call 1f; ebreak; 1: ret", 2 * (1 + 2) + 2 * 2, 2 * (1 + 1 + 3) + 2 * 2,
        {"alu": 2, "jump_register": 4, "jump_register_use": 2, "jump_register_same": 2}, esp32c3=12,
    ),
    "short call and return": Kernel(
        "c.jal 1f; c.nop; ebreak; 1: c.jr ra", 2 + 2 + 1, 5,
        {"alu": 1, "jump": 1, "jump_register": 1}
    ),
    "control registers": Kernel(
        "csrw mscratch, x5; csrrs x6, mscratch, x0; csrrci x6, mie, 3; csrr x6, mhartid; "
        "csrw mtval, x5; ebreak",
        5, 5, {"csr": 5},
    ),
    "control registers that flush": Kernel(
        "csrw mie, x0; csrwi mie, 0; csrsi mie, 8; csrci mie, 8; csrrs x5, mie, x0; nop; ebreak",
        3 * 3 + 2 + 1, 6, {"csr": 5, "alu": 1, "csr_flush": 3},
    ),
    "serial control registers": Kernel(
        """csrr x5, mcycle; csrr x5, minstret; csrr x5, mcycleh; csrr x5, minstreth; csrw mtvec, x6
        csrsi mstatus, 8
        ebreak""",
        6 + 2, 6 * 4, {"csr_serial": 6, "csr_flush": 1},
    ),
    "fences": Kernel("fence; fence.i; ebreak", 1 + 2, 4 + 4, {"fence": 1, "fence_i": 1}, esp32c3=4),
    "fences before a split instruction": Kernel(
        "c.nop; fence.i; addi x5, x5, 1; fence; addi x5, x5, 1; c.nop; ebreak",
        1 + 3 + 1 + 1 + 1 + 1, 1 + 5 + 1 + 5 + 1 + 1,
        {"alu": 4, "fence": 1, "fence_i": 1, "target_split": 2}, esp32c3=10,
    ),
    "wait": Kernel("wfi; ebreak", 1, 1, {"wait": 1}),
    "accesses in two words": Kernel(
        "lw x5, 1(sp); lh x6, 3(sp); lhu x7, 7(sp); sw x5, 2(sp); sh x5, 3(sp); ebreak",
        5 * 3, 5 * 2, {"load": 3, "store": 2, "access_split": 5},
    ),
    "halfwords within a word": Kernel("lh x5, 1(sp); sh x6, 5(sp); ebreak", 4, 2,
        {"load": 1, "store": 1}),
    "loop": Kernel(
        "li x5, 10; 1: addi x5, x5, -1; bnez x5, 1b; ebreak",
        1 + 10 + 9 * 3 + 1, 39, {"alu": 11, "branch_taken": 9, "branch_not_taken": 1},
    ),
}  # fmt: skip

# Their cycles on Hazard3, each equal to its RTL. Those that are not here have an unaligned access,
# which is an exception there.
HAZARD3 = {
    "alu": 21,
    "short alu": 16,
    "alu on the stack pointer": 5,
    "multiply": 2,
    "multiply high": 3,
    "divide": 78,
    "divide by zero": 78,
    "divide by small numbers": 81,
    "load": 8,
    "load, used at once": 3,
    "load, stored at once": 2,
    "load, compared at once": 4,
    "load, used as an address": 4,
    "load, used by a short one": 6,
    "load, written to a control register": 6,
    "load, used one later": 3,
    "load, overwritten": 3,
    "load, overwritten by a load": 3,
    "load, overwritten by a jump": 3,
    "load into nothing, before a NOP": 2,
    "load into nothing": 2,
    "store": 6,
    "taken": 12,
    "not taken": 6,
    "short branches": 5,
    "taken, to a split instruction": 6,
    "taken, to a short instruction there": 4,
    "not taken, on to a split instruction": 4,
    "jump": 8,
    "jump to a split instruction": 6,
    "jump by register": 4,
    "jump by a register just written": 3,
    "jump by a register just loaded": 7,
    "jump by a register loaded one before": 7,
    "jump by a register loaded two before": 8,
    "jump behind a multiplication": 3,
    "jump by register to a split instruction": 7,
    "call and return": 10,
    "short call and return": 5,
    "control registers": 5,
    "control registers that flush": 6,
    "serial control registers": 6,
    "fences": 3,
    "fences before a split instruction": 8,
    "wait": 1,
    "loop": 23,
}
# In "loop", on Hazard3: of nine branches that are taken the first is not foreseen; nor is the last
# one, which is not taken.
HAZARD3_LOOP = {"alu": 11, "branch_taken": 2, "branch_predicted": 8}


class Extended(NamedTuple):
    """Code of A, Zba, Zbb, Zbs, Zbkb, Zcb or Zcmp, its cycles on Hazard3, and its rows."""

    code: str
    cycles: int
    rows: dict[str, int]


# What the assembler of today does not know, in hexadecimal. Counted by hand from Hazard3's
# instruction_timings, each equal to its RTL.
EXTENDED = {
    "bits": Extended(
        """sh1add x5, x6, x7; sh2add x5, x6, x7; sh3add x5, x6, x7; andn x5, x6, x7; orn x5, x6, x7
        xnor x5, x6, x7; rol x5, x6, x7; ror x5, x6, x7; rori x5, x6, 9; rev8 x5, x6; clz x5, x6
        ctz x5, x6; cpop x5, x6; min x5, x6, x7; minu x5, x6, x7; max x5, x6, x7; maxu x5, x6, x7
        orc.b x5, x6; sext.b x5, x6; sext.h x5, x6; zext.h x5, x6; pack x5, x6, x7
        packh x5, x6, x7
        brev8 x5, x6; zip x5, x6; unzip x5, x6; bclr x5, x6, x7; bclri x5, x6, 9; bext x5, x6, x7
        bexti x5, x6, 9; binv x5, x6, x7; binvi x5, x6, 9; bset x5, x6, x7; bseti x5, x6, 9
        ebreak""",
        34, {"alu": 34},
    ),
    "load, used by bits": Extended(
        "lw x5, 0(sp); andn x6, x7, x5; lw x5, 0(sp); clz x6, x5; ebreak", 6,
        {"load": 2, "alu": 2, "load_use": 2},
    ),
    "load, its number where an immediate is": Extended(
        "lw x5, 0(sp); bseti x6, x7, 5; lw x5, 0(sp); cpop x6, x7; ebreak", 4,
        {"load": 2, "alu": 2},
    ),
    # c.zext.b, c.sext.b, c.zext.h, c.sext.h, c.not, c.mul of x8; lbu, lhu, lh, sb, sh by x8
    "short bits": Extended(
        """.2byte 0x9c61; .2byte 0x9c65; .2byte 0x9c69; .2byte 0x9c6d; .2byte 0x9c75; .2byte 0x9c45;
        c.mv x8, sp; .2byte 0x8024; .2byte 0x8424; .2byte 0x8464; .2byte 0x8824; .2byte 0x8c24;
        c.nop; ebreak""",
        13, {"alu": 7, "multiply": 1, "load": 3, "store": 2},
    ),
    "atomic": Extended(
        """amoswap.w x5, x6, (sp); amoadd.w x5, x6, (sp); amoxor.w x5, x6, (sp)
        amoand.w x5, x6, (sp); amoor.w x5, x6, (sp); amomin.w x5, x6, (sp); amomax.w x5, x6, (sp)
        amominu.w x5, x6, (sp); amomaxu.w x5, x6, (sp); add x6, x5, x5; ebreak""",
        9 * 4 + 1, {"atomic": 9, "alu": 1},
    ),
    "load, used by an atomic": Extended(
        "lw x6, 0(sp); amoadd.w x5, x6, (sp); ebreak", 6, {"load": 1, "atomic": 1, "load_use": 1}
    ),
    "reserved, stored": Extended(
        "lr.w x5, (sp); sc.w x6, x7, (sp); nop; add x5, x6, x6; ebreak", 5,
        {"exclusive": 2, "alu": 2, "exclusive_again": 1},
    ),
    "reserved, used": Extended(
        "lr.w x5, (sp); add x6, x5, x5; sc.w x6, x7, (sp); bnez x6, 1f; 1: ebreak", 6,
        {"exclusive": 2, "alu": 1, "branch_not_taken": 1, "load_use": 2},
    ),
    "reserved, before an atomic": Extended(
        "lr.w x5, (sp); amoadd.w x6, x5, (sp); ebreak", 6,
        {"exclusive": 1, "atomic": 1, "exclusive_again": 1},
    ),
    # cm.push {ra}, -16; {ra, s0-s11}, -112; and cm.pop of them
    "push and pop": Extended(
        ".2byte 0xb842; .2byte 0xb8fe; .2byte 0xbafe; .2byte 0xba42; ebreak",
        2 + 14 + 14 + 2, {"push": 2, "pop": 2},
    ),
    "load, then pushed": Extended(
        "lw x1, 0(sp); .2byte 0xb842; .2byte 0xba42; ebreak", 5, {"load": 1, "push": 1, "pop": 1}
    ),
    # cm.popret {ra}, 16 and {ra, s0}, 16; cm.popretz of them
    "return": Extended(
        "auipc x5, 0; addi x5, x5, 16; sw x5, 12(sp); .2byte 0xbe42; c.nop; ebreak",
        3 + 4, {"alu": 2, "store": 1, "pop_return": 1, "pop_return_one": 1},
    ),
    "return by two": Extended(
        "auipc x5, 0; addi x5, x5, 16; sw x5, 8(sp); .2byte 0xbe52; c.nop; ebreak",
        3 + 4, {"alu": 2, "store": 1, "pop_return": 1},
    ),
    "return zero": Extended(
        "auipc x5, 0; addi x5, x5, 16; sw x5, 12(sp); .2byte 0xbc42; c.nop; ebreak",
        3 + 4, {"alu": 2, "store": 1, "pop_return_zero": 1},
    ),
    "return zero by two": Extended(
        "auipc x5, 0; addi x5, x5, 16; sw x5, 8(sp); .2byte 0xbc52; c.nop; ebreak",
        3 + 5, {"alu": 2, "store": 1, "pop_return_zero": 1},
    ),
    # cm.mva01s s0, s1; cm.mvsa01 s0, s1
    "move two": Extended(".2byte 0xac66; .2byte 0xac26; ebreak", 4, {"move_two": 2}),
    "load, moved": Extended(
        "lw x10, 0(sp); .2byte 0xac26; lw x11, 0(sp); .2byte 0xac26; ebreak", 7,
        {"load": 2, "move_two": 2, "load_use": 1},
    ),
}  # fmt: skip
