/* ARMv6-M executor, compiled once per variant (exec.h): what its operations (armv6m_exec.inc)
 * are made of. */
#include "armv6m.h"
#include "armv6m_taint.h"
#include "arm_exec.h"
#include "exec.h"

#define FLOW(name) FLOW_TAINT(name)
#define OP_LIST "armv6m.def"
#define OP_ROW armv6m_op_row
#define DECODE armv6m_decode

#define BRANCH_IF(name, condition) \
    OPERATION(name, 1) \
    { \
        if (condition) { \
            TAKEN(branch); \
            JUMP(e->imm); \
        } \
        NEXT(1); \
    }

static void special_write(ecsim *m, uint32_t sysm, uint32_t value)
{
    if (sysm <= PSR_LAST) {
        m->isa->set_register(m, PSR_INDEX, value);
    } else {
        arm_special_write(m, sysm, value);
    }
}

#include "armv6m_exec.inc"
