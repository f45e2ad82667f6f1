/* RV32IMC: what each operation does to taint (taint.h). There are no flags; x0 is public,
   and what is written to it is kept in X0_SINK, which nothing reads. */
#ifndef ECSIM_RV32_TAINT_H
#define ECSIM_RV32_TAINT_H

#include "flows.h"
#include "rv32.h"

/* Flows of an operation, and for its form of 16 bits. */
#define FLOW_BOTH(name, body) FLOW_OF(name) body FLOW_OF(c_##name) body
/* An operation that can give no finding: what its result depends on. The same for rd = sp,
 * and for 16 bits. */
#define RESULT(name, t) \
    MOVES(name, A = (t)) \
    MOVES(name##_sp, T->r[SP] = (t))
#define RESULT_BOTH(name, t) RESULT(name, t) RESULT(c_##name, t)

/* --- arithmetic, logic ------------------------------------------------------------------------ */

MOVES(set, A = 0)
MOVES(c_set, A = 0)
/* With zero, as a move is written, nothing is carried. */
#define ADDED (e->b == 0 ? C : e->c == 0 ? B : ecs_taint_upward(B | C))
RESULT_BOTH(addi, e->imm == 0 ? B : ecs_taint_upward(B))
RESULT(slti, ecs_taint_fold(B))
RESULT(sltiu, ecs_taint_fold(B))
RESULT_BOTH(xori, B)
RESULT(ori, B)
RESULT_BOTH(andi, e->imm <= 255 ? B & 255 : B)
RESULT_BOTH(slli, ecs_taint_left(B, e->imm))
RESULT_BOTH(srli, ecs_taint_right(B, e->imm))
RESULT_BOTH(srai, ecs_taint_right_signed(B, e->imm))
RESULT_BOTH(add, ADDED)
RESULT_BOTH(sub, e->b == e->c ? 0 : e->c == 0 ? B : ecs_taint_upward(B | C))
RESULT(slt, e->b == e->c ? 0 : ecs_taint_fold(B | C))
RESULT(sltu, e->b == e->c ? 0 : ecs_taint_fold(B | C))
RESULT_BOTH(xor, e->b == e->c ? 0 : B | C)
RESULT_BOTH(or, B | C)
RESULT_BOTH(and, B | C)

#define SHIFT(name, to) \
    FLOW_OF(name) \
    { \
        FOUND_SHIFT(C & 255); \
        to = ecs_taint_spread(B | C); \
    }
SHIFT(sll, A)
SHIFT(sll_sp, T->r[SP])
SHIFT(srl, A)
SHIFT(srl_sp, T->r[SP])
SHIFT(sra, A)
SHIFT(sra_sp, T->r[SP])
#undef SHIFT

#define OPERANDS(name, row, t) \
    FLOW_OF(name) \
    { \
        FOUND_OPERAND(row, B | C); \
        A = (t); \
    }
OPERANDS(mul, ROW_multiply, ecs_taint_upward(B | C))
OPERANDS(c_mul, ROW_multiply, ecs_taint_upward(B | C))
OPERANDS(mulh, ROW_multiply_high, ecs_taint_spread(B | C))
OPERANDS(mulhsu, ROW_multiply_high, ecs_taint_spread(B | C))
OPERANDS(mulhu, ROW_multiply_high, ecs_taint_spread(B | C))
OPERANDS(div, ROW_divide, ecs_taint_spread(B | C))
OPERANDS(divu, ROW_divide, ecs_taint_spread(B | C))
OPERANDS(rem, ROW_divide, ecs_taint_spread(B | C))
OPERANDS(remu, ROW_divide, ecs_taint_spread(B | C))
#undef OPERANDS

/* --- loads and stores ------------------------------------------------------------------------- */

#define LOADS(name, size, to, extended) \
    LOAD_FLOW(name, size, B, m->r[e->b] + e->imm, to, extended, NO_MORE)
#define STORES(name, size) STORE_FLOW(name, size, B, m->r[e->b] + e->imm, C, NO_MORE)
LOADS(lb, 1, A, SIGNED_8)
LOADS(lh, 2, A, SIGNED_16)
LOADS(lw, 4, A, UNSIGNED)
LOADS(c_lw, 4, A, UNSIGNED)
LOADS(lw_sp, 4, T->r[SP], UNSIGNED)
LOADS(c_lw_sp, 4, T->r[SP], UNSIGNED)
LOADS(lbu, 1, A, UNSIGNED)
LOADS(lhu, 2, A, UNSIGNED)
LOADS(c_lh, 2, A, SIGNED_16)
LOADS(c_lbu, 1, A, UNSIGNED)
LOADS(c_lhu, 2, A, UNSIGNED)
STORES(sb, 1)
STORES(sh, 2)
STORES(c_sb, 1)
STORES(c_sh, 2)
STORES(sw, 4)
STORES(c_sw, 4)

/* --- A, Zba, Zbb, Zbs, Zbkb ------------------------------------------------------------------- */

MOVES(sh1add, A = ecs_taint_upward(ecs_taint_left(B, 1) | C))
MOVES(sh2add, A = ecs_taint_upward(ecs_taint_left(B, 2) | C))
MOVES(sh3add, A = ecs_taint_upward(ecs_taint_left(B, 3) | C))
MOVES(andn, A = e->b == e->c ? 0 : B | C)
MOVES(orn, A = e->b == e->c ? 0 : B | C)
MOVES(xnor, A = e->b == e->c ? 0 : B | C)
MOVES(rori, A = ecs_taint_right(B, e->imm) | ecs_taint_left(B, 32 - e->imm))
MOVES(rev8, A = __builtin_bswap32(B))
MOVES(clz, A = ecs_taint_fold(B))
MOVES(ctz, A = ecs_taint_fold(B))
MOVES(cpop, A = ecs_taint_fold(B))
MOVES(min, A = e->b == e->c ? B : ecs_taint_spread(B | C))
#define flow_minu flow_min
#define flow_max flow_min
#define flow_maxu flow_min
MOVES(orc_b, A = B)
FLOW_BOTH(sext_b, { A = ecs_taint_spread(B & 255); })
FLOW_BOTH(sext_h, { A = (B & 0xFFFF) | ecs_taint_spread(B & 0xFF00); })
FLOW_BOTH(pack, { A = (B & 0xFFFF) | C << 16; })
MOVES(packh, A = (B & 255) | (C & 255) << 8)
MOVES(brev8, A = B)
MOVES(zip, A = ecs_taint_spread(B))
MOVES(unzip, A = ecs_taint_spread(B))
MOVES(bclri, A = B)
MOVES(bexti, A = B >> (e->imm & ~7u) & 255)
MOVES(binvi, A = B)
MOVES(bseti, A = B)

/* By a register: how far, or which bit. */
#define SHIFT_BY(name, t) \
    FLOW_OF(name) \
    { \
        FOUND_SHIFT(C & 255); \
        A = (t); \
    }
SHIFT_BY(rol, ecs_taint_spread(B | C))
SHIFT_BY(ror, ecs_taint_spread(B | C))
SHIFT_BY(bclr, B | ecs_taint_spread(C & 255))
SHIFT_BY(bext, ecs_taint_fold(B | (C & 255)))
SHIFT_BY(binv, B | ecs_taint_spread(C & 255))
SHIFT_BY(bset, B | ecs_taint_spread(C & 255))
#undef SHIFT_BY

LOAD_FLOW(lr, 4, B, m->r[e->b], A, UNSIGNED, NO_MORE)
FLOW_OF(sc)
{
    FOUND(ECSIM_SECRET_STORE_ADDRESS, B);
    if (m->exclusive) {
        ecs_shadow_store(m, m->r[e->b], 4, C | ecs_taint_spread(B));
    }
    A = 0;
}
/* t: of what goes to memory; loaded: of what was there. */
#define ATOMICS(name, t) \
    FLOW_OF(name) \
    { \
        const uint32_t sets = B, loaded = ecs_shadow_load(m, m->r[e->b], 4); \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets); \
        FOUND(ECSIM_SECRET_STORE_ADDRESS, sets); \
        ecs_shadow_store(m, m->r[e->b], 4, (t) | ecs_taint_spread(sets)); \
        A = loaded | ecs_taint_spread(sets); \
    }
