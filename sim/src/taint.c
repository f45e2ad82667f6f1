/* Taint: marking secrets, points of declaration, and the table of findings.
 * What it means: taint.h. */
#include "taint.h"

#include <stdlib.h>

enum { SLOTS = 1 << 12, MAX_FINDINGS = SLOTS / 4 * 3 };

typedef struct {
    uint32_t pc, what;
} point;

struct ecs_findings {
    ecsim_finding finding[MAX_FINDINGS];
    uint16_t slot[SLOTS]; /* number of the finding + 1, by hash of place and kind; 0 = free */
    uint32_t count;
    point *points;
    uint32_t point_count;
};

/* The state of a machine's taint and the shadows of its RAM, made at first use. */
static bool make(ecsim *m)
{
    if (m->taint == NULL) {
        m->taint = calloc(1, sizeof *m->taint);
        if (m->taint == NULL) {
            return false;
        }
        m->taint->findings = calloc(1, sizeof *m->taint->findings);
    }
    if (m->taint->findings == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < m->region_count; i++) {
        ecs_region *region = &m->region[i];
        if (region->kind == ECSIM_RAM && region->shadow == NULL) {
            region->shadow = calloc(region->size, 1);
            if (region->shadow == NULL) {
                return false;
            }
        }
    }
    return true;
}

bool ecs_taint_begin(ecsim *m)
{
    if (!make(m)) {
        return false;
    }
    memset(m->taint->r, 0, sizeof m->taint->r);
    memset(m->taint->s, 0, sizeof m->taint->s);
    memset(m->taint->csr, 0, sizeof m->taint->csr);
    m->taint->nz = m->taint->c = m->taint->v = m->taint->q = m->taint->ge = m->taint->fpscr =
        m->taint->special = 0;
    m->taint->under = 0;
    memset(m->taint->findings->slot, 0, sizeof m->taint->findings->slot);
    m->taint->findings->count = 0;
    return true;
}

void ecs_taint_free(ecsim *m)
{
    for (uint32_t i = 0; i < m->region_count; i++) {
        free(m->region[i].shadow);
        free(m->region[i].points);
    }
    if (m->taint != NULL && m->taint->findings != NULL) {
        free(m->taint->findings->points);
        free(m->taint->findings);
    }
    free(m->taint);
}

int ecsim_secret(ecsim *m, uint32_t address, uint32_t size, uint32_t labels)
{
    ecs_region *region = ecs_region_at(m, address);
    if (labels > 255 || region == NULL || region->kind != ECSIM_RAM || !make(m) ||
        size > region->size - (address - region->start)) {
        return -1;
    }
    memset(region->shadow + (address - region->start), (int)labels, size);
    return 0;
}

int ecsim_labels(const ecsim *m, uint32_t address, uint8_t *labels, uint32_t size)
{
    for (uint32_t i = 0; i < m->region_count; i++) {
        uint32_t offset = address - m->region[i].start;
        if (offset < m->region[i].size && size <= m->region[i].size - offset) {
            memset(labels, 0, size);
            if (m->region[i].shadow != NULL) {
                memcpy(labels, m->region[i].shadow + offset, size);
            }
            return 0;
        }
    }
    return -1;
}

uint32_t ecsim_register_labels(const ecsim *m, uint32_t index)
{
    if (m->taint == NULL) {
        return 0;
    }
    if (m->isa->thumb_bit != 0 && index == 16) {
        return m->taint->nz | m->taint->c | m->taint->v | m->taint->q | m->taint->ge;
    }
    return index < ECS_REGISTERS ? ecs_taint_fold(m->taint->r[index]) : 0;
}

int ecsim_public_at(ecsim *m, uint32_t pc, uint32_t what)
{
    ecs_region *region = ecs_region_at(m, pc);
    if ((what >= ECS_REGISTERS && what != ECSIM_PUBLIC_BLOCK) || region == NULL || !make(m)) {
        return -1;
    }
    if (region->points == NULL) {
        region->points = calloc(region->size / 2, 1);
    }
    struct ecs_findings *f = m->taint->findings;
    point *grown = realloc(f->points, (f->point_count + 1) * sizeof *grown);
    if (grown != NULL) {
        f->points = grown;
    }
    if (region->points == NULL || grown == NULL) {
        return -1;
    }
    f->points[f->point_count++] = (point){.pc = pc & ~1u, .what = what};
    region->points[(pc - region->start) / 2] = 1;
    return 0;
}

/* Makes it public. What it was. */
static uint32_t block_is_public(ecsim *m, uint32_t address, uint32_t size)
{
    ecs_region *region = ecs_region_at(m, address);
    uint32_t labels = 0;
    if (region != NULL && region->shadow != NULL) {
        uint32_t offset = address - region->start, most = region->size - offset;
        for (uint32_t i = 0; i < size && i < most; i++) {
            labels |= region->shadow[offset + i];
            region->shadow[offset + i] = 0;
        }
    }
    return labels;
}

void ecs_taint_point(ecsim *m, uint32_t pc)
{
    const struct ecs_findings *f = m->taint->findings;
    for (uint32_t i = 0; i < f->point_count; i++) {
        uint32_t was = 0;
        if (f->points[i].pc == pc && f->points[i].what == ECSIM_PUBLIC_BLOCK) {
            was = block_is_public(m, m->r[m->isa->argument], m->r[m->isa->argument + 1]);
        } else if (f->points[i].pc == pc) {
            was = m->taint->r[f->points[i].what];
            m->taint->r[f->points[i].what] = 0;
        }
        if (was != 0) {
            ecs_taint_found(m, pc, ECSIM_DECLARED_PUBLIC, was);
        }
    }
}

int ecsim_variable_time(ecsim *m, uint32_t row)
{
    if ((row >= m->isa->row_count && row != ECSIM_SHIFT_AMOUNT) || !make(m)) {
        return -1;
    }
    if (row == ECSIM_SHIFT_AMOUNT) {
        m->taint->variable_shift = true;
    } else {
        m->taint->variable[row] = true;
    }
    return 0;
}

void ecs_taint_found(ecsim *m, uint32_t pc, ecsim_finding_kind kind, uint32_t labels)
{
    struct ecs_findings *f = m->taint->findings;
    uint32_t slot = (pc / 2 * ECSIM_FINDING_KINDS + kind) % SLOTS;
    for (; f->slot[slot] != 0; slot = (slot + 1) % SLOTS) {
        ecsim_finding *known = &f->finding[f->slot[slot] - 1];
        if (known->pc == pc && known->kind == kind) {
            known->count++;
            known->labels |= ecs_taint_fold(labels);
            return;
        }
    }
    if (f->count < MAX_FINDINGS) {
        f->finding[f->count] = (ecsim_finding){.pc = pc,
                                               .kind = kind,
                                               .labels = ecs_taint_fold(labels),
                                               .node = ecs_profile_here(m),
                                               .count = 1};
        f->slot[slot] = (uint16_t)++f->count;
    }
}

uint32_t ecsim_findings(const ecsim *m)
{
    return m->taint != NULL ? m->taint->findings->count : 0;
}

void ecsim_finding_at(const ecsim *m, uint32_t index, ecsim_finding *finding)
{
    *finding = index < ecsim_findings(m) ? m->taint->findings->finding[index] : (ecsim_finding){0};
}
