/*
 * ARMv7-M decoder, 32-bit data processing: Arm DDI 0403, A5.3.1, A5.3.3 and A5.3.11
 * to A5.3.15. See armv7m_wide.c.
 */
#include "armv7m_bits.h"

/* The operations of A5.3.1 and A5.3.11 by their code; 0 if there is none. */
typedef struct {
    uint8_t plain, flags, only_flags; /* with S and Rd = 15 */
} operation;

static const operation with_shift[16] = {
    [0x0] = {OP_and_shift, OP_ands_shift, OP_tst_shift},
    [0x1] = {OP_bic_shift, OP_bics_shift, 0},
    [0x2] = {OP_orr_shift, OP_orrs_shift, 0},
    [0x3] = {OP_orn_shift, OP_orns_shift, 0},
    [0x4] = {OP_eor_shift, OP_eors_shift, OP_teq_shift},
    [0x8] = {OP_add_shift, OP_adds_shift, OP_cmn_shift},
    [0xA] = {OP_adc_shift, OP_adcs_shift, 0},
    [0xB] = {OP_sbc_shift, OP_sbcs_shift, 0},
    [0xD] = {OP_sub_shift, OP_subs_shift, OP_cmp_shift},
    [0xE] = {OP_rsb_shift, OP_rsbs_shift, 0},
};

/* The same without a shift, if there is a separate operation for that. */
static const operation with_register[16] = {
    [0x0] = {OP_and_reg, OP_ands_reg, OP_tst_reg}, [0x1] = {OP_bic_reg, OP_bics_reg, 0},
    [0x2] = {OP_orr_reg, OP_orrs_reg, 0},          [0x4] = {OP_eor_reg, OP_eors_reg, OP_teq_reg},
    [0x8] = {OP_add_reg, OP_adds_reg, OP_cmn_reg}, [0xA] = {OP_adc_reg, OP_adcs_reg, 0},
    [0xB] = {OP_sbc_reg, OP_sbcs_reg, 0},          [0xD] = {OP_sub_reg, OP_subs_reg, OP_cmp_reg},
};

enum {
    CODE_AND = 0,
    CODE_ORR = 2,
    CODE_ORN = 3,
    CODE_EOR = 4,
    CODE_PKH = 6,
    CODE_ADD = 8,
    CODE_SUB = 13
};

typedef struct {
    uint8_t kind, amount;
} shift;

/* A7.4.2: DecodeImmShift. */
static shift decode_shift(uint32_t type, uint32_t amount)
{
    if (amount == 0 && type != SHIFT_LSL) {
        return type == SHIFT_ROR ? (shift){SHIFT_RRX, 1} : (shift){(uint8_t)type, 32};
    }
    return (shift){(uint8_t)type, (uint8_t)amount};
}

/* Rd and Rn of an operation that only ADD and SUB do on the stack pointer. */
static bool wrong_operands(uint32_t code, uint32_t rd, uint32_t rn, bool flags)
{
    bool sum = code == CODE_ADD || code == CODE_SUB, compares = flags && rd == PC_INDEX;
    bool tests = compares && (sum || code == CODE_AND || code == CODE_EOR);
    if (rn == PC_INDEX || (rn == SP && !sum)) {
        return true;
    }
    return (rd == PC_INDEX && !tests) || (rd == SP && !(sum && rn == SP));
}

