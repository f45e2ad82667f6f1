/* ARMv7-M decoder, multiply and divide: Arm DDI 0403, A5.3.16 and A5.3.17. See armv7m_wide.c. */
#include "armv7m_bits.h"

/* A5.3.16: multiply, multiply and accumulate; Ra = 15 is the form without accumulation,
 * where there is one. */
armv7m_entry armv7m_multiply(const armv7m_site *at)
{
    static const uint8_t accumulating[8][4] = {
        [1] = {EXTENSION_smlabb, EXTENSION_smlabt, EXTENSION_smlatb, EXTENSION_smlatt},
        [2] = {EXTENSION_smlad, EXTENSION_smladx},
        [3] = {EXTENSION_smlawb, EXTENSION_smlawt},
        [4] = {EXTENSION_smlsd, EXTENSION_smlsdx},
        [5] = {EXTENSION_smmla, EXTENSION_smmlar},
        [6] = {EXTENSION_smmls, EXTENSION_smmlsr},
        [7] = {EXTENSION_usada8},
    };
    static const uint8_t alone[8][4] = {
        [1] = {EXTENSION_smulbb, EXTENSION_smulbt, EXTENSION_smultb, EXTENSION_smultt},
        [2] = {EXTENSION_smuad, EXTENSION_smuadx},
        [3] = {EXTENSION_smulwb, EXTENSION_smulwt},
        [4] = {EXTENSION_smusd, EXTENSION_smusdx},
        [5] = {EXTENSION_smmul, EXTENSION_smmulr},
        [7] = {EXTENSION_usad8},
    };
    static const uint8_t forms[8] = {2, 4, 2, 2, 2, 2, 2, 1};
    uint32_t kind = bits(at->h1, 6, 4), form = bits(at->h2, 5, 4);
    uint8_t rd = RD(at), rn = RN(at), rm = RM(at), ra = RT(at);
    if (bits(at->h2, 7, 6) != 0 || form >= forms[kind]) {
        return UNDEFINED;
    }
    if (high(rd) || high(rn) || high(rm) || ra == SP) {
        return UNPREDICTABLE;
    }
    if (kind == 0) {
        if (form == 1) {
            return ra == PC_INDEX ? UNPREDICTABLE : D(mls, .a = rd, .b = rn, .c = rm, .d = ra);
        }
        return ra == PC_INDEX ? D(mul, .a = rd, .b = rn, .c = rm)
                              : D(mla, .a = rd, .b = rn, .c = rm, .d = ra);
    }
    if (ra != PC_INDEX) {
        return dsp(at, OP_dsp, accumulating[kind][form], rd, rn, rm, ra);
    }
    return kind == 6 ? UNPREDICTABLE : dsp(at, OP_dsp, alone[kind][form], rd, rn, rm, rn);
}

/* A5.3.17: long multiply, divide. */
armv7m_entry armv7m_multiply_long(const armv7m_site *at)
{
    static const uint8_t halves[4] = {EXTENSION_smlalbb, EXTENSION_smlalbt, EXTENSION_smlaltb,
                                      EXTENSION_smlaltt};
    uint32_t kind = bits(at->h1, 6, 4), form = bits(at->h2, 7, 4), function = EXTENSION_COUNT;
    uint8_t low = RT(at), top = RD(at), rn = RN(at), rm = RM(at), op = 0;
    if ((kind == 1 || kind == 3) && form == 15) { /* SDIV, UDIV: Rd in the place of the high word */
        if (high(top) || high(rn) || high(rm) || low != 15) {
            return UNPREDICTABLE;
        }
        return (armv7m_entry){.op = kind == 1 ? OP_sdiv : OP_udiv, .a = top, .b = rn, .c = rm};
    }
    switch (kind << 4 | form) {
    case 0x00: op = OP_smull; break;
    case 0x20: op = OP_umull; break;
    case 0x40: op = OP_smlal; break;
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B: function = halves[form & 3]; break;
    case 0x4C: function = EXTENSION_smlald; break;
    case 0x4D: function = EXTENSION_smlaldx; break;
    case 0x5C: function = EXTENSION_smlsld; break;
    case 0x5D: function = EXTENSION_smlsldx; break;
    case 0x60: op = OP_umlal; break;
    case 0x66: function = EXTENSION_umaal; break;
    default: return UNDEFINED;
    }
    if (high(low) || high(top) || high(rn) || high(rm) || low == top) {
        return UNPREDICTABLE;
    }
    if (op != 0) {
        return (armv7m_entry){.op = op, .a = low, .b = rn, .c = rm, .d = top};
    }
    return dsp(at, function == EXTENSION_umaal ? OP_umaal : OP_dsp_long, function, low, rn, rm,
               top);
}
