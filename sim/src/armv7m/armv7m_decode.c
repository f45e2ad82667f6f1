/*
 * ARMv7-M decoder: from memory to an entry. armv7m_site.c reads memory, and armv7m_cost.c computes
 * the cost of an entry.
 */
#include "armv7m_bits.h"
#include "taint.h"

static const char *const row_names[ROW_COUNT] = {
#define ROW(name) [ROW_##name] = #name,
#include "armv7m.def"
};

/* Registers as in ecsim.h: those of ARMv6-M; Q and GE in the program status word;
 * 32 to 63 are s0..s31. */
static void set_register(ecsim *m, uint32_t index, uint32_t value)
{
    arm_set_register(m, index, value);
    if (index == PSR_INDEX) {
        m->q = bit(value, 27);
        m->ge = (m->isa->features & ARMV7M_DSP) != 0 ? bits(value, 19, 16) : 0;
    } else if (index >= 32 && index < 64) {
        m->s[index - 32] = value;
    }
}

static uint32_t get_register(const ecsim *m, uint32_t index)
{
    if (index >= 32 && index < 64) {
        return m->s[index - 32];
    }
    uint32_t value = arm_get_register(m, index);
    return index == PSR_INDEX ? value | (uint32_t)m->q << 27 | m->ge << 16 : value;
}

#define ISA(suffix, feature_set, executor, ...) \
    { \
        .name = "armv7m" suffix, .rows = row_names, .row_count = ROW_COUNT, \
        .decode = armv7m_decode, ECS_RUN(executor), .is_peripheral = arm_is_peripheral, \
        .is_long = arm_is_long, .thumb_bit = 1, .sp = SP, .status = PSR_INDEX, .block = arm_block, \
        .get_register = get_register, .unprivileged = CONTROL_NPRIV, .set_register = set_register, \
        .features = (feature_set), __VA_ARGS__ \
    }

const ecs_isa ecs_armv7m[4] = {ISA("", 0, armv7m, ), ISA("+dsp", ARMV7M_DSP, armv7m, ),
                               ISA("+dsp+fp", ARMV7M_DSP | ARMV7M_FP, armv7m, ),
                               ISA("+dsp+fp+dual", ARMV7M_DSP | ARMV7M_FP, armv7m_dual,
                                   .own_size = armv7m_dual_size, .begin = armv7m_dual_begin)};

void armv7m_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *to)
{
    armv7m_site at = armv7m_site_at(m, region, pc);
    armv7m_entry entry = armv7m_operands(&at);
    uint32_t size = WIDE(at.h1) ? 4 : 2, behind = pc + size;
    if ((at.in_it || armv7m_goes_on(&entry)) && behind - region->start < region->size) {
        armv7m_site next_at = armv7m_site_at(m, region, behind);
        armv7m_entry next = armv7m_operands(&next_at);
        armv7m_depend_on(m, behind);
        armv7m_cost(m, &at, &entry, &next_at, &next);
    } else {
        armv7m_cost(m, &at, &entry, NULL, NULL);
    }
    entry.size = (uint8_t)(size / 2 * sizeof entry);
    memcpy(to, &entry, sizeof entry);
}
