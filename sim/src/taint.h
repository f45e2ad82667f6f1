/*
 * Taint: which registers and bytes of memory hold something that was computed from a secret.
 *
 * A secret has labels, a set of up to eight (bits 0..7), so that a finding can say
 * which secret it came from. Memory has one set per byte, in a shadow of each RAM region;
 * a register has a word of four sets, one per byte, which so load and store like the bytes
 * themselves; flags have a set each for N and Z, for C and for V. Zero is public.
 *
 * An executor's TAINT variant calls, before each operation, its flow_<operation> (<isa>_taint.h):
 * it moves the sets as the operation will move the values, and reports where a secret decides about
 * time. Flows follow data, not control: what a secret branch leads to is a finding at the branch;
 * nor what an instruction does that was itself computed from a secret, which is a finding where it
 * is executed. They may say secret where bits happen to be public (an AND with a public mask,
 * a multiplication by zero), never the reverse.
 */
#ifndef ECSIM_TAINT_H
#define ECSIM_TAINT_H

#include <string.h>

#include "machine.h"

typedef struct ecs_taint {
    uint32_t r[ECS_REGISTERS]; /* as m->r */
    uint32_t nz, c, v;         /* one set each */
    uint32_t s[32];            /* ARMv7-M: floating-point registers, as r */
    uint32_t q, ge, fpscr;     /* likewise: one set each */
    uint32_t special;       /* Arm: all special registers but those of flags, one set; grows only */
    uint32_t csr[ECS_CSRS]; /* as m->csr */
    uint32_t under; /* ARMv7-M: labels of the condition that the current instruction stands under */
    bool variable[ECS_MAX_ROWS]; /* on this core the time of the row depends on the operands */
    bool variable_shift;         /* and that of a shift by register on how far it shifts */
    uint32_t landed;             /* where the last transfer went, if it was no call and no return */
    struct ecs_findings *findings;
} ecs_taint;

/* A finding of that kind at an instruction, by secrets of these labels. */
void ecs_taint_found(ecsim *m, uint32_t pc, ecsim_finding_kind kind, uint32_t labels);

/* The instruction is a point where something is declared public (ecsim_public_at). */
void ecs_taint_point(ecsim *m, uint32_t pc);

/* The instruction at pc, in RAM, is about to be executed; or its `size` bytes decide how another
   one is. */
void ecs_taint_execute(ecsim *m, const ecs_region *region, uint32_t pc);
void ecs_taint_code(ecsim *m, const ecs_region *region, uint32_t pc, uint32_t size);

/* Findings and registers as at the start of a run; frees all. */
bool ecs_taint_begin(ecsim *m);
void ecs_taint_free(ecsim *m);

/* All labels of a word, as one set. */
static inline uint32_t ecs_taint_fold(uint32_t t)
{
    t |= t >> 16;
    return (t | t >> 8) & 255;
}

/* Each byte may depend on each. */
static inline uint32_t ecs_taint_spread(uint32_t t)
{
    return ecs_taint_fold(t) * 0x01010101u;
}

/* Each byte may depend on itself and those below: carries. */
static inline uint32_t ecs_taint_upward(uint32_t t)
{
    t |= t << 8;
    return t | t << 16;
}

/* Shifted by 0..31 and 0..32 bits: a byte may come to lie in two. */
static inline uint32_t ecs_taint_left(uint32_t t, uint32_t bits)
{
    return (uint32_t)((uint64_t)t << (bits & ~7u) | (uint64_t)t << ((bits + 7) & ~7u));
}

static inline uint32_t ecs_taint_right(uint32_t t, uint32_t bits)
{
    return (uint32_t)((uint64_t)t >> (bits & ~7u) | (uint64_t)t >> ((bits + 7) & ~7u));
}

/* With copies of the sign. */
static inline uint32_t ecs_taint_right_signed(uint32_t t, uint32_t bits)
{
    return ecs_taint_right(t, bits) | (bits != 0 ? ecs_taint_spread(t & 0xFF000000u) : 0);
}

/* The shadow of `size` <= 4 bytes in RAM, or null: flash, outside memory, or at its end,
 * where the access will fault. */
static inline uint8_t *ecs_shadow(ecsim *m, uint32_t address, uint32_t size)
{
    ecs_region *region = m->hot;
    if (ECS_UNLIKELY(region == NULL || address - region->start >= region->size)) {
        region = ecs_region_at(m, address);
    }
    if (region == NULL || region->shadow == NULL ||
        region->size - (address - region->start) < size) {
        return NULL;
    }
    return region->shadow + (address - region->start);
}

static inline uint32_t ecs_shadow_load(ecsim *m, uint32_t address, uint32_t size)
{
    const uint8_t *from = ecs_shadow(m, address, size);
    uint32_t t = 0;
    if (from != NULL) {
        memcpy(&t, from, size);
    }
    return t;
}

static inline void ecs_shadow_store(ecsim *m, uint32_t address, uint32_t size, uint32_t t)
{
    uint8_t *to = ecs_shadow(m, address, size);
    if (to != NULL) {
        memcpy(to, &t, size);
    }
}

/* Words from or into the registers of a set; `also`: of the address.
 * A load returns the address behind the last one. */
static inline uint32_t ecs_taint_load_set(ecsim *m, uint32_t address, uint32_t set, uint32_t also)
{
    for (; set != 0; set &= set - 1, address += 4) {
        m->taint->r[__builtin_ctz(set)] = ecs_shadow_load(m, address, 4) | also;
    }
    return address;
}

static inline void ecs_taint_store_set(ecsim *m, uint32_t address, uint32_t set, uint32_t also)
{
    for (; set != 0; set &= set - 1, address += 4) {
        ecs_shadow_store(m, address, 4, m->taint->r[__builtin_ctz(set)] | also);
    }
}

#endif
