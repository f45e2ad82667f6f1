/*
 * ARMv7-M decoder, 32-bit instructions: Arm DDI 0403 (ARMv7-M Architecture Reference Manual), A5.3.
 * Here the branches and system instructions, and the way to the other groups.
 *
 * What the manual calls UNPREDICTABLE decodes to a fault of that name. The DSP extension's
 * instructions are decoded on every core; on one that has not got them they are undefined, by name.
 */
#include "armv7m_bits.h"

/* MRS and MSR: the SYSm values of B5.1.1. */
static bool known_special(uint32_t sysm)
{
    return sysm <= 3 || (sysm >= 5 && sysm <= 9) || (sysm >= 16 && sysm <= 20);
}

static armv7m_entry move_to_special(const armv7m_site *at)
{
    uint32_t sysm = bits(at->h2, 7, 0), mask = bits(at->h2, 11, 10);
    bool flags = sysm <= 3;
    if (high(RN(at)) || !known_special(sysm) || bit(at->h1, 4) || bit(at->h2, 13) ||
        bits(at->h2, 9, 8) != 0 || mask == 0 || (mask != 2 && !flags)) {
        return UNPREDICTABLE;
    }
    if ((mask & 1) != 0 && (at->features & ARMV7M_DSP) == 0) {
        return UNPREDICTABLE; /* there are no GE flags */
    }
    return D(msr, .a = (uint8_t)mask, .b = RN(at), .imm = sysm);
}

static armv7m_entry move_from_special(const armv7m_site *at)
{
    uint32_t sysm = bits(at->h2, 7, 0);
    if (high(RD(at)) || !known_special(sysm) || bits(at->h1, 4, 0) != 0xF || bit(at->h2, 13)) {
        return UNPREDICTABLE;
    }
    return D(mrs, .a = RD(at), .imm = sysm);
}

static armv7m_entry hint(const armv7m_site *at)
{
    if (bits(at->h1, 3, 0) != 15 || bit(at->h2, 13) || bit(at->h2, 11)) {
        return UNPREDICTABLE;
    }
    if (bits(at->h2, 10, 8) != 0) {
        return UNDEFINED;
    }
    switch (bits(at->h2, 7, 0)) {
    case 2:
    case 3: return D(wait, .a = 0);
    default: return D(nop, .a = 0);
    }
}

static armv7m_entry control(const armv7m_site *at)
{
    uint32_t option = bits(at->h2, 7, 4);
    if (option != 2 && (option < 4 || option > 6)) {
        return UNDEFINED;
    }
    if (bits(at->h1, 3, 0) != 15 || bit(at->h2, 13) || bits(at->h2, 11, 8) != 15 ||
        (option == 2 && bits(at->h2, 3, 0) != 15)) {
        return UNPREDICTABLE;
    }
    return (armv7m_entry){.op = option == 2 ? OP_clrex : option == 6 ? OP_isb : OP_barrier};
}

/* A5.3.4: branches and miscellaneous control. */
static armv7m_entry branches_control(const armv7m_site *at)
{
    uint32_t s = bits(at->h1, 10, 10), j1 = bits(at->h2, 13, 13), j2 = bits(at->h2, 11, 11);
    uint32_t low = bits(at->h2, 10, 0) << 1;
    if (bit(at->h2, 12)) { /* B, BL */
        uint32_t i1 = 1 ^ j1 ^ s, i2 = 1 ^ j2 ^ s;
        uint32_t target =
            at->pc + 4 + sign(s << 24 | i1 << 23 | i2 << 22 | bits(at->h1, 9, 0) << 12 | low, 25);
        if (inside(at)) {
            return UNPREDICTABLE;
        }
        return bit(at->h2, 14) ? D(bl, .imm = target) : D(b, .imm = target);
    }
    if (bit(at->h2, 14)) {
        return UNDEFINED;
    }
    if (bits(at->h1, 9, 7) != 7) { /* B<cond> */
        if (at->in_it) {
            return UNPREDICTABLE;
        }
        uint32_t offset = s << 20 | j2 << 19 | j1 << 18 | bits(at->h1, 5, 0) << 12 | low;
        return (armv7m_entry){.op = (uint8_t)(OP_beq + bits(at->h1, 9, 6)),
                              .imm = at->pc + 4 + sign(offset, 21)};
    }
    switch (bits(at->h1, 10, 4)) {
    case 0x38:
    case 0x39: return move_to_special(at);
    case 0x3A: return hint(at);
    case 0x3B: return control(at);
    case 0x3E:
    case 0x3F: return move_from_special(at);
    default: return UNDEFINED;
    }
}

/* A5.3: by the bits above. */
armv7m_entry armv7m_wide(const armv7m_site *at)
{
    uint32_t h = at->h1;
    switch (bits(h, 12, 11)) {
    case 1:
        if (bit(h, 10)) {
            return armv7m_fp(at);
        }
        if (bit(h, 9)) {
            return armv7m_shifted_register(at);
        }
        return bit(h, 6) ? armv7m_dual_exclusive_table(at) : armv7m_multiple(at);
    case 2:
        if (bit(at->h2, 15)) {
            return branches_control(at);
        }
        return bit(h, 9) ? armv7m_plain_immediate(at) : armv7m_modified_immediate(at);
    default:
        if (bit(h, 10)) {
            return armv7m_fp(at);
        }
        if (!bit(h, 9)) {
            return armv7m_single(at);
        }
        if (!bit(h, 8)) {
            return armv7m_data_register(at);
        }
        return bit(h, 7) ? armv7m_multiply_long(at) : armv7m_multiply(at);
    }
}
