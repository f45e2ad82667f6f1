/*
 * ARMv7-M decoder, 16-bit instructions: Arm DDI 0403 (ARMv7-M Architecture Reference Manual), A5.2.
 *
 * In an IT block most of them do not set the flags. Encodings that the manual calls UNPREDICTABLE
 * decode to a fault of that name, as in ARMv6-M.
 */
#include "armv7m_bits.h"

/* The operation with or without flags: x_form and xs_form. */
#define FLAGS(at, stem, form) ((uint8_t)((at)->in_it ? OP_##stem##_##form : OP_##stem##s_##form))

/* A5.2.1: shift by immediate, add, subtract, move, compare. */
static armv7m_entry shift_add_move_compare(const armv7m_site *at)
{
    uint32_t h = at->h1, imm8 = bits(h, 7, 0);
    uint8_t rd = (uint8_t)bits(h, 2, 0), rn = (uint8_t)bits(h, 5, 3), rm = (uint8_t)bits(h, 8, 6);
    uint8_t rdn = (uint8_t)bits(h, 10, 8);
    uint16_t shift = (uint16_t)bits(h, 10, 6);
    switch (bits(h, 13, 11)) {
    case 0:
        if (shift == 0) {
            return at->in_it ? UNPREDICTABLE : D(movs_reg, .a = rd, .c = rn);
        }
        return (armv7m_entry){.op = FLAGS(at, lsl, imm), .a = rd, .b = rn, .k = shift};
    case 1:
        return (armv7m_entry){
            .op = FLAGS(at, lsr, imm), .a = rd, .b = rn, .k = shift == 0 ? 32 : shift};
    case 2:
        return (armv7m_entry){
            .op = FLAGS(at, asr, imm), .a = rd, .b = rn, .k = shift == 0 ? 32 : shift};
    case 3:
        switch (bits(h, 10, 9)) {
        case 0: return (armv7m_entry){.op = FLAGS(at, add, reg), .a = rd, .b = rn, .c = rm};
        case 1: return (armv7m_entry){.op = FLAGS(at, sub, reg), .a = rd, .b = rn, .c = rm};
        case 2: return (armv7m_entry){.op = FLAGS(at, add, imm), .a = rd, .b = rn, .imm = rm};
        default:
            return at->in_it ? D(add_imm, .a = rd, .b = rn, .imm = 0u - rm)
                             : D(subs_imm, .a = rd, .b = rn, .imm = rm);
        }
    case 4: return (armv7m_entry){.op = FLAGS(at, mov, imm), .a = rdn, .imm = imm8};
    case 5: return D(cmp_imm, .b = rdn, .imm = imm8);
    case 6: return (armv7m_entry){.op = FLAGS(at, add, imm), .a = rdn, .b = rdn, .imm = imm8};
    default:
        return at->in_it ? D(add_imm, .a = rdn, .b = rdn, .imm = 0u - imm8)
                         : D(subs_imm, .a = rdn, .b = rdn, .imm = imm8);
    }
}

/* A5.2.2: data processing on low registers. */
static armv7m_entry data_processing(const armv7m_site *at)
{
    static const uint8_t with_flags[16] = {OP_ands_reg, OP_eors_reg, OP_lsls_reg, OP_lsrs_reg,
                                           OP_asrs_reg, OP_adcs_reg, OP_sbcs_reg, OP_rors_reg,
                                           OP_tst_reg,  OP_rsbs_imm, OP_cmp_reg,  OP_cmn_reg,
                                           OP_orrs_reg, OP_muls,     OP_bics_reg, OP_mvns_reg};
    static const uint8_t without[16] = {OP_and_reg, OP_eor_reg, OP_lsl_reg, OP_lsr_reg,
                                        OP_asr_reg, OP_adc_reg, OP_sbc_reg, OP_ror_reg,
                                        OP_tst_reg, OP_rsb_imm, OP_cmp_reg, OP_cmn_reg,
                                        OP_orr_reg, OP_mul,     OP_bic_reg, OP_mvn_reg};
    uint32_t h = at->h1;
    uint8_t rdn = (uint8_t)bits(h, 2, 0), rm = (uint8_t)bits(h, 5, 3);
    uint8_t op = (at->in_it ? without : with_flags)[bits(h, 9, 6)];
    if (op == OP_rsbs_imm || op == OP_rsb_imm) {
        return (armv7m_entry){.op = op, .a = rdn, .b = rm, .imm = 0};
    }
    return (armv7m_entry){.op = op, .a = rdn, .b = rdn, .c = rm};
}

