/* ARMv7-M decoder, 32-bit loads and stores: Arm DDI 0403, A5.3.5 to A5.3.10. See armv7m_wide.c. */
#include "armv7m_bits.h"

enum { BYTE, HALF, WORD, SIGNED_BYTE, SIGNED_HALF, KINDS };
enum { BY_IMM, BY_REG, BY_INDEX, BY_LITERAL, MODES };

static const uint8_t loads[KINDS][MODES] = {
    [BYTE] = {OP_ldrb_imm, OP_ldrb_reg, OP_ldrb_index, OP_ldrb_literal},
    [HALF] = {OP_ldrh_imm, OP_ldrh_reg, OP_ldrh_index, OP_ldrh_literal},
    [WORD] = {OP_ldr_imm, OP_ldr_reg, OP_ldr_index, OP_ldr_literal},
    [SIGNED_BYTE] = {OP_ldrsb_imm, OP_ldrsb_reg, OP_ldrsb_index, OP_ldrsb_literal},
    [SIGNED_HALF] = {OP_ldrsh_imm, OP_ldrsh_reg, OP_ldrsh_index, OP_ldrsh_literal},
};
static const uint8_t high_loads[MODES] = {OP_ldr_high_imm, OP_ldr_high_reg, OP_ldr_high_index,
                                          OP_ldr_high_literal};
static const uint8_t stores[3][3] = {
    [BYTE] = {OP_strb_imm, OP_strb_reg, OP_strb_index},
    [HALF] = {OP_strh_imm, OP_strh_reg, OP_strh_index},
    [WORD] = {OP_str_imm, OP_str_reg, OP_str_index},
};

/* The two halves of an indexed access: offset of the address, growth of the base. */
static uint32_t index_of(uint32_t offset, bool before)
{
    return (before ? offset << 16 : 0) | (offset & 0xFFFF);
}

/* A5.3.7 to A5.3.10: single loads and stores, also those that act as
   unprivileged, which is what they are here; and hints in the place of loads of the PC. */
armv7m_entry armv7m_single(const armv7m_site *at)
{
    bool load = bit(at->h1, 4), is_signed = bit(at->h1, 8), up = bit(at->h2, 9),
         index = bit(at->h2, 10);
    bool write_back = bit(at->h2, 8), unprivileged = false;
    uint32_t size = bits(at->h1, 6, 5), mode, imm = bits(at->h2, 11, 0);
    uint8_t rt = RT(at), rn = RN(at), rm = RM(at);
    armv7m_entry e = {.a = rt, .b = rn};
    if (size == 3 || (is_signed && (size == WORD || !load))) {
        return UNDEFINED;
    }
    if (rn == PC_INDEX) {
        if (!load) {
            return UNDEFINED;
        }
        mode = BY_LITERAL;
        e.b = 0;
        e.imm = word_pc(at) + (bit(at->h1, 7) ? imm : 0u - imm);
    } else if (bit(at->h1, 7)) {
        mode = BY_IMM;
        e.imm = imm;
    } else if (bit(at->h2, 11)) {
        uint32_t offset = up ? imm & 0xFF : 0u - (imm & 0xFF);
        if (!index && !write_back) {
            return UNDEFINED;
        }
        if (write_back && rn == rt) {
            return UNPREDICTABLE;
        }
        unprivileged = index && up && !write_back;
        mode = write_back ? BY_INDEX : BY_IMM;
        e.imm = write_back ? index_of(offset, index) : offset;
    } else {
        if (bits(at->h2, 10, 6) != 0) {
            return UNDEFINED;
        }
        if (high(rm)) {
            return UNPREDICTABLE;
        }
        mode = BY_REG;
        e.c = rm;
        e.k = (uint16_t)bits(at->h2, 5, 4);
    }
    if (unprivileged && high(rt)) {
        return UNPREDICTABLE;
    }
    if (!load) {
        e.op = stores[size][mode];
        return rt == PC_INDEX || (rt == SP && size != WORD) ? UNPREDICTABLE : e;
    }
    if (size == WORD) {
        if (rt == PC_INDEX && inside(at)) {
            return UNPREDICTABLE;
        }
        if (mode == BY_LITERAL && !high(rt)) {
            return literal(at, rt, e.imm);
        }
        e.op = high(rt) ? high_loads[mode] : loads[size][mode];
        return e;
    }
    if (rt == PC_INDEX) { /* PLD, PLI, and hints that are not allocated */
        e.op = mode == BY_REG ? OP_pld_reg : mode == BY_IMM ? OP_pld_imm : OP_pld_literal;
        return mode == BY_INDEX ? UNPREDICTABLE : e;
    }
    e.op = loads[is_signed ? size + SIGNED_BYTE : size][mode];
    return rt == SP ? UNPREDICTABLE : e;
}

