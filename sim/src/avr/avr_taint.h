/* AVRe+: what each operation does to taint (taint.h). A register has one set of labels, in the
 * lowest byte of its word; so has the stack pointer. Of flags, N and Z have one set, C, V, H
 * (in `q`) and T (in `ge`) one each; S has those of N and V. The multiplier takes the same time
 * for all operands. */
#ifndef ECSIM_AVR_TAINT_H
#define ECSIM_AVR_TAINT_H

#include "avr.h"
#include "flows.h"

#define PAIR_SETS(low) (T->r[low] | T->r[(low) + 1])
#define PAIR_OF(low) (m->r[(low) + 1] << 8 | m->r[low])
#define ALL_FLAGS (T->nz | T->c | T->v | T->q | T->ge)

/* Flags by what they were computed from. */
static inline void taint_flags(ecsim *m, uint32_t sets)
{
    T->nz = T->c = T->v = T->q = sets;
}

/* A result that the flags but C and H follow; they all but H; all. */
static inline uint32_t taint_logic(ecsim *m, uint32_t sets)
{
    T->nz = T->v = sets;
    return sets;
}

static inline uint32_t taint_shift(ecsim *m, uint32_t sets)
{
    T->c = sets;
    return taint_logic(m, sets);
}

static inline uint32_t taint_sum(ecsim *m, uint32_t sets)
{
    taint_flags(m, sets);
    return sets;
}

/* With carry. Z of a difference also depends on what Z was. */
static inline uint32_t taint_difference(ecsim *m, uint32_t sets)
{
    const uint32_t before = T->nz;
    taint_flags(m, sets | T->c);
    T->nz |= before;
    return sets | T->c;
}

/* --- arithmetic, logic ------------------------------------------------------------------------ */

NOTHING(nop)
MOVES(mov, A = B)
FLOW_OF(movw)
{
    A = B;
    T->r[e->a + 1] = T->r[e->b + 1];
}
MOVES(ldi, A = 0)

/* A register minus itself, or against itself, is zero. */
#define BOTH_SETS (A | B)
#define UNLESS_SAME (e->a == e->b ? 0 : A | B)
MOVES(add, A = taint_sum(m, BOTH_SETS))
MOVES(adc, A = taint_sum(m, BOTH_SETS | T->c))
MOVES(sub, A = taint_sum(m, UNLESS_SAME))
MOVES(sbc, A = taint_difference(m, UNLESS_SAME))
MOVES(cp, taint_sum(m, UNLESS_SAME))
MOVES(cpc, taint_difference(m, UNLESS_SAME))
MOVES(subi, A = taint_sum(m, A))
MOVES(sbci, A = taint_difference(m, A))
MOVES(cpi, taint_sum(m, A))
MOVES(neg, A = taint_sum(m, A))
MOVES(and, A = taint_logic(m, BOTH_SETS))
MOVES(or, A = taint_logic(m, BOTH_SETS))
MOVES(eor, A = taint_logic(m, UNLESS_SAME))
MOVES(andi, A = taint_logic(m, e->imm == 0 ? 0 : A))
MOVES(ori, A = taint_logic(m, e->imm == 0xFF ? 0 : A))
MOVES(inc, A = taint_logic(m, A))
MOVES(dec, A = taint_logic(m, A))
MOVES(asr, A = taint_shift(m, A))
MOVES(lsr, A = taint_shift(m, A))
MOVES(ror, A = taint_shift(m, A | T->c))
NOTHING(swap)
FLOW_OF(com)
{
    taint_logic(m, A);
    T->c = 0;
}

#define WORD_FLOW(name) \
    FLOW_OF(name) \
    { \
        T->r[e->a + 1] |= A; \
        taint_shift(m, T->r[e->a + 1]); \
    }
WORD_FLOW(adiw)
WORD_FLOW(sbiw)
#undef WORD_FLOW