/* A5.2.3: high registers, branch and exchange. Reads of the PC give pc + 4 and are folded
 * into an immediate. */
static armv7m_entry special_data(const armv7m_site *at)
{
    uint32_t h = at->h1;
    uint8_t rd = (uint8_t)(bits(h, 7, 7) << 3 | bits(h, 2, 0)), rm = (uint8_t)bits(h, 6, 3);
    if (bits(h, 9, 8) != 1 && (bits(h, 9, 8) == 3 || rd == PC_INDEX) && inside(at)) {
        return UNPREDICTABLE;
    }
    switch (bits(h, 9, 8)) {
    case 0: /* ADD */
        if (rd == PC_INDEX) {
            return rm == PC_INDEX ? UNPREDICTABLE : D(add_pc, .c = rm);
        }
        if (rm == PC_INDEX) {
            return rd == SP ? D(sp_add_imm, .a = rd, .b = rd, .imm = at->pc + 4)
                            : D(add_imm, .a = rd, .b = rd, .imm = at->pc + 4);
        }
        return rd == SP ? D(sp_add_shift, .a = rd, .b = rd, .c = rm)
                        : D(add_reg, .a = rd, .b = rd, .c = rm);
    case 1: /* CMP */
        return (rd < 8 && rm < 8) || rd == PC_INDEX || rm == PC_INDEX
                   ? UNPREDICTABLE
                   : D(cmp_reg, .b = rd, .c = rm);
    case 2: /* MOV */
        if (rm == PC_INDEX) {
            if (rd == PC_INDEX) {
                return D(b, .imm = at->pc + 4);
            }
            return rd == SP ? UNPREDICTABLE : D(mov_imm, .a = rd, .imm = at->pc + 4);
        }
        if (rd == PC_INDEX) {
            return D(mov_pc, .c = rm);
        }
        return rd == SP ? D(sp_mov, .a = rd, .c = rm) : D(mov_reg, .a = rd, .c = rm);
    default: /* BX, BLX */
        if (rm == PC_INDEX || bits(h, 2, 0) != 0) {
            return UNPREDICTABLE;
        }
        return bit(h, 7) ? D(blx, .c = rm) : D(bx, .c = rm);
    }
}

#define DECODED armv7m_entry
#include "arm_loads.inc"

/* A5.2.5: hints, and IT (A7.3.2): the block's instructions learn of it from armv7m_decode. */
static armv7m_entry it_or_hint(const armv7m_site *at)
{
    uint32_t mask = bits(at->h1, 3, 0), first = bits(at->h1, 7, 4);
    if (mask != 0) {
        bool wrong = first == 15 || (first == ALWAYS && count(mask) != 1) || at->in_it;
        return wrong ? UNPREDICTABLE : D(it, .a = 0);
    }
    switch (first) {
    case 2: /* WFE */
    case 3: /* WFI */ return D(wait, .a = 0);
    default: /* NOP, YIELD, SEV; the others execute as NOP */ return D(nop, .a = 0);
    }
}

/* CPS: A only exists in other profiles; some of I and F. */
static armv7m_entry change_state(const armv7m_site *at)
{
    uint32_t h = at->h1;
    if (bits(h, 7, 5) != 3 || bit(h, 3) || bit(h, 2) || bits(h, 1, 0) == 0 || at->in_it) {
        return bits(h, 7, 5) != 3 ? UNDEFINED : UNPREDICTABLE;
    }
    return D(cps, .a = (uint8_t)bits(h, 4, 4), .b = (uint8_t)(bits(h, 1, 1) | bits(h, 0, 0) << 1));
}

static armv7m_entry compare_branch(const armv7m_site *at)
{
    uint32_t h = at->h1, target = at->pc + 4 + (bits(h, 9, 9) << 6 | bits(h, 7, 3) << 1);
    if (at->in_it) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){
        .op = bit(h, 11) ? OP_cbnz : OP_cbz, .b = (uint8_t)bits(h, 2, 0), .imm = target};
}

