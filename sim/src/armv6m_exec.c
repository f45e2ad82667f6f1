/* ARMv6-M executor: what its variants share, and the variants. */
#include "armv6m.h"
#include "armv6m_taint.h"
#include "exec.h"

/* Labels as values and computed goto are extensions that gcc and clang share; a table of functions would cost half
   the speed. */
#pragma GCC diagnostic ignored "-Wpedantic"

#define FLOW(name) FLOW_TAINT(name)
#define OP_LIST "armv6m.def"
#define OP_ROW armv6m_op_row
#define DECODE armv6m_decode

/* Flags are lazy: N is bit 31 of n, Z is (z == 0), C is c (0 or 1), V is bit 31 of v. */
#define LOAD_FLAGS() uint32_t n = m->n, z = m->z, c = m->c, v = m->v
#define RELOAD_FLAGS() (n = m->n, z = m->z, c = m->c, v = m->v)
#define SAVE_FLAGS() (m->n = n, m->z = z, m->c = c, m->v = v)
#define SET_NZ(value) (n = z = (value))
/* Flags of x + y and x - y, with the result already known; of a sum with carry, from its 33 bits. */
#define FLAGS_ADD(x, y, result) (SET_NZ(result), c = (result) < (x), v = ((x) ^ (result)) & ((y) ^ (result)))
#define FLAGS_SUB(x, y, result) (SET_NZ(result), c = (x) >= (y), v = ((x) ^ (y)) & ((x) ^ (result)))
#define FLAGS_CARRY(x, y, wide) \
    (SET_NZ((uint32_t)(wide)), c = (uint32_t)((wide) >> 32), v = ((x) ^ (uint32_t)(wide)) & ((y) ^ (uint32_t)(wide)))

/* A new stack pointer: its two low bits do not exist. */
static inline void set_sp(ecsim *m, uint32_t value)
{
    value &= ~3u;
    m->r[13] = value;
    if (value < m->stack_low) {
        m->stack_low = value;
    }
}

/* An address from a register or from memory to go to must carry the Thumb bit. */
#define NEED_THUMB(address) \
    do { \
        if (ECS_UNLIKELY(((address)&1) == 0)) { \
            FAULT(ECSIM_STATE, address); \
        } \
    } while (0)

#define BRANCH_IF(name, condition) \
    OPERATION(name, 1) \
    { \
        if (condition) { \
            sum += e->a; \
            if (PROFILE) { \
                m->row_count[ROW_branch_not_taken]--; \
                m->row_count[ROW_branch_taken]++; \
                ecs_profile_branch(m, NOW(), e->imm); \
            } \
            JUMP(e->imm); \
        } \
        NEXT(1); \
    }

/* MRS and MSR: Arm DDI 0419, B5.2.2 and B5.2.3. SYSm 0..3 show the flags, 8 and 9 the stack pointers. */
enum { PSR_LAST = 3, MSP = 8, PSP = 9, PRIMASK = 16, CONTROL = 20, CONTROL_SPSEL = 2 };

static bool is_active_sp(const ecsim *m, uint32_t sysm)
{
    return (sysm == PSP) == ((m->control & CONTROL_SPSEL) != 0);
}

static uint32_t special_read(const ecsim *m, uint32_t sysm)
{
    switch (sysm) {
    case MSP:
    case PSP: return is_active_sp(m, sysm) ? m->r[13] : m->other_sp;
    case PRIMASK: return m->primask;
    case CONTROL: return m->control;
    default: /* IPSR and EPSR read as 0 */ return sysm <= PSR_LAST ? ecsim_register(m, 16) : 0;
    }
}

static void special_write(ecsim *m, uint32_t sysm, uint32_t value)
{
    if (sysm <= PSR_LAST) {
        ecsim_set_register(m, 16, value);
    } else if (sysm == MSP || sysm == PSP) {
        if (is_active_sp(m, sysm)) {
            set_sp(m, value);
        } else {
            m->other_sp = value & ~3u;
        }
    } else if (sysm == PRIMASK) {
        m->primask = value & 1;
    } else if (sysm == CONTROL && ((value ^ m->control) & CONTROL_SPSEL) != 0) {
        uint32_t sp = m->other_sp;
        m->other_sp = m->r[13];
        m->control ^= CONTROL_SPSEL;
        set_sp(m, sp);
    }
}

#define TAINT 0
#define FLASH 0
#define PROFILE 0
#define RUN armv6m_run
#include "armv6m_exec.inc"
#undef PROFILE
#undef RUN

#define PROFILE 1
#define RUN armv6m_run_p
#include "armv6m_exec.inc"
#undef FLASH
#undef PROFILE
#undef RUN

#define FLASH 1
#define PROFILE 0
#define RUN armv6m_run_f
#include "armv6m_exec.inc"
#undef PROFILE
#undef RUN

#define PROFILE 1
#define RUN armv6m_run_fp
#include "armv6m_exec.inc"
#undef TAINT
#undef RUN

#define TAINT 1
#define RUN armv6m_run_t
#include "armv6m_exec.inc"