/* Z and N have one set, and N stays. */
#define MULTIPLY_FLOW(name) \
    FLOW_OF(name) \
    { \
        const uint32_t sets = A | B; \
        FOUND_OPERAND(ROW_multiply, sets); \
        T->r[0] = T->r[1] = T->c = sets; \
        T->nz |= sets; \
    }
MULTIPLY_FLOW(mul)
MULTIPLY_FLOW(muls)
MULTIPLY_FLOW(mulsu)
MULTIPLY_FLOW(fmul)
MULTIPLY_FLOW(fmuls)
MULTIPLY_FLOW(fmulsu)
#undef MULTIPLY_FLOW

/* --- flags and bits --------------------------------------------------------------------------- */

/* Only what has a set of its own becomes public. */
FLOW_OF(bset)
{
    T->c = (e->imm & 0x01) != 0 ? 0 : T->c;
    T->q = (e->imm & 0x20) != 0 ? 0 : T->q;
    T->ge = (e->imm & 0x40) != 0 ? 0 : T->ge;
}
#define flow_bclr flow_bset
MOVES(bst, T->ge = A)
MOVES(bld, A |= T->ge)

/* --- data accesses ---------------------------------------------------------------------------- */

/* The sets of a byte of the data space: a register, the flags, another register of I/O, RAM. */
static inline uint32_t taint_get(ecsim *m, uint32_t address)
{
    const uint32_t at = address - AVR_DATA;
    switch (at) {
    case SREG_AT: return ALL_FLAGS;
    case SPL_AT:
    case SPH_AT: return T->r[SP];
    case RAMPZ_AT: return T->csr[RAMPZ];
    case EIND_AT: return T->csr[EIND];
    default: return at < 32 ? T->r[at] : ecs_shadow_load(m, address, 1);
    }
}

static inline void taint_put(ecsim *m, uint32_t address, uint32_t sets)
{
    const uint32_t at = address - AVR_DATA;
    switch (at) {
    case SREG_AT:
        taint_flags(m, sets);
        T->ge = sets;
        break;
    case SPL_AT: T->r[SP] |= sets; break;
    case SPH_AT: T->r[SP] = sets; break; /* the first that is written */
    case RAMPZ_AT: T->csr[RAMPZ] = sets; break;
    case EIND_AT: T->csr[EIND] = sets; break;
    default:
        if (at < 32) {
            T->r[at] = sets;
        } else {
            ecs_shadow_store(m, address, 1, sets);
        }
        break;
    }
}

#define DATA(address) (AVR_DATA | ((address)&0xFFFF))
#define LOADS(name, sets, address) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets_); \
        A = taint_get(m, address) | sets_; \
    }
#define STORES(name, sets, address) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_STORE_ADDRESS, sets_); \
        taint_put(m, address, A | sets_); \
    }
LOADS(in, 0, DATA(e->imm))
LOADS(lds, 0, DATA(e->imm))
LOADS(ld, PAIR_SETS(e->b), DATA(PAIR_OF(e->b) + e->imm))
LOADS(pop, T->r[SP], DATA(m->r[SP] + 1))
STORES(out, 0, DATA(e->imm))
STORES(sts, 0, DATA(e->imm))
STORES(st, PAIR_SETS(e->b), DATA(PAIR_OF(e->b) + e->imm))
STORES(push, T->r[SP], m->r[SP])
NOTHING(sbi) /* what it sets in a byte is public, the rest stays */
NOTHING(cbi)

/* A pointer that moves: its carry makes one set of both bytes. */
static inline uint32_t taint_pointer(ecsim *m, uint32_t low)
{
    const uint32_t sets = PAIR_SETS(low);
    T->r[low + 1] = sets;
    return sets;
}
LOADS(ld_inc, taint_pointer(m, e->b), DATA(PAIR_OF(e->b)))
LOADS(ld_dec, taint_pointer(m, e->b), DATA(PAIR_OF(e->b) - 1))
STORES(st_inc, taint_pointer(m, e->b), DATA(PAIR_OF(e->b)))
STORES(st_dec, taint_pointer(m, e->b), DATA(PAIR_OF(e->b) - 1))

