/*
 * ARMv7-M: what each operation does to taint (taint.h), but for the flows of arm_flows.h.
 *
 * In an IT block: flow_conditional reports a secret condition where executing and skipping differ
 * in time or in their accesses, and leaves its labels in `under`; whether executed or skipped,
 * what the instruction writes then depends on them (armv7m_taint_under).
 * Memory that a store under a secret condition may write does not: it has been reported.
 */
#ifndef ECSIM_ARMV7M_TAINT_H
#define ECSIM_ARMV7M_TAINT_H

#include "armv7m.h"

#define FLOW_ENTRY armv7m_entry
#define SET(e) ((e)->k)
#include "arm_flows.h"

/* --- two operands and a result ---------------------------------------------------------------- */

static inline uint32_t armv7m_taint_rotated(uint32_t t, uint32_t by) /* 1..31 */
{
    return ecs_taint_right(t, by) | ecs_taint_left(t, 32 - by);
}

/* The second operand of a _shift, and the carry of its shifter. */
static inline uint32_t armv7m_taint_shifted(const ecs_taint *taint, const armv7m_entry *e)
{
    const uint32_t t = taint->r[e->c];
    switch (e->d) {
    case SHIFT_LSL: return ecs_taint_left(t, e->k);
    case SHIFT_LSR: return ecs_taint_right(t, e->k);
    case SHIFT_ASR: return ecs_taint_right_signed(t, e->k);
    case SHIFT_ROR: return armv7m_taint_rotated(t, e->k);
    default: return ecs_taint_right(t, 1) | taint->c << 24;
    }
}

static inline uint32_t armv7m_taint_carry(const ecs_taint *taint, const armv7m_entry *e)
{
    return e->d == SHIFT_LSL && e->k == 0 ? taint->c : ecs_taint_fold(taint->r[e->c]);
}

/* Each by the kind of the second operand, y; x is the first. */
#define OF_IMMEDIATE const uint32_t x = B
#define OF_REGISTER \
    const uint32_t x = B; \
    const uint32_t y = C
#define OF_SHIFTED \
    const uint32_t x UNUSED = B; \
    const uint32_t y = armv7m_taint_shifted(T, e)
#define SELF (e->b == e->c) /* of itself: zero, or a mask from the carry */

#define OF_TWO(name, operands, expression) \
    FLOW_OF(name) \
    { \
        operands; \
        (void)(expression); \
    }
/* A result; one that sets N and Z; with the carry of the shifter; N, Z, C and V;
 * those without a result. */
#define RESULT_NZ(t) (A = (t), T->nz = ecs_taint_fold(A))
#define FLAGS_OF(t) (T->nz = T->c = T->v = ecs_taint_fold(t))
#define VALUE(name, operands, t) OF_TWO(name, operands, A = (t))
#define VALUE_NZ(name, operands, t) OF_TWO(name, operands, RESULT_NZ(t))
#define VALUE_NZC(name, t) \
    OF_TWO(name, OF_SHIFTED; \
           const uint32_t carry = armv7m_taint_carry(T, e), (RESULT_NZ(t), T->c = carry))
#define VALUE_ALL(name, operands, t) OF_TWO(name, operands, (A = (t), FLAGS_OF(A)))
#define FLAGS_ALL(name, operands, t) OF_TWO(name, operands, FLAGS_OF(t))
#define SUM_OF(t) ecs_taint_upward(t)

VALUE(and_imm, OF_IMMEDIATE, e->imm <= 255 ? x & 255 : x)
VALUE(orr_imm, OF_IMMEDIATE, x)
VALUE(eor_imm, OF_IMMEDIATE, x)
VALUE(add_imm, OF_IMMEDIATE, SUM_OF(x))
VALUE(adc_imm, OF_IMMEDIATE, SUM_OF(x | T->c))
VALUE(rsb_imm, OF_IMMEDIATE, SUM_OF(x))
MOVES(mov_imm, A = 0)
VALUE_NZ(ands_imm, OF_IMMEDIATE, e->imm <= 255 ? x & 255 : x)
VALUE_NZ(orrs_imm, OF_IMMEDIATE, x)
VALUE_NZ(eors_imm, OF_IMMEDIATE, x)
VALUE_ALL(adds_imm, OF_IMMEDIATE, SUM_OF(x))
VALUE_ALL(adcs_imm, OF_IMMEDIATE, SUM_OF(x | T->c))
VALUE_ALL(subs_imm, OF_IMMEDIATE, SUM_OF(x))
VALUE_ALL(rsbs_imm, OF_IMMEDIATE, SUM_OF(x))
MOVES(movs_imm, RESULT_NZ(0))
#define WITH_CARRY(name, t) \
    MOVES(name, (T->r[e->a & 15] = (t), T->nz = ecs_taint_fold(T->r[e->a & 15]), T->c = 0))
