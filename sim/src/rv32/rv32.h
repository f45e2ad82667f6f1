/* RV32IMC: names of cost rows and operations, shared by decoder and executor. */
#ifndef ECSIM_RV32_H
#define ECSIM_RV32_H

#include "machine.h"

#define ISA_LIST "rv32.def"
#include "isa.inc"

/* ecs_isa.features: cycle and instret for all code to read; A, Zba, Zbb, Zbs, Zbkb, Zcb, Zcmp;
 * RV32E: x0 to x15 and no M, and xw, which WCH has beside it. */
enum { RV32_ZICNTR = 1, RV32_BITS = 2, RV32_E = 4 };
enum { RA = 1, SP = 2, T0 = 5, S0 = 8, A0 = 10, A1 = 11, X0_SINK = 32 };
_Static_assert(X0_SINK < ECS_REGISTERS, "a register that takes the writes to x0");

/* Control registers: RISC-V privileged architecture 1.12, tables 2.2 to 2.5.
   The first kind keeps what is written to it, to no effect; counters show the counts of this run;
   identification reads as 0. */
enum {
    MSTATUS = 0x300,
    MIE = 0x304,
    MTVEC = 0x305,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    MCYCLE = 0xB00,
    MINSTRET = 0xB02,
    MCYCLEH = 0xB80,
    MINSTRETH = 0xB82,
    CYCLE = 0xC00,
    INSTRET = 0xC02,
    CYCLEH = 0xC80,
    INSTRETH = 0xC82,
    MVENDORID = 0xF11,
    MARCHID = 0xF12,
    MIMPID = 0xF13,
    MHARTID = 0xF14,
};

/* Where in m->csr a control register is that keeps what is written to it; -1: it does not. */
static inline int rv32_csr_place(uint32_t number)
{
    switch (number) {
    case MSTATUS: return 0;
    case MIE: return 1;
    case MTVEC: return 2;
    case MSCRATCH: return 3;
    case MEPC: return 4;
    case MCAUSE: return 5;
    case MTVAL: return 6;
    default: return -1;
    }
}

extern const uint8_t rv32_op_row[OP_COUNT];

void rv32_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry);

ECS_EXECUTORS(rv32);

#endif
