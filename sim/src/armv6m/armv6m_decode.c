/*
 * ARMv6-M decoder: Arm DDI 0419 (ARMv6-M Architecture Reference Manual),
 * A5 "The Thumb Instruction Set Encoding".
 *
 * Encodings that the manual calls UNPREDICTABLE decode to a fault of that name:
 * a compiler does not emit them, so they are wild jumps or broken code, and a simulator
 * that invents a behaviour would hide it.
 */
#include <string.h>

#include "armv6m.h"
#include "bits.h"

const uint8_t armv6m_op_row[OP_COUNT] = {
#define OP(name, row) [OP_##name] = ROW_##row,
#include "armv6m.def"
};

static const char *const row_names[ROW_COUNT] = {
#define ROW(name) [ROW_##name] = #name,
#include "armv6m.def"
};

const ecs_isa ecs_armv6m = {
    .name = "armv6m",
    .rows = row_names,
    .row_count = ROW_COUNT,
    .decode = armv6m_decode,
    ECS_RUN(armv6m),
    .is_peripheral = arm_is_peripheral,
    .is_long = arm_is_long,
    .thumb_bit = 1,
    .sp = SP,
    .status = PSR_INDEX,
    .block = arm_block,
    .get_register = arm_get_register,
    .set_register = arm_set_register,
};

typedef struct {
    uint32_t op, a, b, c, imm;
    uint32_t registers; /* in a list; for the cost */
} decoded;

#define D(name, ...) ((decoded){.op = OP_##name, __VA_ARGS__})
#define UNDEFINED ((decoded){.op = OP_undefined})
#define UNPREDICTABLE ((decoded){.op = OP_unpredictable})

/* A5.2.1: shift by immediate, add, subtract, move, compare. */
static decoded shift_add_move_compare(uint32_t h)
{
    uint32_t rd = bits(h, 2, 0), rn = bits(h, 5, 3), third = bits(h, 8, 6), shift = bits(h, 10, 6);
    uint32_t rdn = bits(h, 10, 8), imm8 = bits(h, 7, 0);
    switch (bits(h, 13, 9)) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3:
        return shift == 0 ? D(movs_reg, .a = rd, .b = rn)
                          : D(lsl_imm, .a = rd, .b = rn, .c = shift);
    case 0x4:
    case 0x5:
    case 0x6:
    case 0x7: return D(lsr_imm, .a = rd, .b = rn, .c = shift == 0 ? 32 : shift);
    case 0x8:
    case 0x9:
    case 0xA:
    case 0xB: return D(asr_imm, .a = rd, .b = rn, .c = shift == 0 ? 32 : shift);
    case 0xC: return D(adds_reg, .a = rd, .b = rn, .c = third);
    case 0xD: return D(subs_reg, .a = rd, .b = rn, .c = third);
    case 0xE: return D(adds_imm, .a = rd, .b = rn, .imm = third);
    case 0xF: return D(subs_imm, .a = rd, .b = rn, .imm = third);
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13: return D(movs_imm, .a = rdn, .imm = imm8);
    case 0x14:
    case 0x15:
    case 0x16:
    case 0x17: return D(cmp_imm, .b = rdn, .imm = imm8);
    case 0x18:
    case 0x19:
    case 0x1A:
    case 0x1B: return D(adds_imm, .a = rdn, .b = rdn, .imm = imm8);
    default: return D(subs_imm, .a = rdn, .b = rdn, .imm = imm8);
    }
}

/* A5.2.2: data processing on low registers. */
static decoded data_processing(uint32_t h)
{
    static const uint8_t ops[16] = {OP_ands, OP_eors, OP_lsls, OP_lsrs, OP_asrs, OP_adcs,
                                    OP_sbcs, OP_rors, OP_tst,  OP_rsbs, OP_cmp,  OP_cmn,
                                    OP_orrs, OP_muls, OP_bics, OP_mvns};
    return (decoded){.op = ops[bits(h, 9, 6)], .a = bits(h, 2, 0), .b = bits(h, 5, 3)};
}

/* A5.2.3: high registers, branch and exchange. Reads of the PC give pc + 4 and are folded
 * into an immediate. */