WITH_CARRY(ands_carry, B)
WITH_CARRY(orrs_carry, B)
WITH_CARRY(eors_carry, B)
WITH_CARRY(movs_carry, 0)
#undef WITH_CARRY
MOVES(tst_carry, (T->nz = ecs_taint_fold(B), T->c = 0))
MOVES(teq_carry, (T->nz = ecs_taint_fold(B), T->c = 0))
MOVES(tst_imm, T->nz = ecs_taint_fold(B))
MOVES(teq_imm, T->nz = ecs_taint_fold(B))
FLAGS_ALL(cmp_imm, OF_IMMEDIATE, x)
FLAGS_ALL(cmn_imm, OF_IMMEDIATE, x)
MOVES(movt, A &= 0xFFFF)

VALUE(and_reg, OF_REGISTER, x | y)
VALUE(bic_reg, OF_REGISTER, x | y)
VALUE(orr_reg, OF_REGISTER, x | y)
VALUE(eor_reg, OF_REGISTER, SELF ? 0 : x | y)
VALUE(add_reg, OF_REGISTER, SUM_OF(x | y))
VALUE(adc_reg, OF_REGISTER, SUM_OF(x | y | T->c))
VALUE(sub_reg, OF_REGISTER, SELF ? 0 : SUM_OF(x | y))
VALUE(sbc_reg, OF_REGISTER, SUM_OF((SELF ? 0 : x | y) | T->c))
MOVES(mov_reg, A = C)
MOVES(mvn_reg, A = C)
VALUE_NZ(ands_reg, OF_REGISTER, x | y)
VALUE_NZ(bics_reg, OF_REGISTER, x | y)
VALUE_NZ(orrs_reg, OF_REGISTER, x | y)
VALUE_NZ(eors_reg, OF_REGISTER, SELF ? 0 : x | y)
VALUE_ALL(adds_reg, OF_REGISTER, SUM_OF(x | y))
VALUE_ALL(adcs_reg, OF_REGISTER, SUM_OF(x | y | T->c))
VALUE_ALL(subs_reg, OF_REGISTER, SELF ? 0 : SUM_OF(x | y))
VALUE_ALL(sbcs_reg, OF_REGISTER, SUM_OF((SELF ? 0 : x | y) | T->c))
MOVES(movs_reg, RESULT_NZ(C))
MOVES(mvns_reg, RESULT_NZ(C))
MOVES(tst_reg, T->nz = ecs_taint_fold(B | C))
MOVES(teq_reg, T->nz = ecs_taint_fold(B | C))
FLAGS_ALL(cmp_reg, OF_REGISTER, SELF ? 0 : x | y)
FLAGS_ALL(cmn_reg, OF_REGISTER, x | y)

VALUE(and_shift, OF_SHIFTED, x | y)
VALUE(bic_shift, OF_SHIFTED, x | y)
VALUE(orr_shift, OF_SHIFTED, x | y)
VALUE(orn_shift, OF_SHIFTED, x | y)
VALUE(eor_shift, OF_SHIFTED, x | y)
VALUE(add_shift, OF_SHIFTED, SUM_OF(x | y))
VALUE(adc_shift, OF_SHIFTED, SUM_OF(x | y | T->c))
VALUE(sub_shift, OF_SHIFTED, SUM_OF(x | y))
VALUE(sbc_shift, OF_SHIFTED, SUM_OF(x | y | T->c))
VALUE(rsb_shift, OF_SHIFTED, SUM_OF(x | y))
MOVES(mvn_shift, A = armv7m_taint_shifted(T, e))
VALUE_NZC(ands_shift, x | y)
VALUE_NZC(bics_shift, x | y)
VALUE_NZC(orrs_shift, x | y)
VALUE_NZC(orns_shift, x | y)
VALUE_NZC(eors_shift, x | y)
VALUE_ALL(adds_shift, OF_SHIFTED, SUM_OF(x | y))
VALUE_ALL(adcs_shift, OF_SHIFTED, SUM_OF(x | y | T->c))
VALUE_ALL(subs_shift, OF_SHIFTED, SUM_OF(x | y))
VALUE_ALL(sbcs_shift, OF_SHIFTED, SUM_OF(x | y | T->c))
VALUE_ALL(rsbs_shift, OF_SHIFTED, SUM_OF(x | y))
VALUE_NZC(mvns_shift, y)

