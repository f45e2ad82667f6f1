/* What ARMv6-M and ARMv7-M share (arm.h). */
#include "arm.h"

bool arm_is_peripheral(uint32_t address)
{
    return (address >= 0x40000000 && address < 0x60000000) || address >= 0xA0000000;
}

bool arm_is_long(const uint8_t *code)
{
    return code[1] >= WIDE_PREFIX;
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
    case PSP: return is_active_sp(m, sysm) ? m->r[SP] : m->other_sp;
    case PRIMASK: return m->primask;
    case CONTROL: return m->control;
    default: return sysm <= PSR_LAST ? m->isa->get_register(m, PSR_INDEX) : 0;
    }
}

void arm_special_write(ecsim *m, uint32_t sysm, uint32_t value)
{
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
        if (((value ^ m->control) & CONTROL_SPSEL) != 0) {
            uint32_t sp = m->other_sp;
            m->other_sp = m->r[SP];
            m->control ^= CONTROL_SPSEL;
            arm_set_sp(m, sp);
        }
        break;
    default: break;
    }
}
