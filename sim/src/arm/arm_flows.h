/* Flows that ARMv6-M and ARMv7-M share. Needs SET(e), the set of registers of a push or pop. */
#ifndef ECSIM_ARM_FLOWS_H
#define ECSIM_ARM_FLOWS_H

#include "arm.h"
#include "flows.h"

/* Registers of a set from or to memory, at `address`, which was computed from something
   with the labels `base`. A load returns the address behind the last one. */
static inline uint32_t arm_flow_load_set(ecsim *m, uint32_t pc, uint32_t base, uint32_t address,
                                         uint32_t set)
{
    FOUND(ECSIM_SECRET_LOAD_ADDRESS, base);
    return ecs_taint_load_set(m, address, set, ecs_taint_spread(base));
}

static inline void arm_flow_store_set(ecsim *m, uint32_t pc, uint32_t base, uint32_t address,
                                      uint32_t set)
{
    FOUND(ECSIM_SECRET_STORE_ADDRESS, base);
    ecs_taint_store_set(m, address, set, ecs_taint_spread(base));
}

FLOW_OF(push)
{
    arm_flow_store_set(m, pc, T->r[SP], m->r[SP] - 4u * e->a, SET(e));
}

FLOW_OF(pop)
{
    arm_flow_load_set(m, pc, T->r[SP], m->r[SP], SET(e));
}

FLOW_OF(pop_pc)
{
    const uint32_t base = T->r[SP], last = arm_flow_load_set(m, pc, base, m->r[SP], SET(e));
    FOUND(ECSIM_SECRET_TARGET, ecs_shadow_load(m, last, 4) | base);
}

/* The flags that a condition code reads: Arm DDI 0403, table A7-1. */
static inline uint32_t arm_taint_condition(const ecs_taint *taint, uint32_t condition)
{
    switch (condition >> 1) {
    case 0:
    case 2: return taint->nz;
    case 1: return taint->c;
    case 3: return taint->v;
    case 4: return taint->nz | taint->c;
    case 5:
    case 6: return taint->nz | taint->v;
    default: return 0;
    }
}

#define BRANCHES(name, condition) \
    DECIDES(name, ECSIM_SECRET_BRANCH, arm_taint_condition(T, condition))
BRANCHES(beq, 0)
BRANCHES(bne, 1)
BRANCHES(bcs, 2)
BRANCHES(bcc, 3)
BRANCHES(bmi, 4)
BRANCHES(bpl, 5)
BRANCHES(bvs, 6)
BRANCHES(bvc, 7)
BRANCHES(bhi, 8)
BRANCHES(bls, 9)
BRANCHES(bge, 10)
BRANCHES(blt, 11)
BRANCHES(bgt, 12)
BRANCHES(ble, 13)
NOTHING(b)
MOVES(bl, T->r[LR] = 0)

/* A special register by its SYSm, other than the flags. CONTROL says which stack pointer is r13. */
static inline uint32_t arm_taint_special(const ecs_taint *taint, uint32_t sysm)
{
    return ecs_taint_spread(taint->special) | (sysm == MSP || sysm == PSP ? taint->r[SP] : 0);
}

static inline void arm_taint_set_special(ecs_taint *taint, uint32_t sysm, uint32_t t)
{
    taint->special |= ecs_taint_fold(t | taint->r[SP]);
    if (sysm == MSP || sysm == PSP || sysm == CONTROL) {
        taint->r[SP] |= ecs_taint_spread(taint->special);
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

#endif
