/* ARMv6-M: what each operation does to taint (taint.h), but for the flows of arm_flows.h. */
#ifndef ECSIM_ARMV6M_TAINT_H
#define ECSIM_ARMV6M_TAINT_H

#include "armv6m.h"

#define SET(e) ((e)->imm)
#include "arm_flows.h"

/* A result, and the flags that it sets. */
#define RESULT_NZ(t) (A = (t), T->nz = ecs_taint_fold(A))
#define RESULT_NZC(t, carry) (T->c = (carry), RESULT_NZ(t))
#define RESULT_NZCV(t) (RESULT_NZ(t), T->c = T->v = T->nz)

/* --- moves, arithmetic, logic ----------------------------------------------------------------- */

MOVES(lsl_imm, RESULT_NZC(ecs_taint_left(B, e->c), ecs_taint_fold(B)))
MOVES(lsr_imm, RESULT_NZC(ecs_taint_right(B, e->c), ecs_taint_fold(B)))
MOVES(asr_imm, RESULT_NZC(ecs_taint_right_signed(B, e->c), ecs_taint_fold(B)))
MOVES(movs_reg, RESULT_NZ(B))
MOVES(adds_reg, RESULT_NZCV(ecs_taint_upward(B | C)))
MOVES(subs_reg, RESULT_NZCV(e->b == e->c ? 0 : ecs_taint_upward(B | C)))
MOVES(adds_imm, RESULT_NZCV(ecs_taint_upward(B)))
MOVES(subs_imm, RESULT_NZCV(ecs_taint_upward(B)))
MOVES(movs_imm, RESULT_NZ(0))
MOVES(cmp_imm, T->nz = T->c = T->v = ecs_taint_fold(B))
MOVES(ands, RESULT_NZ(A | B))
MOVES(eors, RESULT_NZ(e->a == e->b ? 0 : A | B))
MOVES(adcs, RESULT_NZCV(ecs_taint_upward(A | B | T->c)))
MOVES(sbcs, RESULT_NZCV(ecs_taint_upward((e->a == e->b ? 0 : A | B) |
                                         T->c))) /* of itself: a mask from the carry */
MOVES(tst, T->nz = ecs_taint_fold(A | B))
MOVES(rsbs, RESULT_NZCV(ecs_taint_upward(B)))
MOVES(cmp, T->nz = T->c = T->v = e->a == e->b ? 0 : ecs_taint_fold(A | B))
MOVES(cmn, T->nz = T->c = T->v = ecs_taint_fold(A | B))
MOVES(orrs, RESULT_NZ(A | B))
MOVES(bics, RESULT_NZ(A | B))
MOVES(mvns, RESULT_NZ(B))

/* Shifts by register may leave the carry as it was. */
#define SHIFT(name) \
    FLOW_OF(name) \
    { \
        FOUND_SHIFT(B & 255); \
        RESULT_NZC(ecs_taint_spread(A | B), T->c | ecs_taint_fold(A | B)); \
    }
SHIFT(lsls)
SHIFT(lsrs)
SHIFT(asrs)
SHIFT(rors)
#undef SHIFT

FLOW_OF(muls)
{
    FOUND_OPERAND(ROW_multiply, A | B);
    RESULT_NZ(ecs_taint_upward(A | B));
}

MOVES(add_high, A = ecs_taint_upward(A | B))
MOVES(mov_high, A = B)
MOVES(add_imm, A = ecs_taint_upward(A))
MOVES(mov_imm, A = 0)
MOVES(add_sp_reg, T->r[SP] = ecs_taint_upward(T->r[SP] | B))
MOVES(mov_sp_reg, T->r[SP] = B)
MOVES(add_sp_imm, T->r[SP] = ecs_taint_upward(T->r[SP]))
MOVES(adr_sp, A = ecs_taint_upward(T->r[SP]))
MOVES(sxth, A = (B & 0xFFFF) | ecs_taint_spread(B & 0xFF00))
MOVES(sxtb, A = ecs_taint_spread(B & 0xFF))
MOVES(uxth, A = B & 0xFFFF)
MOVES(uxtb, A = B & 0xFF)
MOVES(rev, A = __builtin_bswap32(B))
MOVES(rev16, A = __builtin_bswap32(B) << 16 | __builtin_bswap32(B) >> 16)
MOVES(revsh, A = ecs_taint_spread(B & 0xFFFF))

/* --- loads and stores ------------------------------------------------------------------------- */

#define BY_REGISTER B | C, m->r[e->b] + m->r[e->c]
#define BY_IMMEDIATE B, m->r[e->b] + e->imm
#define LOADS(name, size, extended, ...) LOAD_FLOW(name, size, __VA_ARGS__, A, extended, NO_MORE)
#define STORES(name, size, ...) STORE_FLOW(name, size, __VA_ARGS__, A, NO_MORE)

LOADS(ldr_literal, 4, UNSIGNED, 0, e->imm)
MOVES(ldr_flash, A = 0)
STORES(str_reg, 4, BY_REGISTER)
STORES(strh_reg, 2, BY_REGISTER)
STORES(strb_reg, 1, BY_REGISTER)
LOADS(ldrsb_reg, 1, SIGNED_8, BY_REGISTER)
LOADS(ldr_reg, 4, UNSIGNED, BY_REGISTER)
LOADS(ldrh_reg, 2, UNSIGNED, BY_REGISTER)
LOADS(ldrb_reg, 1, UNSIGNED, BY_REGISTER)
LOADS(ldrsh_reg, 2, SIGNED_16, BY_REGISTER)
STORES(str_imm, 4, BY_IMMEDIATE)
LOADS(ldr_imm, 4, UNSIGNED, BY_IMMEDIATE)
STORES(strb_imm, 1, BY_IMMEDIATE)
LOADS(ldrb_imm, 1, UNSIGNED, BY_IMMEDIATE)
STORES(strh_imm, 2, BY_IMMEDIATE)
LOADS(ldrh_imm, 2, UNSIGNED, BY_IMMEDIATE)

FLOW_OF(ldm)
{
    const uint32_t base = B;
    arm_flow_load_set(m, pc, base, m->r[e->b], SET(e));
    if (e->c != 0) {
        B = ecs_taint_upward(base);
    }
}

FLOW_OF(stm)
{
    arm_flow_store_set(m, pc, B, m->r[e->b], SET(e));
    B = ecs_taint_upward(B);
}

/* --- transfers of control --------------------------------------------------------------------- */

DECIDES(bx, ECSIM_SECRET_TARGET, B)
DECIDES(mov_pc_reg, ECSIM_SECRET_TARGET, B)
DECIDES(add_pc_reg, ECSIM_SECRET_TARGET, B)

FLOW_OF(blx)
{
    FOUND(ECSIM_SECRET_TARGET, B);
    T->r[LR] = 0;
}

/* --- system ----------------------------------------------------------------------------------- */

/* SYSm 0..3 hold the flags (B5.2.2). */
MOVES(mrs, A = e->imm <= 3 ? (T->nz | T->c | T->v) << 24 : arm_taint_special(T, e->imm))
FLOW_OF(msr)
{
    if (e->imm <= 3) {
        T->nz = T->c = T->v = B >> 24;
    } else {
        arm_taint_set_special(T, e->imm, B);
    }
}

#endif
