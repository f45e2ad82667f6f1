/* What a run can change, kept and put back; and runs that stop where the caller wants to look. */
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define STACK_BELOW 8192u /* bytes below the stack pointer that a digest leaves out */

struct ecsim_state {
    ecsim machine; /* of its pointers none is used */
    uint8_t *ram[ECSIM_MAX_REGIONS];
};

void ecsim_state_free(ecsim_state *state)
{
    for (uint32_t i = 0; state != NULL && i < ECSIM_MAX_REGIONS; i++) {
        free(state->ram[i]);
    }
    free(state);
}

ecsim_state *ecsim_save(const ecsim *m)
{
    ecsim_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    state->machine = *m;
    for (uint32_t i = 0; i < m->region_count; i++) {
        const ecs_region *region = &m->region[i];
        if (region->kind == ECSIM_RAM) {
            state->ram[i] = malloc(region->size);
            if (state->ram[i] == NULL) {
                ecsim_state_free(state);
                return NULL;
            }
            memcpy(state->ram[i], region->bytes, region->size);
        }
    }
    return state;
}

void ecsim_restore(ecsim *m, const ecsim_state *state)
{
    const ecsim *from = &state->machine;
    memcpy(m->r, from->r, sizeof m->r);
    memcpy(m->s, from->s, sizeof m->s);
    memcpy(m->csr, from->csr, sizeof m->csr);
    m->n = from->n;
    m->z = from->z;
    m->c = from->c;
    m->v = from->v;
    m->h = from->h;
    m->less = from->less;
    m->ti = from->ti;
    m->primask = from->primask;
    m->other_sp = from->other_sp;
    m->q = from->q;
    m->exclusive = from->exclusive;
    m->ge = from->ge;
    m->basepri = from->basepri;
    m->faultmask = from->faultmask;
    m->fpscr = from->fpscr;
    for (uint32_t i = 0; i < m->region_count; i++) {
        if (state->ram[i] != NULL) {
            memcpy(m->region[i].bytes, state->ram[i], m->region[i].size);
            ecs_forget(m, &m->region[i], 0, m->region[i].size);
        }
    }
    ecsim_begin(m, from->pc | m->isa->thumb_bit, 0);
    m->it_at = from->it_at;
    m->control = from->control;
    m->exception = from->exception;
    m->unprivileged = from->unprivileged;
    ecs_cool(m);
}

void ecsim_put_pc(ecsim *m, uint32_t pc)
{
    if (m->it_at == m->pc) { /* an IT that is left out has no block, in whichever turn of a loop */
        m->it_at = ECS_NOWHERE;
    }
    if (m->flash.before == ECS_HELD) { /* the word that is left was not fetched */
        m->flash.before = ECS_LEFT;
    }
    m->pc = pc & ~m->isa->thumb_bit;
    m->stop = ECSIM_LIMIT;
}

int ecsim_resume(ecsim *m)
{
    const ecs_region *region = ecs_region_at(m, m->pc);
    if (m->stop != ECSIM_BKPT || region == NULL) {
        return -1;
    }
    const uint32_t length = m->isa->is_long(region->bytes + (m->pc - region->start)) ? 4 : 2;
    const uint32_t marker = m->bkpt != ECSIM_NO_NUMBER ? m->isa->marker : 0;
    ecsim_put_pc(m, m->pc + length + marker);
    return 0;
}

static bool inside(uint32_t pc, const ecsim_range *ranges, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (pc - ranges[i].start < ranges[i].size) {
            return true;
        }
    }
    return false;
}

uint32_t ecsim_run_to(ecsim *m, const ecsim_range *ranges, uint32_t n, uint64_t instructions)
{
    while (m->stop == ECSIM_LIMIT && instructions-- != 0) {
        m->isa->run[0][0](m, 1);
        if (inside(m->pc, ranges, n)) {
            break;
        }
    }
    return m->stop;
}

int ecsim_bank(ecsim *m, uint32_t address, uint32_t latency)
{
    ecs_region *region = ecs_region_at(m, address);
    if (region == NULL || region->kind != ECSIM_RAM || latency > ECSIM_MAX_LATENCY) {
        return -1;
    }
    region->latency = latency;
    m->banks = m->banks || latency != 0;
    ecs_cool(m);
    return 0;
}

int ecsim_privileged(ecsim *m, uint32_t address)
{
    ecs_region *region = ecs_region_at(m, address);
    if (region == NULL) {
        return -1;
    }
    region->privileged = true;
    ecs_cool(m);
    return 0;
}

int ecsim_guard(ecsim *m, uint32_t address)
{
    ecs_region *region = ecs_region_at(m, address);
    if (region == NULL) {
        return -1;
    }
    region->guarded = true;
    return 0;
}

uint64_t ecsim_visits(ecsim *m, uint32_t start, uint32_t halfwords, const uint32_t *wanted,
                      uint32_t *count, uint64_t *when, uint64_t instructions)
{
    uint64_t done = 0;
    while (m->stop == ECSIM_LIMIT && done < instructions) {
        const uint32_t i = (m->pc - start) / 2;
        if (i < halfwords && (++count[i] == wanted[i] || wanted[i] == 0)) {
            when[i] = done;
        }
        m->isa->run[0][0](m, 1);
        done++;
    }
    return done;
}

/* One step of a digest; each word enters by a multiplication that loses nothing. */
static uint64_t mixed(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
}

uint64_t ecsim_digest(const ecsim *m, uint32_t registers)
{
    uint64_t digest = mixed(1, m->pc);
    const uint32_t sp = m->r[m->isa->sp];
    for (uint32_t i = 0; i < 32; i++) {
        digest = mixed(digest, (registers >> i & 1) != 0 ? m->r[i] : 0);
    }
    digest = mixed(digest, (uint64_t)m->primask << 32 | m->exception << 2 | m->control);
    digest = mixed(digest, m->other_sp);
    for (uint32_t i = 0; i < m->region_count; i++) {
        const ecs_region *region = &m->region[i];
        uint32_t from = 0;
        if (region->kind != ECSIM_RAM) {
            continue;
        }
        for (from = 0; from + 8 <= region->size; from += 8) {
            const uint32_t address = region->start + from;
            uint64_t word;
            if (address < sp && sp - address < STACK_BELOW) {
                continue;
            }
            memcpy(&word, region->bytes + from, 8);
            digest = mixed(digest, word);
        }
    }
    return digest;
}
