/* What ARMv6-M and ARMv7-M share (arm.h). */
#include "arm.h"

#include <string.h>

#define VTOR 0xE000ED08u /* Arm DDI 0403, B3.2.5; bits 31..7 */
#define TABLE_BITS 0xFFFFFF80u
#define SVCALL 11u /* exception number */
/* EXC_RETURN: B1.5.8; to Thread mode, on the main or on the process stack. */
#define RETURN_MAIN 0xFFFFFFF9u
#define RETURN_PROCESS 0xFFFFFFFDu
/* The stacked program status word: Thumb state; the stack was aligned; what must be 0 for a return
 * to Thread mode outside an IT block. */
#define PSR_T (1u << 24)
#define PSR_ALIGNED (1u << 9)
#define PSR_ZERO 0x0600FDFFu
#define FRAME_WORDS 8u
static const uint8_t frame_registers[FRAME_WORDS - 2] = {0, 1, 2, 3, 12, LR};

bool arm_is_peripheral(uint32_t address)
{
    return (address >= 0x40000000 && address < 0x60000000) || address >= 0xA0000000;
}

bool arm_is_long(const uint8_t *code)
{
    return code[1] >= WIDE_PREFIX;
}

void arm_block(const ecsim *m, uint32_t *address, uint32_t *size)
{
    *address = m->r[0];
    *size = m->r[1];
}

void arm_set_register(ecsim *m, uint32_t index, uint32_t value)
{
    if (index == SP) {
        m->r[SP] = value & ~3u;
    } else if (index < PC_INDEX) {
        m->r[index] = value;
    } else if (index == PC_INDEX) {
        m->pc = value;
    } else if (index == PSR_INDEX) {
        m->n = value;
        m->z = ~value & 1u << 30;
        m->c = value >> 29 & 1;
        m->v = value << 3;
    }
}

uint32_t arm_get_register(const ecsim *m, uint32_t index)
{
    if (index < PSR_INDEX) {
        return index == PC_INDEX ? m->pc : m->r[index];
    }
    uint32_t zero = m->z == 0;
    return index != PSR_INDEX ? 0
                              : (m->n & 1u << 31) | zero << 30 | m->c << 29 | (m->v >> 31) << 28;
}

static bool is_active_sp(const ecsim *m, uint32_t sysm)
{
    return (sysm == PSP) == ((m->control & CONTROL_SPSEL) != 0);
}

uint32_t arm_special_read(const ecsim *m, uint32_t sysm)
{
    switch (sysm) {
    case MSP:
    case PSP: return m->unprivileged ? 0 : is_active_sp(m, sysm) ? m->r[SP] : m->other_sp;
    case PRIMASK: return m->unprivileged ? 0 : m->primask;
    case CONTROL: return m->control;
    default: /* 0 to 7: IPSR is in the odd ones, the flags in the first four */
        return (sysm <= PSR_LAST ? m->isa->get_register(m, PSR_INDEX) : 0) |
               (sysm < MSP && (sysm & 1) != 0 ? m->exception : 0);
    }
}

/* The other stack becomes the active one. */
static void swap_stacks(ecsim *m)
{
    const uint32_t sp = m->other_sp;
    m->other_sp = m->r[SP];
    m->control ^= CONTROL_SPSEL;
    arm_set_sp(m, sp);
}

static void set_mode(ecsim *m, uint32_t exception)
{
    m->exception = exception;
    m->unprivileged = exception == 0 && (m->control & CONTROL_NPRIV) != 0;
    ecs_cool(m);
}

