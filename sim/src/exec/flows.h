/*
 * What flows are made of (taint.h). Each <isa>_taint.h includes this, and an executor includes one
 * of those; a flow has m, e and pc. An instruction set that has its own layout
 * of an entry defines FLOW_ENTRY before.
 */
#ifndef ECSIM_FLOWS_H
#define ECSIM_FLOWS_H

#include "taint.h"

#ifndef FLOW_ENTRY
#define FLOW_ENTRY ecs_entry
#endif
#define UNUSED __attribute__((unused))
#define FLOW_OF(name) \
    static inline void flow_##name(ecsim *m UNUSED, const FLOW_ENTRY *e UNUSED, uint32_t pc UNUSED)

/* Taint, and that of the registers that an entry names. */
#define T (m->taint)
#define A (m->taint->r[e->a])
#define B (m->taint->r[e->b])
#define C (m->taint->r[e->c])
#define D (m->taint->r[e->d])

#define FOUND(kind, labels) \
    do { \
        const uint32_t found_ = (labels); \
        if (ECS_UNLIKELY(found_ != 0)) { \
            ecs_taint_found(m, pc, kind, found_); \
        } \
    } while (0)
/* The operands of an instruction of a row. */
#define FOUND_OPERAND(row, labels) \
    do { \
        if (m->taint->variable[row]) { \
            FOUND(ECSIM_SECRET_OPERAND, labels); \
        } \
    } while (0)
/* How far a shift by register shifts. */
#define FOUND_SHIFT(labels) \
    do { \
        if (m->taint->variable_shift) { \
            FOUND(ECSIM_SECRET_OPERAND, labels); \
        } \
    } while (0)

/* An operation that leaves taint alone: it writes no register and no flag, or only constants
 * where taint is not kept. */
#define NOTHING(name) \
    FLOW_OF(name) {}
/* One that moves taint and can give no finding. */
#define MOVES(name, expression) \
    FLOW_OF(name) \
    { \
        (void)(expression); \
    }
/* One that finds something and moves nothing. */
#define DECIDES(name, kind, sets) \
    FLOW_OF(name) \
    { \
        FOUND(kind, sets); \
    }

/* Loads and stores of `size` bytes. sets: of what the address was computed from; then:
   what else changes, before the result `to`. A load extends the sets `loaded`. */
#define LOAD_FLOW(name, size, sets, address, to, extended, then) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_LOAD_ADDRESS, sets_); \
        const uint32_t loaded = ecs_shadow_load(m, (address), size); \
        then; \
        to = (extended) | ecs_taint_spread(sets_); \
    }
#define STORE_FLOW(name, size, sets, address, from, then) \
    FLOW_OF(name) \
    { \
        const uint32_t sets_ = (sets); \
        FOUND(ECSIM_SECRET_STORE_ADDRESS, sets_); \
        ecs_shadow_store(m, (address), size, (from) | ecs_taint_spread(sets_)); \
        then; \
    }
#define NO_MORE (void)0
#define UNSIGNED loaded
#define SIGNED_8 ecs_taint_spread(loaded)
#define SIGNED_16 (loaded | ecs_taint_spread(loaded & 0xFF00))

#endif
