/* ARMv6-M: what each operation does to taint (taint.h), in the order of armv6m.def. */
#ifndef ECSIM_ARMV6M_TAINT_H
#define ECSIM_ARMV6M_TAINT_H

#include "armv6m.h"
#include "taint.h"

#define T (m->taint)
#define A (m->taint->r[e->a])
#define B (m->taint->r[e->b])
#define C (m->taint->r[e->c])

/* A result, and the flags that it sets. */
#define RESULT_NZ(t) (A = (t), T->nz = ecs_taint_fold(A))
#define RESULT_NZC(t, carry) (T->c = (carry), RESULT_NZ(t))
#define RESULT_NZCV(t) (RESULT_NZ(t), T->c = T->v = T->nz)

/* An operation that leaves taint alone: constants aside, it writes no register and no flag. */
#define NOTHING(name) \
    FLOW_OF(name) \
    { \
        (void)m; \
        (void)e; \
        (void)pc; \
    }
/* One that moves taint and can give no finding. */
#define MOVES(name, expression) \
    FLOW_OF(name) \
    { \
        (void)e; \
        (void)pc; \
        (void)(expression); \
    }

/* --- moves, arithmetic, logic ------------------------------------------------------------------------------------ */

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
MOVES(sbcs, RESULT_NZCV(ecs_taint_upward((e->a == e->b ? 0 : A | B) | T->c))) /* of itself: a mask from the carry */
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
MOVES(add_sp_reg, T->r[13] = ecs_taint_upward(T->r[13] | B))
MOVES(mov_sp_reg, T->r[13] = B)
MOVES(add_sp_imm, T->r[13] = ecs_taint_upward(T->r[13]))
MOVES(adr_sp, A = ecs_taint_upward(T->r[13]))
MOVES(sxth, A = (B & 0xFFFF) | ecs_taint_spread(B & 0xFF00))
MOVES(sxtb, A = ecs_taint_spread(B & 0xFF))
MOVES(uxth, A = B & 0xFFFF)
MOVES(uxtb, A = B & 0xFF)
MOVES(rev, A = __builtin_bswap32(B))
MOVES(rev16, A = __builtin_bswap32(B) << 16 | __builtin_bswap32(B) >> 16)
MOVES(revsh, A = ecs_taint_spread(B & 0xFFFF))

/* --- loads and stores --------------------------------------------------------------------------------------------- */

#define LOAD_FLOW(name, size, sets, address, extended) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets_); \
        const uint32_t loaded = ecs_shadow_load(m, (address), size); \
        A = (extended) | ecs_taint_spread(sets_); \
    }
#define STORE_FLOW(name, size, sets, address) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_STORE_ADDRESS, sets_); \
        ecs_shadow_store(m, (address), size, A | ecs_taint_spread(sets_)); \
    }
#define BY_REGISTER B | C, m->r[e->b] + m->r[e->c]
#define BY_IMMEDIATE B, m->r[e->b] + e->imm
#define SIGNED_8 ecs_taint_spread(loaded)
#define SIGNED_16 (loaded | ecs_taint_spread(loaded & 0xFF00))
#define LOADS(...) LOAD_FLOW(__VA_ARGS__)
#define STORES(...) STORE_FLOW(__VA_ARGS__)

LOADS(ldr_literal, 4, 0, e->imm, loaded)
MOVES(ldr_flash, A = 0)
STORES(str_reg, 4, BY_REGISTER)
STORES(strh_reg, 2, BY_REGISTER)
STORES(strb_reg, 1, BY_REGISTER)
LOADS(ldrsb_reg, 1, BY_REGISTER, SIGNED_8)
LOADS(ldr_reg, 4, BY_REGISTER, loaded)
LOADS(ldrh_reg, 2, BY_REGISTER, loaded)
LOADS(ldrb_reg, 1, BY_REGISTER, loaded)
LOADS(ldrsh_reg, 2, BY_REGISTER, SIGNED_16)
STORES(str_imm, 4, BY_IMMEDIATE)
LOADS(ldr_imm, 4, BY_IMMEDIATE, loaded)
STORES(strb_imm, 1, BY_IMMEDIATE)
LOADS(ldrb_imm, 1, BY_IMMEDIATE, loaded)
STORES(strh_imm, 2, BY_IMMEDIATE)
LOADS(ldrh_imm, 2, BY_IMMEDIATE, loaded)

