/* ARMv6-M: names of cost rows and operations, shared by decoder and executor. */
#ifndef ECSIM_ARMV6M_H
#define ECSIM_ARMV6M_H

#include "machine.h"

enum {
#define ROW(name) ROW_##name,
#include "armv6m.def"
    ROW_COUNT
};

enum {
#define OP(name, row) OP_##name,
#include "armv6m.def"
    OP_COUNT
};
_Static_assert(OP_COUNT <= 256 && ROW_COUNT <= ECS_MAX_ROWS, "an op is a byte");

extern const uint8_t armv6m_op_row[OP_COUNT];

void armv6m_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry);

/* Executors by variant: f = flash has a cost, p = profiling, t = taint, with both. */
void armv6m_run(ecsim *m, uint32_t budget);
void armv6m_run_f(ecsim *m, uint32_t budget);
void armv6m_run_p(ecsim *m, uint32_t budget);
void armv6m_run_fp(ecsim *m, uint32_t budget);
void armv6m_run_t(ecsim *m, uint32_t budget);

#endif