/* MOV, MVN and the shifts by an immediate: ORR and ORN without a first operand. */
static armv7m_entry move_shifted(const armv7m_site *at, shift by)
{
    static const uint8_t shifts[2][5] = {
        {OP_lsl_imm, OP_lsr_imm, OP_asr_imm, OP_ror_imm, OP_rrx},
        {OP_lsls_imm, OP_lsrs_imm, OP_asrs_imm, OP_rors_imm, OP_rrxs}};
    bool flags = bit(at->h1, 4), invert = bits(at->h1, 8, 5) == CODE_ORN,
         whole = by.kind == SHIFT_LSL && by.amount == 0;
    uint8_t rd = RD(at), rm = RM(at);
    if (invert) {
        if (high(rd) || high(rm)) {
            return UNPREDICTABLE;
        }
        uint8_t op = whole   ? (flags ? OP_mvns_reg : OP_mvn_reg)
                     : flags ? OP_mvns_shift
                             : OP_mvn_shift;
        return (armv7m_entry){.op = op, .a = rd, .c = rm, .d = by.kind, .k = by.amount};
    }
    if (whole) {
        if (rd == PC_INDEX || rm == PC_INDEX || (rd == SP && rm == SP) ||
            (flags && (rd == SP || rm == SP))) {
            return UNPREDICTABLE;
        }
        return (armv7m_entry){.op = rd == SP ? OP_sp_mov
                                    : flags  ? OP_movs_reg
                                             : OP_mov_reg,
                              .a = rd,
                              .c = rm};
    }
    if (high(rd) || high(rm)) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){.op = shifts[flags][by.kind], .a = rd, .b = rm, .k = by.amount};
}

/* A5.3.11: data processing, shifted register. */
armv7m_entry armv7m_shifted_register(const armv7m_site *at)
{
    uint32_t code = bits(at->h1, 8, 5), type = bits(at->h2, 5, 4);
    uint32_t amount = bits(at->h2, 14, 12) << 2 | bits(at->h2, 7, 6);
    uint8_t rd = RD(at), rn = RN(at), rm = RM(at);
    bool flags = bit(at->h1, 4);
    if (code == CODE_PKH) {
        if (flags || bit(at->h2, 4)) {
            return UNDEFINED;
        }
        if (high(rd) || high(rn) || high(rm) || bit(at->h2, 15)) {
            return UNPREDICTABLE;
        }
        bool top = bit(at->h2, 5);
        return dsp(at, OP_dsp_imm, top ? EXTENSION_pkhtb : EXTENSION_pkhbt, rd, rn, rm,
                   decode_shift(type, amount).amount);
    }
    if (with_shift[code].plain == 0) {
        return UNDEFINED;
    }
    if (bit(at->h2, 15)) {
        return UNPREDICTABLE;
    }
    shift by = decode_shift(type, amount);
    if ((code == CODE_ORR || code == CODE_ORN) && rn == PC_INDEX) {
        return move_shifted(at, by);
    }
    bool only_flags = flags && rd == PC_INDEX;
    if (high(rm) || wrong_operands(code, rd, rn, flags)) {
        return UNPREDICTABLE;
    }
    if (rd == SP) { /* ADD or SUB of the stack pointer */
        static const uint8_t on_sp[2][2] = {{OP_sp_add_shift, OP_sp_adds_shift},
                                            {OP_sp_sub_shift, OP_sp_subs_shift}};
        if (by.kind != SHIFT_LSL || by.amount > 3) {
            return UNPREDICTABLE;
        }
        return (armv7m_entry){.op = on_sp[code == CODE_SUB][flags],
                              .a = rd,
                              .b = rn,
                              .c = rm,
                              .d = by.kind,
                              .k = by.amount};
    }
    operation choice = by.kind == SHIFT_LSL && by.amount == 0 && with_register[code].plain != 0
                           ? with_register[code]
                           : with_shift[code];
    uint8_t op = only_flags ? choice.only_flags : flags ? choice.flags : choice.plain;
    return (armv7m_entry){
        .op = op, .a = only_flags ? 0 : rd, .b = rn, .c = rm, .d = by.kind, .k = by.amount};
}

/* A5.3.2: ThumbExpandImm. False when the encoding is unpredictable. */
static bool expand_immediate(uint32_t imm12, uint32_t *value, bool *rotated)
{
    uint32_t byte = imm12 & 0xFF;
    *rotated = imm12 >> 10 != 0;
    if (*rotated) {
        uint32_t unrotated = 0x80 | (imm12 & 0x7F), by = imm12 >> 7;
        *value = unrotated >> by | unrotated << (32 - by);
        return true;
    }
    static const uint32_t repeated[4] = {0x1, 0x10001, 0x1000100, 0x1010101};
    *value = byte * repeated[imm12 >> 8];
    return imm12 >> 8 == 0 || byte != 0;
}

