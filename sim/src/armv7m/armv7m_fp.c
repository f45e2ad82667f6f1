/*
 * ARMv7-M decoder, floating point: Arm DDI 0403, A6. Moves, loads and stores are decoded;
 * arithmetic is not modelled and faults by the name of its class. The coprocessor access register
 * is not looked at: a core that has the extension has it enabled.
 */
#include "armv7m_bits.h"

/* A register number: Vx and the bit that completes it, single (Vx:bit) or double,
 * as the first of two singles. */
static uint8_t vector(uint32_t v, bool extra, bool is_double)
{
    return (uint8_t)(is_double ? (v | (uint32_t)extra << 4) * 2 : v << 1 | extra);
}

/* The function's entry on a core that has the extension. */
static armv7m_entry fp(const armv7m_site *at, uint32_t function, armv7m_entry entry)
{
    return (at->features & ARMV7M_FP) != 0 ? entry : D(missing, .imm = function);
}

static armv7m_entry arithmetic(const armv7m_site *at, uint32_t function)
{
    return fp(at, function, D(not_modelled, .imm = function));
}

/* A6.4.1: VFPExpandImm, single precision. */
static uint32_t expand(uint32_t imm8)
{
    uint32_t exponent = bit(imm8, 6) ? 0x7C : 0x80;
    return bits(imm8, 7, 7) << 31 | (exponent | bits(imm8, 5, 4)) << 23 | bits(imm8, 3, 0) << 19;
}

/* A6.4, opc1 = 1x11: VMOV, and what has one operand. */
static armv7m_entry other_data(const armv7m_site *at)
{
    uint32_t opc2 = bits(at->h1, 3, 0), opc3 = bits(at->h2, 7, 6);
    uint8_t vd = vector(RT(at), bit(at->h1, 6), false), vm = vector(RM(at), bit(at->h2, 5), false);
    bool is_double = bit(at->h2, 8);
    if (is_double && (opc2 <= 1 || opc2 == 4 || opc2 == 5 || (opc3 & 1) == 0)) {
        return arithmetic(at, EXTENSION_vdouble);
    }
    if ((opc3 & 1) == 0) {
        if (opc3 != 0 || bit(at->h2, 5)) {
            return UNPREDICTABLE;
        }
        return fp(at, EXTENSION_vmov,
                  D(vmov_imm, .a = vd, .imm = expand(opc2 << 4 | bits(at->h2, 3, 0))));
    }
    switch (opc2) {
    case 0:
        return opc3 == 1 ? fp(at, EXTENSION_vmov, D(vmov_reg, .a = vd, .c = vm))
                         : arithmetic(at, EXTENSION_vabs);
    case 1: return arithmetic(at, opc3 == 1 ? EXTENSION_vneg : EXTENSION_vsqrt);
    case 4:
    case 5: return arithmetic(at, EXTENSION_vcmp);
    case 6: return UNDEFINED;
    case 9: return UNDEFINED;
    default: return arithmetic(at, EXTENSION_vcvt);
    }
}

/* A6.4: data processing. */
static armv7m_entry data(const armv7m_site *at)
{
    bool second = bit(at->h2, 6);
    uint32_t opc1 = bits(at->h1, 7, 7) << 2 | bits(at->h1, 5, 4);
    if (opc1 == 7) {
        return other_data(at);
    }
    if (bit(at->h2, 8)) {
        return arithmetic(at, EXTENSION_vdouble);
    }
    switch (opc1) {
    case 0: return arithmetic(at, EXTENSION_vmla);
    case 1: return arithmetic(at, EXTENSION_vnmla);
    case 2: return arithmetic(at, second ? EXTENSION_vnmul : EXTENSION_vmul);
    case 3: return arithmetic(at, second ? EXTENSION_vsub : EXTENSION_vadd);
    case 4: return second ? UNDEFINED : arithmetic(at, EXTENSION_vdiv);
    case 5: return arithmetic(at, EXTENSION_vfnma);
    default: return arithmetic(at, EXTENSION_vfma);
    }
}

