/*
 * ARMv7-M: an instruction in memory, as its decoder and its costs look at it: where it stands,
 * its halfwords, its condition, its operands. The encodings are in armv7m_narrow.c (16-bit
 * instructions) and armv7m_wide.c (32-bit).
 *
 * IT blocks: an executed IT leaves its address in m->it_at. An instruction that is decoded
 * while it lies in the block of that IT takes its condition from it, for good: the entry remembers.
 * So the state of the IT block needs no room in the registers, and costs nothing per instruction.
 * A branch into an IT block is unpredictable in the architecture; here the condition
 * that was decoded first stays.
 *
 * An entry depends on the instructions behind it and, for a direct branch, on the one
 * at its target. In flash they cannot change during a run; in RAM, armv7m_depend_on marks what was
 * looked at, so that a store to it makes memory.c forget all decoded code in RAM.
 */
#include <string.h>

#include "armv7m_bits.h"
#include "taint.h"

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

/* Position in the block of the IT at that address, if the instruction lies in it.
 * Arm DDI 0403, A7.3.2: ITSTATE. */
static void find_condition(uint32_t it, armv7m_site *at)
{
    uint32_t distance = at->pc - it;
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

static armv7m_site plain_site(const ecsim *m, const ecs_region *region, uint32_t pc)
{
    return (armv7m_site){.region = region,
                         .pc = pc,
                         .h1 = halfword(region, pc),
                         .h2 = halfword(region, pc + 2),
                         .condition = ALWAYS,
                         .features = m->isa->features};
}

armv7m_site armv7m_site_at(const ecsim *m, const ecs_region *region, uint32_t pc)
{
    armv7m_site at = plain_site(m, region, pc);
    find_condition(m->it_at, &at);
    return at;
}

/* Halfwords that begin a 32-bit instruction may also end one. What stands before a run
   of them ends an instruction, so the run begins with one, and its length says whether the halfword
   behind it does. */
bool armv7m_site_before(ecsim *m, const armv7m_site *at, armv7m_site *before)
{
    uint32_t pc = at->pc - 2, start = at->region->start, run = 0;
    if (at->pc == start || WIDE(halfword(at->region, pc))) {
        return false;
    }
    while (pc - 2 * run > start && WIDE(halfword(at->region, pc - 2 * run - 2))) {
        run++;
    }
    if (run % 2 != 0) {
        return false;
    }
    armv7m_depend_on(m, pc);
    *before = plain_site(m, at->region, pc);
    for (uint32_t back = 2; back <= 14 && !before->in_it; back += 2) {
        find_condition(pc - back, before);
    }
    return true;
}

armv7m_entry armv7m_operands(const armv7m_site *at)
{
    if (!WIDE(at->h1)) {
        return armv7m_narrow(at);
    }
    return at->region->size - (at->pc - at->region->start) < 4 ? D(outside, .a = 0)
                                                               : armv7m_wide(at);
}