static const operation with_immediate[16] = {
    [0x0] = {OP_and_imm, OP_ands_imm, OP_tst_imm},
    [0x1] = {OP_and_imm, OP_ands_imm, 0}, /* BIC: of the complement */
    [0x2] = {OP_orr_imm, OP_orrs_imm, 0},
    [0x3] = {OP_orr_imm, OP_orrs_imm, 0}, /* ORN: likewise */
    [0x4] = {OP_eor_imm, OP_eors_imm, OP_teq_imm},
    [0x8] = {OP_add_imm, OP_adds_imm, OP_cmn_imm},
    [0xA] = {OP_adc_imm, OP_adcs_imm, 0},
    [0xB] = {OP_adc_imm, OP_adcs_imm, 0}, /* SBC: likewise */
    [0xD] = {OP_add_imm, OP_subs_imm, OP_cmp_imm},
    [0xE] = {OP_rsb_imm, OP_rsbs_imm, 0}, /* SUB: of the negative */
};

/* The logical operations when the immediate's rotation sets the carry. */
static uint8_t with_carry(uint8_t op)
{
    switch (op) {
    case OP_ands_imm: return OP_ands_carry;
    case OP_orrs_imm: return OP_orrs_carry;
    case OP_eors_imm: return OP_eors_carry;
    case OP_movs_imm: return OP_movs_carry;
    case OP_tst_imm: return OP_tst_carry;
    case OP_teq_imm: return OP_teq_carry;
    default: return op;
    }
}

/* A5.3.1: data processing, modified immediate. */
armv7m_entry armv7m_modified_immediate(const armv7m_site *at)
{
    enum { BIC = 1, SBC = 11 };
    uint32_t code = bits(at->h1, 8, 5), value;
    uint32_t imm12 = bits(at->h1, 10, 10) << 11 | bits(at->h2, 14, 12) << 8 | bits(at->h2, 7, 0);
    uint8_t rd = RD(at), rn = RN(at);
    bool flags = bit(at->h1, 4), rotated,
         move = (code == CODE_ORR || code == CODE_ORN) && rn == PC_INDEX;
    if (with_immediate[code].plain == 0) {
        return UNDEFINED;
    }
    if (!expand_immediate(imm12, &value, &rotated) ||
        (move ? high(rd) : wrong_operands(code, rd, rn, flags))) {
        return UNPREDICTABLE;
    }
    bool only_flags = flags && rd == PC_INDEX, carry = value >> 31 != 0;
    if (code == BIC || code == CODE_ORN || code == SBC) {
        value = ~value;
    }
    if (code == CODE_SUB && !flags) {
        value = 0u - value;
    }
    if (rd == SP) {
        uint8_t on_sp = !flags ? OP_sp_add_imm : code == CODE_SUB ? OP_sp_subs_imm : OP_sp_adds_imm;
        return (armv7m_entry){.op = on_sp, .a = rd, .b = rn, .imm = value};
    }
    operation choice = move ? (operation){OP_mov_imm, OP_movs_imm, 0} : with_immediate[code];
    uint8_t op = only_flags ? choice.only_flags : flags ? choice.flags : choice.plain;
    if (rotated && with_carry(op) != op) {
        return (armv7m_entry){.op = with_carry(op),
                              .a = (uint8_t)((only_flags ? 0 : rd) | carry << 4),
                              .b = rn,
                              .imm = value};
    }
    return (armv7m_entry){.op = op, .a = only_flags ? 0 : rd, .b = move ? 0 : rn, .imm = value};
}

/* SSAT, USAT, and their 16-bit forms, which have no shift. */
static armv7m_entry saturate(const armv7m_site *at)
{
    bool is_unsigned = bit(at->h1, 7), right = bit(at->h1, 5);
    uint32_t amount = bits(at->h2, 14, 12) << 2 | bits(at->h2, 7, 6),
             to = bits(at->h2, 4, 0) + !is_unsigned;
    uint8_t rd = RD(at), rn = RN(at);
    if (high(rd) || high(rn) || bit(at->h1, 10) || bit(at->h2, 5)) {
        return UNPREDICTABLE;
    }
    if (right && amount == 0) {
        if (bit(at->h2, 4)) {
            return UNPREDICTABLE;
        }
        return dsp(at, OP_dsp_imm, is_unsigned ? EXTENSION_usat16 : EXTENSION_ssat16, rd, rn, rn,
                   to);
    }
    return (armv7m_entry){.op = is_unsigned ? OP_usat : OP_ssat,
                          .a = rd,
                          .b = (uint8_t)to,
                          .c = rn,
                          .d = right ? SHIFT_ASR : SHIFT_LSL,
                          .k = (uint16_t)amount};
}