void arm_special_write(ecsim *m, uint32_t sysm, uint32_t value)
{
    if (m->unprivileged) {
        return;
    }
    switch (sysm) {
    case MSP:
    case PSP:
        if (is_active_sp(m, sysm)) {
            arm_set_sp(m, value);
        } else {
            m->other_sp = value & ~3u;
        }
        break;
    case PRIMASK: m->primask = value & 1; break;
    case CONTROL:
        if (m->exception == 0 && ((value ^ m->control) & CONTROL_SPSEL) != 0) {
            swap_stacks(m);
        }
        if (m->isa->unprivileged) {
            m->control = (m->control & CONTROL_SPSEL) | (value & CONTROL_NPRIV);
            set_mode(m, m->exception);
        }
        break;
    default: break;
    }
}

static bool word_at(const ecsim *m, uint32_t address, uint32_t *value)
{
    return ecsim_read(m, address, (uint8_t *)value, sizeof *value) == 0;
}

bool arm_enter(ecsim *m, uint32_t pc)
{
    const uint32_t old = m->r[SP], sp = (old - 4 * FRAME_WORDS) & ~4u;
    const uint32_t psr = m->isa->get_register(m, PSR_INDEX) | PSR_T;
    uint32_t frame[FRAME_WORDS], table, vector;
    m->fault = ECSIM_SUPERVISOR;
    m->fault_address = pc;
    if (m->exception != 0 || m->primask != 0 || m->faultmask != 0 || !word_at(m, VTOR, &table) ||
        !word_at(m, (table & TABLE_BITS) + 4 * SVCALL, &vector) || (vector & 1) == 0) {
        return false;
    }
    for (uint32_t i = 0; i < FRAME_WORDS - 2; i++) {
        frame[i] = m->r[frame_registers[i]];
    }
    frame[FRAME_WORDS - 2] = pc + 2;
    frame[FRAME_WORDS - 1] = psr | ((old & 4) != 0 ? PSR_ALIGNED : 0);
    for (uint32_t i = 0; i < FRAME_WORDS; i++) {
        uint8_t *to = ecs_write_at(m, sp + 4 * i, 4);
        if (to == NULL) {
            return false;
        }
        memcpy(to, &frame[i], 4);
    }
    m->fault = ECSIM_OK;
    arm_set_sp(m, sp);
    m->r[LR] = RETURN_MAIN;
    if ((m->control & CONTROL_SPSEL) != 0) {
        m->r[LR] = RETURN_PROCESS;
        swap_stacks(m);
    }
    m->exclusive = false;
    set_mode(m, SVCALL);
    m->pc = vector & ~1u;
    return true;
}

bool arm_leave(ecsim *m, uint32_t target)
{
    const bool process = target == (RETURN_PROCESS & ~1u);
    const uint32_t exception = m->exception, sp = process ? m->other_sp : m->r[SP];
    uint32_t frame[FRAME_WORDS], i = 0;
    m->fault = ECSIM_EXECUTE;
    m->fault_address = target;
    if (!process && target != (RETURN_MAIN & ~1u)) {
        return false;
    }
    set_mode(m, 0); /* the frame is read as who goes on may read it */
    for (; i < FRAME_WORDS; i++) {
        const uint8_t *from = ecs_read_at(m, sp + 4 * i, 4);
        if (from == NULL) {
            break;
        }
        memcpy(&frame[i], from, 4);
    }
    if (i != FRAME_WORDS || (frame[7] & (PSR_T | PSR_ZERO)) != PSR_T) {
        m->fault = i != FRAME_WORDS ? m->fault : ECSIM_STATE;
        set_mode(m, exception);
        return false;
    }
    m->fault = ECSIM_OK;
    m->faultmask = 0;
    m->exclusive = false;
    if (process) {
        swap_stacks(m);
    }
    arm_set_sp(m, (sp + 4 * FRAME_WORDS) | ((frame[7] & PSR_ALIGNED) != 0 ? 4 : 0));
    for (i = 0; i < FRAME_WORDS - 2; i++) {
        m->r[frame_registers[i]] = frame[i];
    }
    m->isa->set_register(m, PSR_INDEX, frame[7]);
    m->pc = frame[FRAME_WORDS - 2] & ~1u;
    return true;
}