FLOW_OF(push)
{
    FOUND(ECSIM_SECRET_STORE_ADDRESS, T->r[13]);
    ecs_taint_store_set(m, m->r[13] - 4u * e->a, e->imm, ecs_taint_spread(T->r[13]));
}

FLOW_OF(pop)
{
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, T->r[13]);
    ecs_taint_load_set(m, m->r[13], e->imm, ecs_taint_spread(T->r[13]));
}

FLOW_OF(pop_pc)
{
    uint32_t base = T->r[13];
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, base);
    uint32_t last = ecs_taint_load_set(m, m->r[13], e->imm, ecs_taint_spread(base));
    FOUND(ECSIM_SECRET_TARGET, ecs_shadow_load(m, last, 4) | base);
}

FLOW_OF(ldm)
{
    uint32_t base = B;
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, base);
    ecs_taint_load_set(m, m->r[e->b], e->imm, ecs_taint_spread(base));
    if (e->c != 0) {
        B = ecs_taint_upward(base);
    }
}

FLOW_OF(stm)
{
    FOUND(ECSIM_SECRET_STORE_ADDRESS, B);
    ecs_taint_store_set(m, m->r[e->b], e->imm, ecs_taint_spread(B));
    B = ecs_taint_upward(B);
}

/* --- transfers of control ----------------------------------------------------------------------------------------- */

#define DECIDES(name, kind, sets) \
    FLOW_OF(name) \
    { \
        (void)e; \
        FOUND(kind, sets); \
    }
DECIDES(beq, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(bne, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(bcs, ECSIM_SECRET_BRANCH, T->c)
DECIDES(bcc, ECSIM_SECRET_BRANCH, T->c)
DECIDES(bmi, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(bpl, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(bvs, ECSIM_SECRET_BRANCH, T->v)
DECIDES(bvc, ECSIM_SECRET_BRANCH, T->v)
DECIDES(bhi, ECSIM_SECRET_BRANCH, T->nz | T->c)
DECIDES(bls, ECSIM_SECRET_BRANCH, T->nz | T->c)
DECIDES(bge, ECSIM_SECRET_BRANCH, T->nz | T->v)
DECIDES(blt, ECSIM_SECRET_BRANCH, T->nz | T->v)
DECIDES(bgt, ECSIM_SECRET_BRANCH, T->nz | T->v)
DECIDES(ble, ECSIM_SECRET_BRANCH, T->nz | T->v)
NOTHING(b)
MOVES(bl, T->r[14] = 0)
DECIDES(bx, ECSIM_SECRET_TARGET, B)
DECIDES(mov_pc_reg, ECSIM_SECRET_TARGET, B)
DECIDES(add_pc_reg, ECSIM_SECRET_TARGET, B)

FLOW_OF(blx)
{
    FOUND(ECSIM_SECRET_TARGET, B);
    T->r[14] = 0;
}

/* --- system ------------------------------------------------------------------------------------------------------- */

/* SYSm 0..3 hold the flags (B5.2.2). */
MOVES(mrs, A = e->imm <= 3 ? (T->nz | T->c | T->v) * 0x01000000u : ecs_taint_special(T, e->imm))
FLOW_OF(msr)
{
    (void)pc;
    if (e->imm <= 3) {
        T->nz = T->c = T->v = B >> 24;
    } else {
        ecs_taint_set_special(T, e->imm, B);
    }
}
NOTHING(barrier)
NOTHING(cps)
NOTHING(nop)
NOTHING(wait)
NOTHING(svc)
NOTHING(undefined)
NOTHING(unpredictable)
NOTHING(outside)

#undef A
#undef B
#undef C
#undef T

#endif
