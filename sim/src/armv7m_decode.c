/*
 * ARMv7-M decoder: from memory to an entry. The encodings are in armv7m_narrow.c (16-bit
 * instructions) and armv7m_wide.c (32-bit instructions), what an entry costs in armv7m_cost.c.
 *
 * IT blocks: an executed IT leaves its address in m->it_at. An instruction that is decoded
 * while it lies in the block of that IT takes its condition from it, for good: the entry remembers.
 * So the state of the IT block needs no room in the registers, and costs nothing per instruction.
 * A branch into an IT block is unpredictable in the architecture; here the condition
 * that was decoded first stays.
 *
 * An entry depends on the instruction behind it and, for a direct branch, on the one at its target.
 * In flash they cannot change during a run; in RAM, armv7m_depend_on marks what was looked at,
 * so that a store to it makes memory.c forget all decoded code in RAM.
 */
#include <string.h>

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

#define ISA(suffix, feature_set) \
    { \
        .name = "armv7m" suffix, .rows = row_names, .row_count = ROW_COUNT, \
        .decode = armv7m_decode, ECS_RUN(armv7m), .is_peripheral = arm_is_peripheral, \
        .is_long = arm_is_long, .thumb_bit = 1, .sp = SP, .get_register = get_register, \
        .set_register = set_register, .features = (feature_set), \
    }

const ecs_isa ecs_armv7m[3] = {ISA("", 0), ISA("+dsp", ARMV7M_DSP),
                               ISA("+dsp+fp", ARMV7M_DSP | ARMV7M_FP)};

void armv7m_depend_on(ecsim *m, uint32_t address)
{
    ecs_region *region = ecs_region_at(m, address);
    if (region != NULL && region->kind == ECSIM_RAM &&
        region->code[(address - region->start) / 2].op == OP_decode) {
        region->code[(address - region->start) / 2].op = OP_peeked;
        ecs_holds_code(m, region);
    }
    if (region != NULL && region->shadow != NULL && m->tainting) {
        ecs_taint_code(m, region, address, 2);
    }
}

static uint32_t halfword(const ecs_region *region, uint32_t address)
{
    uint16_t value;
    uint32_t offset = address - region->start;
    if (offset >= region->size) {
        return 0;
    }
    memcpy(&value, region->bytes + offset, sizeof value);
    return value;
}

/* Position in the block of the IT at m->it_at, if the instruction lies in it.
 * Arm DDI 0403, A7.3.2: ITSTATE. */
static void find_condition(const ecsim *m, armv7m_site *at)
{
    uint32_t it = m->it_at, distance = at->pc - it;
    at->condition = ALWAYS;
    if (distance - 2 > 4 * 4 - 4 || it - at->region->start >= at->region->size) {
        return; /* a block is at most 16 bytes */
    }
    uint32_t h = halfword(at->region, it), state = h & 0xFF;
    if (h >> 8 != 0xBF || (state & 15) == 0) {
        return;
    }
    for (uint32_t pc = it + 2; (state & 15) != 0 && pc <= at->pc;
         state = (state & 0xE0) | (state << 1 & 0x1F)) {
        if (pc == at->pc) {
            at->condition = state >> 4;
            at->in_it = true;
            at->last = (state & 7) == 0;
            return;
        }
        pc += WIDE(halfword(at->region, pc)) ? 4 : 2;
    }
}

static armv7m_site site_at(const ecsim *m, const ecs_region *region, uint32_t pc)
{
    armv7m_site at = {.region = region, .pc = pc, .features = m->isa->features};
    at.h1 = halfword(region, pc);
    at.h2 = halfword(region, pc + 2);
    find_condition(m, &at);
    return at;
}

static armv7m_entry operands(const armv7m_site *at)
{
    if (!WIDE(at->h1)) {
        return armv7m_narrow(at);
    }
    return at->region->size - (at->pc - at->region->start) < 4 ? D(outside, .a = 0)
                                                               : armv7m_wide(at);
}

void armv7m_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *to)
{
    armv7m_site at = site_at(m, region, pc);
    armv7m_entry entry = operands(&at);
    uint32_t size = WIDE(at.h1) ? 4 : 2, behind = pc + size;
    if ((at.in_it || armv7m_goes_on(&entry)) && behind - region->start < region->size) {
        armv7m_site next_at = site_at(m, region, behind);
        armv7m_entry next = operands(&next_at);
        armv7m_depend_on(m, behind);
        armv7m_cost(m, &at, &entry, &next_at, &next);
    } else {
        armv7m_cost(m, &at, &entry, NULL, NULL);
    }
    entry.size = (uint8_t)(size / 2 * sizeof entry);
    memcpy(to, &entry, sizeof entry);
}