static decoded special_data(uint32_t h, uint32_t pc)
{
    uint32_t rd = bits(h, 7, 7) << 3 | bits(h, 2, 0), rm = bits(h, 6, 3);
    switch (bits(h, 9, 8)) {
    case 0: /* ADD */
        if (rd == 15) {
            return rm == 15 ? UNPREDICTABLE : D(add_pc_reg, .b = rm);
        }
        if (rd == 13) {
            return rm == 15 ? D(add_sp_imm, .imm = pc + 4) : D(add_sp_reg, .b = rm);
        }
        return rm == 15 ? D(add_imm, .a = rd, .imm = pc + 4) : D(add_high, .a = rd, .b = rm);
    case 1: /* CMP */
        return (rd < 8 && rm < 8) || rd == 15 || rm == 15 ? UNPREDICTABLE
                                                          : D(cmp, .a = rd, .b = rm);
    case 2: /* MOV */
        if (rd == 15) {
            return rm == 15 ? D(b, .imm = pc + 4) : D(mov_pc_reg, .b = rm);
        }
        if (rd == 13) {
            return rm == 15 ? UNPREDICTABLE : D(mov_sp_reg, .b = rm);
        }
        return rm == 15 ? D(mov_imm, .a = rd, .imm = pc + 4) : D(mov_high, .a = rd, .b = rm);
    default: /* BX, BLX */
        if (rm == 15 || bits(h, 2, 0) != 0) {
            return UNPREDICTABLE;
        }
        return bits(h, 7, 7) != 0 ? D(blx, .b = rm) : D(bx, .b = rm);
    }
}

#define DECODED decoded
#include "arm_loads.inc"

/* LDR literal: flash cannot change during a run, so a literal there is read once, here. */
static decoded load_literal(const ecs_region *region, uint32_t h, uint32_t pc)
{
    uint32_t address = (pc & ~3u) + 4 + bits(h, 7, 0) * 4, offset = address - region->start;
    if (region->kind == ECSIM_FLASH && offset < region->size) {
        uint32_t value;
        memcpy(&value, region->bytes + offset, sizeof value);
        return D(ldr_flash, .a = bits(h, 10, 8), .c = bits(h, 7, 0), .imm = value);
    }
    return D(ldr_literal, .a = bits(h, 10, 8), .imm = address);
}

static decoded hint(uint32_t h)
{
    if (bits(h, 3, 0) != 0) {
        return UNDEFINED; /* IT in ARMv7-M */
    }
    switch (bits(h, 7, 4)) {
    case 2: /* WFE */
    case 3: /* WFI */ return D(wait, .a = 0);
    default: /* NOP, YIELD, SEV; the others execute as NOP (A5.2.5) */ return D(nop, .a = 0);
    }
}

/* A5.2.5: miscellaneous 16-bit instructions. */
static decoded miscellaneous(uint32_t h)
{
    static const uint8_t extend[4] = {OP_sxth, OP_sxtb, OP_uxth, OP_uxtb};
    static const uint8_t reverse[4] = {OP_rev, OP_rev16, OP_undefined, OP_revsh};
    uint32_t rd = bits(h, 2, 0), rm = bits(h, 5, 3), list = bits(h, 7, 0);
    switch (bits(h, 11, 8)) {
    case 0x0:
        return D(add_sp_imm,
                 .imm = bits(h, 7, 7) != 0 ? 0u - bits(h, 6, 0) * 4 : bits(h, 6, 0) * 4);
    case 0x2: return (decoded){.op = extend[bits(h, 7, 6)], .a = rd, .b = rm};
    case 0x4:
    case 0x5:
        list |= bits(h, 8, 8) << 14;
        return list == 0 ? UNPREDICTABLE
                         : D(push, .a = count(list), .imm = list, .registers = count(list));
    case 0x6:
        if (bits(h, 7, 5) != 3) {
            return UNDEFINED;
        }
        return bits(h, 3, 0) != 2 ? UNPREDICTABLE : D(cps, .a = bits(h, 4, 4));
    case 0xA: return (decoded){.op = reverse[bits(h, 7, 6)], .a = rd, .b = rm};
    case 0xC:
        return list == 0 ? UNPREDICTABLE
                         : D(pop, .a = count(list), .imm = list, .registers = count(list));
    case 0xD: return D(pop_pc, .a = count(list) + 1, .imm = list, .registers = count(list) + 1);
    case 0xE: return D(bkpt, .imm = list);
    case 0xF: return hint(h);
    default: return UNDEFINED;
    }
}

static decoded multiple(uint32_t h)
{
    uint32_t rn = bits(h, 10, 8), list = bits(h, 7, 0), n = count(list);
    bool in_list = (list >> rn & 1) != 0;
    if (list == 0) {
        return UNPREDICTABLE;
    }
    if (bits(h, 11, 11) != 0) {
        return D(ldm, .a = n, .b = rn, .c = !in_list, .imm = list, .registers = n);
    }
    if (in_list && (list & ((1u << rn) - 1)) != 0) {
        /* the value stored for the base is UNKNOWN unless it is the lowest register */
        return UNPREDICTABLE;
    }
    return D(stm, .a = n, .b = rn, .c = 1, .imm = list, .registers = n);
}

static decoded conditional(uint32_t h, uint32_t pc)
{
    uint32_t condition = bits(h, 11, 8);
    if (condition == 14) {
        return UNDEFINED; /* UDF */
    }
    if (condition == 15) {
        return D(svc, .imm = bits(h, 7, 0));
    }
    return (decoded){.op = OP_beq + condition, .imm = pc + 4 + sign(bits(h, 7, 0), 8) * 2};
}