ATOMICS(amoswap, C)
ATOMICS(amoadd, ecs_taint_upward(loaded | C))
ATOMICS(amoxor, loaded | C)
ATOMICS(amoand, loaded | C)
ATOMICS(amoor, loaded | C)
ATOMICS(amomin, ecs_taint_spread(loaded | C))
ATOMICS(amomax, ecs_taint_spread(loaded | C))
ATOMICS(amominu, ecs_taint_spread(loaded | C))
ATOMICS(amomaxu, ecs_taint_spread(loaded | C))
#undef ATOMICS

/* --- Zcmp ------------------------------------------------------------------------------------- */

FLOW_OF(cm_push)
{
    const uint32_t sets = T->r[SP];
    FOUND(ECSIM_SECRET_STORE_ADDRESS, sets);
    ecs_taint_store_set(m, m->r[SP] - 4 * e->c, e->imm, ecs_taint_spread(sets));
    T->r[SP] = ecs_taint_upward(sets);
}
FLOW_OF(cm_pop)
{
    const uint32_t sets = T->r[SP];
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets);
    ecs_taint_load_set(m, m->r[SP] + e->a - 4 * e->c, e->imm, ecs_taint_spread(sets));
    T->r[SP] = ecs_taint_upward(sets);
}
FLOW_OF(cm_popret)
{
    flow_cm_pop(m, e, pc);
    FOUND(ECSIM_SECRET_TARGET, T->r[RA]);
}
FLOW_OF(cm_popretz)
{
    flow_cm_popret(m, e, pc);
    T->r[A0] = 0;
}
MOVES(cm_mva01s, (T->r[A0] = B, T->r[A1] = C))
MOVES(cm_mvsa01, (B = T->r[A0], C = T->r[A1]))

/* --- transfers of control --------------------------------------------------------------------- */

#define COMPARES(name) DECIDES(name, ECSIM_SECRET_BRANCH, B | C)
COMPARES(beq)
COMPARES(c_beq)
COMPARES(bne)
COMPARES(c_bne)
COMPARES(blt)
COMPARES(bge)
COMPARES(bltu)
COMPARES(bgeu)
MOVES(jal, A = 0)
MOVES(c_jal, A = 0)
FLOW_BOTH(jalr, {
    FOUND(ECSIM_SECRET_TARGET, B);
    A = 0;
})

/* --- system ----------------------------------------------------------------------------------- */

/* As access_csr in rv32_exec.c. */
FLOW_OF(csr)
{
    const int place = rv32_csr_place(e->imm);
    if (place < 0) {
        A = 0;
        return;
    }
    const uint32_t operand = (e->c & 4) != 0 ? 0 : B, old = T->csr[place];
    T->csr[place] = (e->c & 3) == 1 ? operand : old | operand;
    A = old;
}
#define flow_csr_serial flow_csr
NOTHING(csr_unknown)
NOTHING(fence)
NOTHING(fence_i)
NOTHING(wfi)
NOTHING(trap)
NOTHING(undefined)
NOTHING(outside)

#endif