/* A5.2.5: miscellaneous 16-bit instructions. */
static armv7m_entry miscellaneous(const armv7m_site *at)
{
    static const uint8_t extend[4] = {OP_sxth, OP_sxtb, OP_uxth, OP_uxtb};
    static const uint8_t reverse[4] = {OP_rev, OP_rev16, OP_undefined, OP_revsh};
    uint32_t h = at->h1, list = bits(h, 7, 0);
    uint8_t rd = (uint8_t)bits(h, 2, 0), rm = (uint8_t)bits(h, 5, 3);
    switch (bits(h, 11, 8)) {
    case 0x0:
        return D(sp_add_imm, .a = SP, .b = SP,
                 .imm = bit(h, 7) ? 0u - bits(h, 6, 0) * 4 : bits(h, 6, 0) * 4);
    case 0x1:
    case 0x3:
    case 0x9:
    case 0xB: return compare_branch(at);
    case 0x2: return (armv7m_entry){.op = extend[bits(h, 7, 6)], .a = rd, .c = rm};
    case 0x4:
    case 0x5:
        list |= bits(h, 8, 8) << LR;
        return list == 0 ? UNPREDICTABLE : D(push, .a = count(list), .b = SP, .k = (uint16_t)list);
    case 0x6: return change_state(at);
    case 0xA: return (armv7m_entry){.op = reverse[bits(h, 7, 6)], .a = rd, .c = rm};
    case 0xC:
        return list == 0 ? UNPREDICTABLE : D(pop, .a = count(list), .b = SP, .k = (uint16_t)list);
    case 0xD:
        return inside(at)
                   ? UNPREDICTABLE
                   : D(pop_pc, .a = (uint8_t)(count(list) + 1), .b = SP, .k = (uint16_t)list);
    case 0xE: return D(bkpt, .imm = list);
    case 0xF: return it_or_hint(at);
    default: return UNDEFINED;
    }
}

static armv7m_entry multiple(uint32_t h)
{
    uint32_t list = bits(h, 7, 0);
    uint8_t rn = (uint8_t)bits(h, 10, 8), n = count(list);
    bool in_list = bit(list, rn);
    if (list == 0) {
        return UNPREDICTABLE;
    }
    if (bit(h, 11)) {
        return D(ldm, .a = n, .b = rn, .k = (uint16_t)list, .c = !in_list);
    }
    if (in_list && (list & ((1u << rn) - 1)) != 0) {
        /* the value stored for the base is UNKNOWN unless it is the lowest register */
        return UNPREDICTABLE;
    }
    return D(stm, .a = n, .b = rn, .k = (uint16_t)list, .c = 1);
}

static armv7m_entry conditional(const armv7m_site *at)
{
    uint32_t h = at->h1, condition = bits(h, 11, 8);
    if (condition == 14) {
        return UNDEFINED; /* UDF */
    }
    if (condition == 15) {
        return D(svc, .imm = bits(h, 7, 0));
    }
    if (at->in_it) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){.op = (uint8_t)(OP_beq + condition),
                          .imm = at->pc + 4 + sign(bits(h, 7, 0), 8) * 2};
}

armv7m_entry armv7m_narrow(const armv7m_site *at)
{
    uint32_t h = at->h1;
    switch (bits(h, 15, 12)) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3: return shift_add_move_compare(at);
    case 0x4:
        if (bit(h, 11)) {
            return literal(at, bits(h, 10, 8), word_pc(at) + bits(h, 7, 0) * 4);
        }
        return bit(h, 10) ? special_data(at) : data_processing(at);
    case 0x5: return load_store_register(h);
    case 0x6:
    case 0x7:
    case 0x8:
    case 0x9: return load_store_immediate(h);
    case 0xA:
        if (bit(h, 11)) {
            return D(add_imm, .a = (uint8_t)bits(h, 10, 8), .b = SP, .imm = bits(h, 7, 0) * 4);
        }
        return D(mov_imm, .a = (uint8_t)bits(h, 10, 8), .imm = word_pc(at) + bits(h, 7, 0) * 4);
    case 0xB: return miscellaneous(at);
    case 0xC: return multiple(h);
    case 0xD: return conditional(at);
    default: /* 0xE: B */
        return inside(at) ? UNPREDICTABLE : D(b, .imm = at->pc + 4 + sign(bits(h, 10, 0), 11) * 2);
    }
}