static decoded decode16(const ecs_region *region, uint32_t h, uint32_t pc)
{
    switch (bits(h, 15, 12)) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3: return shift_add_move_compare(h);
    case 0x4:
        if (bits(h, 11, 11) != 0) {
            return load_literal(region, h, pc);
        }
        return bits(h, 10, 10) != 0 ? special_data(h, pc) : data_processing(h);
    case 0x5: return load_store_register(h);
    case 0x6:
    case 0x7:
    case 0x8:
    case 0x9: return load_store_immediate(h);
    case 0xA:
        if (bits(h, 11, 11) != 0) {
            return D(adr_sp, .a = bits(h, 10, 8), .imm = bits(h, 7, 0) * 4);
        }
        return D(mov_imm, .a = bits(h, 10, 8), .imm = (pc & ~3u) + 4 + bits(h, 7, 0) * 4);
    case 0xB: return miscellaneous(h);
    case 0xC: return multiple(h);
    case 0xD: return conditional(h, pc);
    default: /* 0xE: B; the 32-bit encodings of 0xE8.. and 0xF do not come here */
        return D(b, .imm = pc + 4 + sign(bits(h, 10, 0), 11) * 2);
    }
}

/* MRS and MSR: the SYSm values of B5.2.2 that this profile has. */
static bool known_special(uint32_t sysm)
{
    return sysm <= 3 || (sysm >= 5 && sysm <= 9) || sysm == 16 || sysm == 20;
}

/* A5.3: 32-bit instructions: BL, MSR, MRS, the barriers and UDF. */
static decoded decode32(uint32_t h1, uint32_t h2, uint32_t pc)
{
    if (bits(h1, 15, 11) != 0x1E || bits(h2, 15, 15) == 0) {
        return UNDEFINED;
    }
    if (bits(h2, 14, 14) != 0 && bits(h2, 12, 12) != 0) { /* BL */
        uint32_t s = bits(h1, 10, 10), i1 = 1 ^ bits(h2, 13, 13) ^ s, i2 = 1 ^ bits(h2, 11, 11) ^ s;
        uint32_t offset =
            s << 24 | i1 << 23 | i2 << 22 | bits(h1, 9, 0) << 12 | bits(h2, 10, 0) << 1;
        return D(bl, .imm = pc + 4 + sign(offset, 25));
    }
    if (bits(h2, 14, 14) != 0 || bits(h2, 12, 12) != 0) {
        return UNDEFINED;
    }
    uint32_t rd = bits(h2, 11, 8), rn = bits(h1, 3, 0), sysm = bits(h2, 7, 0);
    switch (bits(h1, 10, 4)) {
    case 0x38:
    case 0x39: /* MSR */
        if (h1 >> 4 != 0xF38 || bits(h2, 13, 13) != 0 || rd != 8 || rn == 13 || rn == 15 ||
            !known_special(sysm)) {
            return UNPREDICTABLE;
        }
        return D(msr, .b = rn, .imm = sysm);
    case 0x3B: /* DSB, DMB, ISB */
        if (bits(h2, 7, 4) < 4 || bits(h2, 7, 4) > 6) {
            return UNDEFINED;
        }
        return h1 != 0xF3BF || h2 >> 8 != 0x8F ? UNPREDICTABLE : D(barrier, .a = 0);
    case 0x3E:
    case 0x3F: /* MRS */
        if (h1 != 0xF3EF || bits(h2, 13, 13) != 0 || rd == 13 || rd == 15 || !known_special(sysm)) {
            return UNPREDICTABLE;
        }
        return D(mrs, .a = rd, .imm = sysm);
    default: /* among them UDF, 0xF7Fx 0xAxxx */ return UNDEFINED;
    }
}

void armv6m_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry)
{
    uint32_t offset = pc - region->start;
    uint16_t h[2] = {0, 0};
    memcpy(h, region->bytes + offset, region->size - offset >= 4 ? 4 : 2);
    decoded d;
    if (h[0] < 0xE800) {
        d = decode16(region, h[0], pc);
    } else if (region->size - offset < 4) {
        d = (decoded){.op = OP_outside};
    } else {
        d = decode32(h[0], h[1], pc);
    }
    uint32_t row = armv6m_op_row[d.op];
    if (row == ROW_branch_not_taken) {
        d.a = m->cost[ROW_branch_taken].cycles - m->cost[ROW_branch_not_taken].cycles;
    }
    *entry =
        (ecs_entry){.step = ECS_STEP(m->cost[row].cycles + m->cost[row].per_register * d.registers),
                    .op = (uint8_t)d.op,
                    .a = (uint8_t)d.a,
                    .b = (uint8_t)d.b,
                    .c = (uint8_t)d.c,
                    .imm = d.imm};
}