static armv7m_entry bit_field(const armv7m_site *at)
{
    uint32_t lowest = bits(at->h2, 14, 12) << 2 | bits(at->h2, 7, 6), end = bits(at->h2, 4, 0);
    uint8_t rd = RD(at), rn = RN(at);
    bool insert = bits(at->h1, 8, 4) == 0x16;
    if (high(rd) || rn == SP || bit(at->h1, 10) || bit(at->h2, 5)) {
        return UNPREDICTABLE;
    }
    if (insert) {
        if (end < lowest) {
            return UNPREDICTABLE;
        }
        uint32_t width = end - lowest + 1;
        if (rn == PC_INDEX) { /* BFC */
            return D(and_imm, .a = rd, .b = rd, .imm = ~((0xFFFFFFFFu >> (32 - width)) << lowest));
        }
        return D(bfi, .a = rd, .b = rn, .c = (uint8_t)lowest, .d = (uint8_t)width);
    }
    if (rn == PC_INDEX || lowest + end > 31) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){.op = bits(at->h1, 8, 4) == 0x14 ? OP_sbfx : OP_ubfx,
                          .a = rd,
                          .b = rn,
                          .c = (uint8_t)lowest,
                          .d = (uint8_t)(end + 1)};
}

/* ADDW and SUBW, with ADR and the forms of the stack pointer. */
static armv7m_entry add_wide(const armv7m_site *at, uint32_t imm12)
{
    uint8_t rd = RD(at), rn = RN(at);
    uint32_t value = bits(at->h1, 8, 4) == 0xA ? 0u - imm12 : imm12;
    if (rd == PC_INDEX || (rd == SP && rn != SP)) {
        return UNPREDICTABLE;
    }
    if (rn == PC_INDEX) {
        return D(mov_imm, .a = rd, .imm = word_pc(at) + value);
    }
    return (armv7m_entry){
        .op = rd == SP ? OP_sp_add_imm : OP_add_imm, .a = rd, .b = rn, .imm = value};
}

/* A5.3.3: data processing, plain binary immediate. */
armv7m_entry armv7m_plain_immediate(const armv7m_site *at)
{
    uint32_t imm12 = bits(at->h1, 10, 10) << 11 | bits(at->h2, 14, 12) << 8 | bits(at->h2, 7, 0);
    uint32_t imm16 = bits(at->h1, 3, 0) << 12 | imm12;
    uint8_t rd = RD(at);
    switch (bits(at->h1, 8, 4)) {
    case 0x00:
    case 0x0A: return add_wide(at, imm12);
    case 0x04: return high(rd) ? UNPREDICTABLE : D(mov_imm, .a = rd, .imm = imm16);
    case 0x0C: return high(rd) ? UNPREDICTABLE : D(movt, .a = rd, .imm = imm16 << 16);
    case 0x10:
    case 0x12:
    case 0x18:
    case 0x1A: return saturate(at);
    case 0x14:
    case 0x16:
    case 0x1C: return bit_field(at);
    default: return UNDEFINED;
    }
}