/* A6.5: VLDR, VSTR, VLDM, VSTM, of one kind of register. */
static armv7m_entry load_store(const armv7m_site *at)
{
    bool load = bit(at->h1, 4), is_double = bit(at->h2, 8), write_back = bit(at->h1, 5),
         up = bit(at->h1, 7);
    bool before = bit(at->h1, 8);
    uint32_t imm8 = bits(at->h2, 7, 0), rn = RN(at);
    armv7m_entry e = {
        .a = vector(RT(at), bit(at->h1, 6), is_double), .b = (uint8_t)rn, .d = is_double ? 2 : 1};
    if (is_double && bit(at->h1, 6)) {
        return UNPREDICTABLE; /* d16 to d31 */
    }
    if (before && !write_back) {
        if (rn == PC_INDEX && !load) {
            return UNPREDICTABLE;
        }
        e.k = (uint16_t)(up ? imm8 * 4 : 0u - imm8 * 4);
        e.op = load ? (is_double ? OP_vldr_double : OP_vldr) : is_double ? OP_vstr_double : OP_vstr;
        return fp(at, load ? EXTENSION_vldr : EXTENSION_vstr, e);
    }
    if (before == up) {
        return UNDEFINED;
    }
    if (imm8 == 0 || (is_double && (bit(imm8, 0) || imm8 > 32)) || e.a + imm8 > 32 ||
        rn == PC_INDEX) {
        return UNPREDICTABLE;
    }
    e.op = load ? OP_vldm : OP_vstm;
    e.d = (uint8_t)imm8;
    e.c = (uint8_t)(write_back | before << 1);
    return fp(at, load ? EXTENSION_vldm : EXTENSION_vstm, e);
}

/* A6.7: two core registers and two words of the extension. */
static armv7m_entry transfer_two(const armv7m_site *at)
{
    bool to_core = bit(at->h1, 4), is_double = bit(at->h2, 8);
    uint8_t rt = RT(at), rt2 = RN(at), vm = vector(RM(at), bit(at->h2, 5), is_double);
    if (bits(at->h2, 7, 6) != 0 || !bit(at->h2, 4)) {
        return UNDEFINED;
    }
    if (high(rt) || high(rt2) || vm >= 31 || (to_core && rt == rt2)) {
        return UNPREDICTABLE;
    }
    return fp(at, EXTENSION_vmov,
              (armv7m_entry){
                  .op = to_core ? OP_vmov_to_two : OP_vmov_from_two, .a = vm, .b = rt, .c = rt2});
}

/* A6.6: one core register and a word of the extension, or its status register. */
static armv7m_entry transfer_one(const armv7m_site *at)
{
    bool to_core = bit(at->h1, 4), scalar = bit(at->h2, 8);
    uint32_t opc = bits(at->h1, 7, 5);
    uint8_t rt = RT(at), vn;
    if (!scalar && opc == 7) { /* VMRS, VMSR of FPSCR */
        if (bits(at->h1, 3, 0) != 1 || rt == SP || (!to_core && rt == PC_INDEX) ||
            (at->h2 & 0xFF) != 0x10) {
            return UNPREDICTABLE;
        }
        return fp(at, to_core ? EXTENSION_vmrs : EXTENSION_vmsr,
                  (armv7m_entry){.op = to_core ? OP_vmrs : OP_vmsr, .a = rt});
    }
    if (scalar ? opc > 1 || bits(at->h2, 6, 5) != 0 : opc != 0) {
        return UNDEFINED;
    }
    vn = (uint8_t)(vector(RN(at), bit(at->h2, 7), scalar) + (scalar ? opc : 0));
    if (high(rt) || vn > 31 || bits(at->h2, 3, 0) != 0 || (!scalar && bits(at->h2, 6, 5) != 0)) {
        return UNPREDICTABLE;
    }
    if (to_core) {
        return fp(at, EXTENSION_vmov, D(vmov_to_core, .a = vn, .c = rt));
    }
    return fp(at, EXTENSION_vmov, D(vmov_from_core, .a = vn, .c = rt));
}

armv7m_entry armv7m_fp(const armv7m_site *at)
{
    if (bits(at->h2, 11, 9) != 5) {
        return UNDEFINED; /* another coprocessor */
    }
    if (bit(at->h1, 12)) {
        return bits(at->h1, 11, 8) == 14 ? arithmetic(at, EXTENSION_fpv5) : UNDEFINED;
    }
    if (bits(at->h1, 9, 8) == 2) {
        return bit(at->h2, 4) ? transfer_one(at) : data(at);
    }
    if (bits(at->h1, 9, 8) == 3) {
        return UNDEFINED;
    }
    if (bits(at->h1, 8, 5) == 2) { /* 1100 010x */
        return transfer_two(at);
    }
    return bits(at->h1, 8, 5) == 0 ? UNDEFINED : load_store(at);
}