/* A5.3.5: load and store multiple. */
armv7m_entry armv7m_multiple(const armv7m_site *at)
{
    bool load = bit(at->h1, 4), write_back = bit(at->h1, 5), down = bits(at->h1, 8, 7) == 2;
    uint32_t list = at->h2, kind = bits(at->h1, 8, 7);
    uint8_t rn = RN(at), n = count(list);
    if (kind == 0 || kind == 3) {
        return UNDEFINED;
    }
    if (bit(list, SP) || n < 2 || rn == PC_INDEX || (write_back && bit(list, rn))) {
        return UNPREDICTABLE;
    }
    if (!load && bit(list, PC_INDEX)) {
        return UNPREDICTABLE;
    }
    if (load && bit(list, PC_INDEX) && (bit(list, LR) || inside(at))) {
        return UNPREDICTABLE;
    }
    armv7m_entry e = {.a = n, .b = rn, .k = (uint16_t)(list & 0x7FFF), .c = write_back, .d = down};
    bool to_pc = bit(list, PC_INDEX), stack = rn == SP && write_back && down == !load;
    if (stack) {
        e.op = to_pc ? OP_pop_pc : load ? OP_pop : OP_push;
    } else {
        e.op = to_pc ? OP_ldm_pc : load ? OP_ldm : OP_stm;
    }
    return e;
}

static armv7m_entry exclusive(const armv7m_site *at)
{
    bool load = bit(at->h1, 4);
    uint8_t rt = RT(at), rn = RN(at), rd = RD(at);
    bool wrong = high(rt) || rn == PC_INDEX || (load ? rd != 15 : high(rd) || rd == rn || rd == rt);
    if (wrong) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){.op = load ? OP_ldrex : OP_strex,
                          .a = rt,
                          .b = rn,
                          .c = load ? 0 : rd,
                          .k = (uint16_t)(bits(at->h2, 7, 0) * 4)};
}

/* LDREXB, LDREXH, STREXB, STREXH; here the status register is in the lowest bits. */
static armv7m_entry exclusive_part(const armv7m_site *at, bool half)
{
    bool load = bit(at->h1, 4);
    uint8_t rt = RT(at), rn = RN(at), rd = RM(at);
    bool wrong = high(rt) || rn == PC_INDEX || RD(at) != 15 ||
                 (load ? rd != 15 : high(rd) || rd == rn || rd == rt);
    if (wrong) {
        return UNPREDICTABLE;
    }
    uint8_t op = load ? (half ? OP_ldrexh : OP_ldrexb) : half ? OP_strexh : OP_strexb;
    return (armv7m_entry){.op = op, .a = rt, .b = rn, .c = load ? 0 : rd};
}

static armv7m_entry dual(const armv7m_site *at)
{
    bool load = bit(at->h1, 4), write_back = bit(at->h1, 5), up = bit(at->h1, 7),
         before = bit(at->h1, 8);
    uint8_t rt = RT(at), rt2 = RD(at), rn = RN(at);
    uint16_t offset = (uint16_t)(bits(at->h2, 7, 0) * 4);
    if (high(rt) || high(rt2) || (load && rt == rt2) || (write_back && (rn == rt || rn == rt2)) ||
        (rn == PC_INDEX && (!load || write_back))) {
        return UNPREDICTABLE;
    }
    armv7m_entry e = {
        .a = rt, .b = rn, .c = rt2, .k = up ? offset : (uint16_t)-offset, .d = before};
    if (write_back) {
        e.op = load ? OP_ldrd_index : OP_strd_index;
    } else {
        e.op = !load ? OP_strd : rn == PC_INDEX ? OP_ldrd_literal : OP_ldrd;
    }
    return e;
}

static armv7m_entry table_branch(const armv7m_site *at, bool half)
{
    uint8_t rn = RN(at), rm = RM(at);
    if (rn == SP || high(rm) || bits(at->h2, 15, 8) != 0xF0 || inside(at)) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){.op = half ? OP_tbh : OP_tbb, .b = rn, .c = rm};
}

/* A5.3.6: load and store dual, exclusive, table branch. */
armv7m_entry armv7m_dual_exclusive_table(const armv7m_site *at)
{
    bool load = bit(at->h1, 4), half = bit(at->h2, 4);
    if (bit(at->h1, 8) || bit(at->h1, 5)) {
        return dual(at);
    }
    if (!bit(at->h1, 7)) {
        return exclusive(at);
    }
    switch (bits(at->h2, 7, 4)) {
    case 0x0:
    case 0x1: return load ? table_branch(at, half) : UNDEFINED;
    case 0x4:
    case 0x5: return exclusive_part(at, half);
    default: return UNDEFINED;
    }
}
