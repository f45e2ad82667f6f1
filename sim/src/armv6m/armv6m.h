/* ARMv6-M: names of cost rows and operations, shared by decoder and executor. */
#ifndef ECSIM_ARMV6M_H
#define ECSIM_ARMV6M_H

#include "arm.h"

#define ISA_LIST "armv6m.def"
#include "isa.inc"

extern const uint8_t armv6m_op_row[OP_COUNT];

void armv6m_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry);

ECS_EXECUTORS(armv6m);

#endif
