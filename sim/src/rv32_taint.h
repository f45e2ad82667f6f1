/* RV32IMC: what each operation does to taint (taint.h). There are no flags; x0 is public, and what is written to it is
   kept in X0_SINK, which nothing reads. */
#ifndef ECSIM_RV32_TAINT_H
#define ECSIM_RV32_TAINT_H

#include "rv32.h"
#include "taint.h"

#define T (m->taint)
#define A (m->taint->r[e->a])
#define B (m->taint->r[e->b])
#define C (m->taint->r[e->c])

/* FLOW(name) { .. } for an operation, and for its form of 16 bits. */
#define FLOW_BOTH(name, body) FLOW_OF(name) body FLOW_OF(c_##name) body
/* An operation that can give no finding: what its result depends on. The same for rd = sp, and for 16 bits. */
#define RESULT(name, t) \
    FLOW_OF(name) \
    { \
        (void)pc; \
        A = (t); \
    } \
    FLOW_OF(name##_sp) \
    { \
        (void)pc; \
        T->r[SP] = (t); \
    }
#define RESULT_BOTH(name, t) RESULT(name, t) RESULT(c_##name, t)
#define NOTHING(name) \
    FLOW_OF(name) \
    { \
        (void)m; \
        (void)e; \
        (void)pc; \
    }

/* --- arithmetic, logic ---------------------------------------------------------------------------------------------- */

FLOW_BOTH(set, {
    (void)pc;
    A = 0;
})
RESULT_BOTH(addi, ecs_taint_upward(B))
RESULT(slti, ecs_taint_fold(B))
RESULT(sltiu, ecs_taint_fold(B))
RESULT(xori, B)
RESULT(ori, B)
RESULT_BOTH(andi, e->imm <= 255 ? B & 255 : B)
RESULT_BOTH(slli, ecs_taint_left(B, e->imm))
RESULT_BOTH(srli, ecs_taint_right(B, e->imm))
RESULT_BOTH(srai, ecs_taint_right_signed(B, e->imm))
RESULT_BOTH(add, ecs_taint_upward(B | C))
RESULT_BOTH(sub, e->b == e->c ? 0 : ecs_taint_upward(B | C))
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
OPERANDS(mulh, ROW_multiply_high, ecs_taint_spread(B | C))
OPERANDS(mulhsu, ROW_multiply_high, ecs_taint_spread(B | C))
OPERANDS(mulhu, ROW_multiply_high, ecs_taint_spread(B | C))
OPERANDS(div, ROW_divide, ecs_taint_spread(B | C))
OPERANDS(divu, ROW_divide, ecs_taint_spread(B | C))
OPERANDS(rem, ROW_divide, ecs_taint_spread(B | C))
OPERANDS(remu, ROW_divide, ecs_taint_spread(B | C))
#undef OPERANDS

/* --- loads and stores ----------------------------------------------------------------------------------------------- */

#define LOAD_FLOW(name, size, to, extended) \
    FLOW_OF(name) \
    { \
        const uint32_t base_ = B; \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, base_); \
        const uint32_t loaded = ecs_shadow_load(m, m->r[e->b] + e->imm, size); \
        to = (extended) | ecs_taint_spread(base_); \
    }
#define STORE_FLOW(name, size) \
    FLOW_OF(name) \
    { \
        FOUND(ECSIM_SECRET_STORE_ADDRESS, B); \
        ecs_shadow_store(m, m->r[e->b] + e->imm, size, C | ecs_taint_spread(B)); \
    }
LOAD_FLOW(lb, 1, A, ecs_taint_spread(loaded))
LOAD_FLOW(lh, 2, A, loaded | ecs_taint_spread(loaded & 0xFF00))
LOAD_FLOW(lw, 4, A, loaded)
LOAD_FLOW(c_lw, 4, A, loaded)
LOAD_FLOW(lw_sp, 4, T->r[SP], loaded)
LOAD_FLOW(c_lw_sp, 4, T->r[SP], loaded)
LOAD_FLOW(lbu, 1, A, loaded)
LOAD_FLOW(lhu, 2, A, loaded)
STORE_FLOW(sb, 1)
STORE_FLOW(sh, 2)
STORE_FLOW(sw, 4)
STORE_FLOW(c_sw, 4)
#undef LOAD_FLOW
#undef STORE_FLOW

/* --- transfers of control ------------------------------------------------------------------------------------------- */

FLOW_BOTH(beq, { FOUND(ECSIM_SECRET_BRANCH, B | C); })
FLOW_BOTH(bne, { FOUND(ECSIM_SECRET_BRANCH, B | C); })
FLOW_OF(blt)
{
    FOUND(ECSIM_SECRET_BRANCH, B | C);
}
#define flow_bge flow_blt
#define flow_bltu flow_blt
#define flow_bgeu flow_blt
FLOW_BOTH(jal, {
    (void)pc;
    A = 0;
})
FLOW_BOTH(jalr, {
    FOUND(ECSIM_SECRET_TARGET, B);
    A = 0;
})

/* --- system --------------------------------------------------------------------------------------------------------- */

/* As access_csr in rv32_exec.c. */
FLOW_OF(csr)
{
    (void)pc;
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

#undef A
#undef B
#undef C
#undef T

#endif