/* Extensions: with rotation, with an addend, of two halfwords. */
static armv7m_entry extend(const armv7m_site *at)
{
    static const uint8_t alone[6] = {OP_sxth, OP_uxth, 0, 0, OP_sxtb, OP_uxtb};
    static const uint8_t rotated[6] = {OP_sxth_ror, OP_uxth_ror, 0, 0, OP_sxtb_ror, OP_uxtb_ror};
    static const uint8_t added[6] = {EXTENSION_sxtah,   EXTENSION_uxtah, EXTENSION_sxtab16,
                                     EXTENSION_uxtab16, EXTENSION_sxtab, EXTENSION_uxtab};
    uint32_t kind = bits(at->h1, 6, 4), rotation = bits(at->h2, 5, 4) * 8;
    uint8_t rd = RD(at), rn = RN(at), rm = RM(at);
    if (kind > 5) {
        return UNDEFINED;
    }
    if (high(rd) || high(rm) || rn == SP || bit(at->h2, 6)) {
        return UNPREDICTABLE;
    }
    if (rn != PC_INDEX) {
        return dsp(at, OP_dsp_imm, added[kind], rd, rn, rm, rotation);
    }
    if (alone[kind] == 0) {
        return dsp(at, OP_dsp_imm, kind == 2 ? EXTENSION_sxtb16 : EXTENSION_uxtb16, rd, rm, rm,
                   rotation);
    }
    return (armv7m_entry){.op = rotation == 0 ? alone[kind] : rotated[kind],
                          .a = rd,
                          .c = rm,
                          .d = (uint8_t)rotation};
}

/* A5.3.17, A5.3.18: reversals, CLZ, and the DSP extension's QADD, SEL. */
static armv7m_entry register_miscellaneous(const armv7m_site *at)
{
    static const uint8_t saturating[4] = {EXTENSION_qadd, EXTENSION_qdadd, EXTENSION_qsub,
                                          EXTENSION_qdsub};
    static const uint8_t reverse[4] = {OP_rev, OP_rev16, OP_rbit, OP_revsh};
    uint32_t kind = bits(at->h2, 5, 4);
    uint8_t rd = RD(at), rn = RN(at), rm = RM(at);
    bool wrong = high(rd) || high(rn) || high(rm);
    switch (bits(at->h1, 5, 4)) {
    case 0: return wrong ? UNPREDICTABLE : dsp(at, OP_dsp, saturating[kind], rd, rn, rm, rn);
    case 1:
        return wrong || rn != rm ? UNPREDICTABLE
                                 : (armv7m_entry){.op = reverse[kind], .a = rd, .c = rm};
    case 2:
        if (kind != 0) {
            return UNDEFINED;
        }
        return wrong ? UNPREDICTABLE : dsp(at, OP_dsp, EXTENSION_sel, rd, rn, rm, rn);
    default:
        if (kind != 0) {
            return UNDEFINED;
        }
        return wrong || rn != rm ? UNPREDICTABLE : D(clz, .a = rd, .c = rm);
    }
}

static armv7m_entry parallel(const armv7m_site *at)
{
    uint32_t operation_code = bits(at->h1, 6, 4), prefix = bits(at->h2, 6, 4);
    uint8_t rd = RD(at), rn = RN(at), rm = RM(at);
    if (operation_code == 3 || operation_code == 7 || (prefix & 3) == 3) {
        return UNDEFINED;
    }
    if (high(rd) || high(rn) || high(rm)) {
        return UNPREDICTABLE;
    }
    return dsp(at, OP_dsp, EXTENSION_sadd8 + operation_code * 8 + prefix, rd, rn, rm, rn);
}

/* A5.3.12: data processing, register. */
armv7m_entry armv7m_data_register(const armv7m_site *at)
{
    static const uint8_t by_register[2][4] = {{OP_lsl_reg, OP_lsr_reg, OP_asr_reg, OP_ror_reg},
                                              {OP_lsls_reg, OP_lsrs_reg, OP_asrs_reg, OP_rors_reg}};
    uint8_t rd = RD(at), rn = RN(at), rm = RM(at);
    if (RT(at) != 15) {
        return UNDEFINED;
    }
    if (!bit(at->h1, 7)) {
        if (bit(at->h2, 7)) {
            return extend(at);
        }
        if (bits(at->h2, 6, 4) != 0) {
            return UNDEFINED;
        }
        if (high(rd) || high(rn) || high(rm)) {
            return UNPREDICTABLE;
        }
        return (armv7m_entry){
            .op = by_register[bits(at->h1, 4, 4)][bits(at->h1, 6, 5)], .a = rd, .b = rn, .c = rm};
    }
    if (!bit(at->h2, 7)) {
        return parallel(at);
    }
    return bits(at->h2, 7, 6) == 2 && !bit(at->h1, 6) ? register_miscellaneous(at) : UNDEFINED;
}