/* Flash is public. */
#define LOADS_FLASH(name, sets, then) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets_); \
        then; \
        A = sets_; \
    }
LOADS_FLASH(lpm, PAIR_SETS(Z), NO_MORE)
LOADS_FLASH(lpm_inc, taint_pointer(m, Z), NO_MORE)
LOADS_FLASH(elpm, PAIR_SETS(Z) | T->csr[RAMPZ], NO_MORE)
LOADS_FLASH(elpm_inc, taint_pointer(m, Z) | T->csr[RAMPZ], T->csr[RAMPZ] = sets_)
#undef LOADS_FLASH

/* --- transfers of control --------------------------------------------------------------------- */

DECIDES(breq, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(brne, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(brcs, ECSIM_SECRET_BRANCH, T->c)
DECIDES(brcc, ECSIM_SECRET_BRANCH, T->c)
DECIDES(brmi, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(brpl, ECSIM_SECRET_BRANCH, T->nz)
DECIDES(brvs, ECSIM_SECRET_BRANCH, T->v)
DECIDES(brvc, ECSIM_SECRET_BRANCH, T->v)
DECIDES(brlt, ECSIM_SECRET_BRANCH, T->nz | T->v)
DECIDES(brge, ECSIM_SECRET_BRANCH, T->nz | T->v)
DECIDES(brhs, ECSIM_SECRET_BRANCH, T->q)
DECIDES(brhc, ECSIM_SECRET_BRANCH, T->q)
DECIDES(brts, ECSIM_SECRET_BRANCH, T->ge)
DECIDES(brtc, ECSIM_SECRET_BRANCH, T->ge)
DECIDES(brie, ECSIM_SECRET_BRANCH, T->ge) /* I comes with T, from SREG as a whole */
DECIDES(brid, ECSIM_SECRET_BRANCH, T->ge)
DECIDES(cpse, ECSIM_SECRET_BRANCH, UNLESS_SAME)
DECIDES(sbrc, ECSIM_SECRET_BRANCH, A)
DECIDES(sbrs, ECSIM_SECRET_BRANCH, A)
DECIDES(sbic, ECSIM_SECRET_BRANCH, taint_get(m, DATA(e->imm)))
DECIDES(sbis, ECSIM_SECRET_BRANCH, taint_get(m, DATA(e->imm)))
NOTHING(rjmp)
NOTHING(jmp)
DECIDES(ijmp, ECSIM_SECRET_TARGET, PAIR_SETS(Z))
DECIDES(eijmp, ECSIM_SECRET_TARGET, PAIR_SETS(Z) | T->csr[EIND])

/* The return address that is pushed is public. */
static inline void taint_call(ecsim *m, uint32_t pc, uint32_t target)
{
    const uint32_t bytes = avr_has_wide_pc(m) ? 3 : 2;
    FOUND(ECSIM_SECRET_TARGET, target);
    FOUND(ECSIM_SECRET_STORE_ADDRESS, T->r[SP]);
    for (uint32_t i = 0; i < bytes; i++) {
        ecs_shadow_store(m, DATA(m->r[SP] - i), 1, T->r[SP]);
    }
}
MOVES(rcall, taint_call(m, pc, 0))
MOVES(call, taint_call(m, pc, 0))
MOVES(icall, taint_call(m, pc, PAIR_SETS(Z)))
MOVES(eicall, taint_call(m, pc, PAIR_SETS(Z) | T->csr[EIND]))

FLOW_OF(ret)
{
    const uint32_t bytes = avr_has_wide_pc(m) ? 3 : 2;
    uint32_t sets = 0;
    for (uint32_t i = 1; i <= bytes; i++) {
        sets |= ecs_shadow_load(m, DATA(m->r[SP] + i), 1);
    }
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, T->r[SP]);
    FOUND(ECSIM_SECRET_TARGET, sets | T->r[SP]);
}
#define flow_reti flow_ret

NOTHING(undefined)
NOTHING(unpredictable)
NOTHING(not_modelled)
NOTHING(outside)

#endif