FLOW_OF(tst_shift)
{
    T->nz = ecs_taint_fold(B | armv7m_taint_shifted(T, e));
    T->c = armv7m_taint_carry(T, e);
}
#define flow_teq_shift flow_tst_shift
FLAGS_ALL(cmp_shift, OF_SHIFTED, x | y)
FLAGS_ALL(cmn_shift, OF_SHIFTED, x | y)

/* --- shifts ----------------------------------------------------------------------------------- */

#define SHIFT_BY(name, t) \
    MOVES(name##_imm, A = (t)) \
    FLOW_OF(name##s_imm) \
    { \
        T->c = ecs_taint_fold(B); \
        A = (t); \
        T->nz = ecs_taint_fold(A); \
    } \
    FLOW_OF(name##_reg) \
    { \
        FOUND_SHIFT(C & 255); \
        A = ecs_taint_spread(B | C); \
    } \
    FLOW_OF(name##s_reg) /* by 0 the carry stays */ \
    { \
        FOUND_SHIFT(C & 255); \
        A = ecs_taint_spread(B | C); \
        T->nz = ecs_taint_fold(A); \
        T->c |= T->nz; \
    }
SHIFT_BY(lsl, ecs_taint_left(B, e->k))
SHIFT_BY(lsr, ecs_taint_right(B, e->k))
SHIFT_BY(asr, ecs_taint_right_signed(B, e->k))
SHIFT_BY(ror, armv7m_taint_rotated(B, e->k))
#undef SHIFT_BY

MOVES(rrx, A = ecs_taint_right(B, 1) | T->c << 24)
FLOW_OF(rrxs)
{
    const uint32_t carry = ecs_taint_fold(B & 255);
    A = ecs_taint_right(B, 1) | T->c << 24;
    T->nz = ecs_taint_fold(A);
    T->c = carry;
}

/* --- the stack pointer ------------------------------------------------------------------------ */

#define STACK_FLAGS(name, t) \
    MOVES(name, (T->r[SP] = ecs_taint_upward(t), T->nz = T->c = T->v = ecs_taint_fold(T->r[SP])))
MOVES(sp_add_imm, T->r[SP] = ecs_taint_upward(B))
MOVES(sp_add_shift, T->r[SP] = ecs_taint_spread(B | C))
MOVES(sp_sub_shift, T->r[SP] = ecs_taint_spread(B | C))
MOVES(sp_mov, T->r[SP] = C)
STACK_FLAGS(sp_adds_imm, B)
STACK_FLAGS(sp_subs_imm, B)
STACK_FLAGS(sp_adds_shift, ecs_taint_spread(B | C))
STACK_FLAGS(sp_subs_shift, ecs_taint_spread(B | C))
#undef STACK_FLAGS

/* --- fields, extensions, bits ----------------------------------------------------------------- */

#define LOW_BYTES(bits) \
    (UINT32_MAX >> (32 - (((bits) + 7u) & ~7u))) /* that hold so many bits, 1..32 */
#define ROTATED_C armv7m_taint_rotated(C, e->d)
MOVES(bfi, A |= ecs_taint_left(B, e->c))
MOVES(sbfx, A = ecs_taint_spread(ecs_taint_right(B, e->c) & LOW_BYTES(e->d)))
MOVES(ubfx, A = ecs_taint_right(B, e->c) & LOW_BYTES(e->d))
MOVES(ssat, (T->q |= ecs_taint_fold(C), A = ecs_taint_spread(C)))
MOVES(usat, (T->q |= ecs_taint_fold(C), A = ecs_taint_spread(C)))
MOVES(sxtb, A = ecs_taint_spread(C & 0xFF))
MOVES(sxth, A = (C & 0xFFFF) | ecs_taint_spread(C & 0xFF00))
MOVES(uxtb, A = C & 0xFF)
MOVES(uxth, A = C & 0xFFFF)
MOVES(sxtb_ror, A = ecs_taint_spread(ROTATED_C & 0xFF))
MOVES(sxth_ror, A = (ROTATED_C & 0xFFFF) | ecs_taint_spread(ROTATED_C & 0xFF00))
MOVES(uxtb_ror, A = ROTATED_C & 0xFF)
MOVES(uxth_ror, A = ROTATED_C & 0xFFFF)
MOVES(clz, A = ecs_taint_fold(C))
MOVES(rbit, A = __builtin_bswap32(C))
MOVES(rev, A = __builtin_bswap32(C))
MOVES(rev16, A = __builtin_bswap32(C) << 16 | __builtin_bswap32(C) >> 16)
MOVES(revsh, A = ecs_taint_spread(C & 0xFFFF))

/* --- multiply, divide, DSP -------------------------------------------------------------------- */

#define PRODUCT(name, row, operands, t) \
    FLOW_OF(name) \
    { \
        const uint32_t all = (operands); \
        FOUND_OPERAND(row, all); \
        A = (t); \
    }
/* Into two registers: low word a, high word d. */
#define PRODUCT_LONG(name, row, operands) \
    FLOW_OF(name) \
    { \
        const uint32_t all = (operands); \
        FOUND_OPERAND(row, all); \
        A = ecs_taint_upward(all); \
        D = ecs_taint_spread(all); \
    }
PRODUCT(mul, ROW_multiply, B | C, ecs_taint_upward(all))
PRODUCT(muls, ROW_multiply, B | C, (T->nz = ecs_taint_fold(all), ecs_taint_upward(all)))
PRODUCT(mla, ROW_multiply_accumulate, B | C | D, ecs_taint_upward(all))
PRODUCT(mls, ROW_multiply_accumulate, B | C | D, ecs_taint_upward(all))
PRODUCT_LONG(umull, ROW_multiply_long, B | C)
PRODUCT_LONG(smull, ROW_multiply_long, B | C)
PRODUCT_LONG(umlal, ROW_multiply_long_accumulate, A | B | C | D)
PRODUCT_LONG(smlal, ROW_multiply_long_accumulate, A | B | C | D)
PRODUCT_LONG(umaal, ROW_dsp, A | B | C | D)
PRODUCT(udiv, ROW_divide, B | C, ecs_taint_spread(all))
PRODUCT(sdiv, ROW_divide, B | C, ecs_taint_spread(all))
/* A sum of products of halves: its low byte depends on the low bytes of all halves. */
FLOW_OF(dsp_long)
{
    const uint32_t factors = B | C, all = A | factors | D;
    FOUND_OPERAND(ROW_dsp, all);
    A = ecs_taint_upward(A) | ecs_taint_spread(factors);
    D = ecs_taint_spread(all);
}

/* The GE flags are set by parallel operations, all four by those that neither saturate nor halve,
 * and read by SEL; what is not parallel may set Q. */
FLOW_OF(dsp)
{
    uint32_t all = B | C | D;
    if (e->k == EXTENSION_sel) {
        all = B | C | T->ge;
    } else if (e->k >= EXTENSION_sadd8 && e->k <= EXTENSION_none2_sax) {
        const uint32_t prefix = (e->k - EXTENSION_sadd8) & 7;
        all = B | C;
        if (prefix == 0 || prefix == EXTENSION_uadd8 - EXTENSION_sadd8) {
            T->ge = ecs_taint_fold(all);
        }
    } else {
        T->q |= ecs_taint_fold(all);
    }
    FOUND_OPERAND(ROW_dsp, all);
    A = ecs_taint_spread(all);
}
PRODUCT(dsp_imm, ROW_dsp, B | C, (T->q |= ecs_taint_fold(all), ecs_taint_spread(all)))

/* --- loads and stores ------------------------------------------------------------------------- */

static inline uint32_t armv7m_taint_half(uint32_t x)
{
    return (uint32_t)(int16_t)x;
}
#define HALF(x) armv7m_taint_half(x)

/* Sets and address, by the kind of address; an index changes the base. */
#define AT_IMM B, m->r[e->b] + e->imm
#define AT_REG B | C, m->r[e->b] + (m->r[e->c] << e->k)
#define AT_INDEX B, m->r[e->b] + HALF(e->imm >> 16)
#define AT_LITERAL 0, e->imm
#define AT_BASE B, m->r[e->b] + e->k
#define BASE_MOVES B = ecs_taint_upward(B)

#define LOAD_AT(name, size, extended, then, ...) \
    LOAD_FLOW(name, size, __VA_ARGS__, A, extended, then)
#define LOAD_FLOWS(name, size, extended) \
    LOAD_AT(name##_imm, size, extended, NO_MORE, AT_IMM) \
    LOAD_AT(name##_reg, size, extended, NO_MORE, AT_REG) \
    LOAD_AT(name##_index, size, extended, BASE_MOVES, AT_INDEX) \
    LOAD_AT(name##_literal, size, extended, NO_MORE, AT_LITERAL)
LOAD_FLOWS(ldr, 4, UNSIGNED)
LOAD_FLOWS(ldrb, 1, UNSIGNED)
LOAD_FLOWS(ldrh, 2, UNSIGNED)
LOAD_FLOWS(ldrsb, 1, SIGNED_8)
LOAD_FLOWS(ldrsh, 2, SIGNED_16)
MOVES(ldr_flash, A = 0)
LOAD_AT(ldrex, 4, UNSIGNED, NO_MORE, AT_BASE)
LOAD_AT(ldrexb, 1, UNSIGNED, NO_MORE, AT_BASE)
LOAD_AT(ldrexh, 2, UNSIGNED, NO_MORE, AT_BASE)

#define STORE_AT(name, size, then, ...) STORE_FLOW(name, size, __VA_ARGS__, A, then)
#define STORE_FLOWS(name, size) \
    STORE_AT(name##_imm, size, NO_MORE, AT_IMM) \
    STORE_AT(name##_reg, size, NO_MORE, AT_REG) \
    STORE_AT(name##_index, size, BASE_MOVES, AT_INDEX)
STORE_FLOWS(str, 4)
STORE_FLOWS(strb, 1)
STORE_FLOWS(strh, 2)
/* One that fails stores nothing, and goes to no address. That it does is public: it depends on the
   course alone. */
#define STORE_EXCLUSIVE_FLOW(name, size) \
    FLOW_OF(name) \
    { \
        if (m->exclusive) { \
            FOUND(ECSIM_SECRET_STORE_ADDRESS, B); \
            ecs_shadow_store(m, m->r[e->b] + e->k, size, A | ecs_taint_spread(B)); \
        } \
        C = 0; \
    }
STORE_EXCLUSIVE_FLOW(strex, 4)
STORE_EXCLUSIVE_FLOW(strexb, 1)
STORE_EXCLUSIVE_FLOW(strexh, 2)
#undef STORE_EXCLUSIVE_FLOW
NOTHING(clrex)

/* Into the stack pointer, or the program counter. */
static inline void armv7m_flow_high(ecsim *m, const armv7m_entry *e, uint32_t pc, uint32_t sets,
                                    uint32_t address)
{
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets);
    const uint32_t loaded = ecs_shadow_load(m, address, 4) | ecs_taint_spread(sets);
    if (e->a == SP) {
        T->r[SP] = loaded;
    } else {
        FOUND(ECSIM_SECRET_TARGET, loaded);
    }
}
#define HIGH_FLOW(name, ...) \
    FLOW_OF(name) \
    { \
        armv7m_flow_high(m, e, pc, __VA_ARGS__); \
    }
HIGH_FLOW(ldr_high_imm, AT_IMM)
HIGH_FLOW(ldr_high_reg, AT_REG)
HIGH_FLOW(ldr_high_index, AT_INDEX)
HIGH_FLOW(ldr_high_literal, AT_LITERAL)

#define TWO(name, transfer, sets, address) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets), also = ecs_taint_spread(sets_), at = (address); \
        transfer; \
    }
#define LOAD_TWO \
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets_); \
    A = ecs_shadow_load(m, at, 4) | also; \
    C = ecs_shadow_load(m, at + 4, 4) | also
#define STORE_TWO \
    FOUND(ECSIM_SECRET_STORE_ADDRESS, sets_); \
    ecs_shadow_store(m, at, 4, A | also); \
    ecs_shadow_store(m, at + 4, 4, C | also)
#define INDEXED m->r[e->b] + (e->d != 0 ? HALF(e->k) : 0u)
TWO(ldrd, LOAD_TWO, B, m->r[e->b] + HALF(e->k))
TWO(ldrd_index, LOAD_TWO, B, INDEXED)
TWO(ldrd_literal, LOAD_TWO, 0, (pc & ~3u) + 4 + HALF(e->k))
TWO(strd, STORE_TWO, B, m->r[e->b] + HALF(e->k))
TWO(strd_index, STORE_TWO, B, INDEXED)
#undef TWO
#undef LOAD_TWO
#undef STORE_TWO
#undef INDEXED

/* Multiple: what of the base comes out is as secret as what went in. */
#define SET_LOWEST (e->d != 0 ? m->r[e->b] - 4u * e->a : m->r[e->b])
FLOW_OF(ldm)
{
    const uint32_t base = B;
    arm_flow_load_set(m, pc, base, SET_LOWEST, SET(e));
    if (e->c != 0) {
        B = ecs_taint_upward(base);
    }
}

FLOW_OF(ldm_pc)
{
    const uint32_t base = B, last = arm_flow_load_set(m, pc, base, SET_LOWEST, SET(e));
    FOUND(ECSIM_SECRET_TARGET, ecs_shadow_load(m, last, 4) | base);
    if (e->c != 0) {
        B = ecs_taint_upward(base);
    }
}

FLOW_OF(stm)
{
    arm_flow_store_set(m, pc, B, SET_LOWEST, SET(e));
}
/* Nothing is loaded, but a cache and the bus see the address. */
DECIDES(pld_imm, ECSIM_SECRET_LOAD_ADDRESS, B)
DECIDES(pld_reg, ECSIM_SECRET_LOAD_ADDRESS, B | C)
NOTHING(pld_literal)

/* --- transfers of control --------------------------------------------------------------------- */

DECIDES(cbz, ECSIM_SECRET_BRANCH, B)
DECIDES(cbnz, ECSIM_SECRET_BRANCH, B)
DECIDES(bx, ECSIM_SECRET_TARGET, C)
DECIDES(mov_pc, ECSIM_SECRET_TARGET, C)
DECIDES(add_pc, ECSIM_SECRET_TARGET, C)

FLOW_OF(blx)
{
    FOUND(ECSIM_SECRET_TARGET, C);
    T->r[LR] = 0;
}

#define TABLE_FROM (e->b == PC_INDEX ? pc + 4 : m->r[e->b])
#define TABLE_BRANCH(name, size) \
    FLOW_OF(name) \
    { \
        const uint32_t sets = (e->b == PC_INDEX ? 0 : B) | C; \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets); \
        FOUND(ECSIM_SECRET_TARGET, \
              sets | ecs_shadow_load(m, TABLE_FROM + (size)*m->r[e->c], size)); \
    }
TABLE_BRANCH(tbb, 1)
TABLE_BRANCH(tbh, 2)

/* --- system ----------------------------------------------------------------------------------- */

/* SYSm 0..3 hold the flags. */
NOTHING(it)
MOVES(mrs, A = e->imm <= 3 ? (T->nz | T->c | T->v | T->q) << 24 | T->ge << 16
                           : arm_taint_special(T, e->imm))
FLOW_OF(msr)
{
    if (e->imm > 3) {
        arm_taint_set_special(T, e->imm, B);
        return;
    }
    if ((e->a & 2) != 0) {
        T->nz = T->c = T->v = T->q = B >> 24;
    }
    if ((e->a & 1) != 0) {
        T->ge = B >> 16 & 255;
    }
}
NOTHING(isb)
NOTHING(missing)
NOTHING(not_modelled)

/* --- floating-point registers ----------------------------------------------------------------- */

/* `lowest` address; nothing is known to be secret of the program counter. */
static inline void armv7m_taint_vector_load(ecsim *m, const armv7m_entry *e, uint32_t lowest,
                                            uint32_t base)
{
    for (uint32_t i = 0; i < e->d; i++) {
        T->s[e->a + i] = ecs_shadow_load(m, lowest + 4 * i, 4) | ecs_taint_spread(base);
    }
}

static inline void armv7m_taint_vector_store(ecsim *m, const armv7m_entry *e, uint32_t lowest,
                                             uint32_t base)
{
    for (uint32_t i = 0; i < e->d; i++) {
        ecs_shadow_store(m, lowest + 4 * i, 4, T->s[e->a + i] | ecs_taint_spread(base));
    }
}

#define VECTOR(name, kind, move, address) \
    FLOW_OF(name) \
    { \
        const uint32_t base = e->b == PC_INDEX ? 0 : B; \
        FOUND(kind, base); \
        armv7m_taint_vector_##move(m, e, (address), base); \
    }
#define VECTOR_AT (e->b == PC_INDEX ? (pc & ~3u) + 4 : m->r[e->b]) + HALF(e->k)
#define VECTOR_FROM ((e->c & 2) != 0 ? m->r[e->b] - 4u * e->d : m->r[e->b])
VECTOR(vldr, ECSIM_SECRET_LOAD_ADDRESS, load, VECTOR_AT)
VECTOR(vldr_double, ECSIM_SECRET_LOAD_ADDRESS, load, VECTOR_AT)
VECTOR(vstr, ECSIM_SECRET_STORE_ADDRESS, store, VECTOR_AT)
VECTOR(vstr_double, ECSIM_SECRET_STORE_ADDRESS, store, VECTOR_AT)
VECTOR(vldm, ECSIM_SECRET_LOAD_ADDRESS, load, VECTOR_FROM)
VECTOR(vstm, ECSIM_SECRET_STORE_ADDRESS, store, VECTOR_FROM)
MOVES(vmov_to_core, C = T->s[e->a])
MOVES(vmov_from_core, T->s[e->a] = C)
MOVES(vmov_to_two, (B = T->s[e->a], C = T->s[e->a + 1]))
MOVES(vmov_from_two, (T->s[e->a] = B, T->s[e->a + 1] = C))
MOVES(vmov_reg, T->s[e->a] = T->s[e->c])
MOVES(vmov_imm, T->s[e->a] = 0)
MOVES(vmsr, T->fpscr = ecs_taint_fold(A))
FLOW_OF(vmrs)
{
    if (e->a == PC_INDEX) {
        T->nz = T->c = T->v = T->fpscr;
    } else {
        A = T->fpscr * 0x01010101u;
    }
}

/* --- IT blocks -------------------------------------------------------------------------------- */

static const char armv7m_taint_roles[OP_COUNT][6] = {
#define OP(name, row, roles) [OP_##name] = roles,
#include "armv7m.def"
};

/* Is an instruction noticed when it is executed and not skipped: by its time,
 * an access, a transfer? (An IT behind it that folds does so either way.) */
static inline bool armv7m_taint_is_noticed(const ecsim *m, const armv7m_entry *e)
{
    const uint32_t row = armv7m_op_row[e->real];
    const uint32_t saved = (e->condition & FOLDS) != 0 ? m->cost[ROW_fold].cycles : 0;
    bool computes = row == ROW_alu || (row >= ROW_multiply && row <= ROW_dsp) || row == ROW_hint ||
                    row == ROW_fp_move;
    return !computes || e->cycles + saved != m->cost[ROW_skipped].cycles;
}

FLOW_OF(conditional)
{
    T->under = arm_taint_condition(T, e->condition & 15);
    if (T->under != 0 && armv7m_taint_is_noticed(m, e)) {
        ecs_taint_found(m, pc, ECSIM_SECRET_CONDITION, T->under);
    }
}

/* What an operation writes depends on the condition it stands under, executed or not. */
static inline void armv7m_taint_under(ecsim *m, const armv7m_entry *e, uint32_t op)
{
    const uint32_t under = T->under, field[4] = {e->a, e->b, e->c, e->d};
    const char *roles = armv7m_taint_roles[op];
    T->under = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (roles[i] != '\0' && strchr("wmMLW", roles[i]) != NULL) {
            T->r[field[i] & 15] |= under * 0x01010101u;
        }
    }
    if (roles[4] == 'F' || roles[4] == 'X') {
        T->nz |= under;
        T->c |= under;
        T->v |= under;
    }
    if (op == OP_ssat || op == OP_usat || armv7m_op_row[op] == ROW_dsp) {
        T->q |= under;
        T->ge |= under;
    }
    if (armv7m_op_row[op] == ROW_fp_move || armv7m_op_row[op] == ROW_fp_move_double) {
        T->s[e->a & 31] |= under * 0x01010101u;
        T->s[(e->a + 1) & 31] |= under * 0x01010101u;
    }
}

#endif
