/* Taint: marking secrets, points of declaration, and the table of findings.
 * What it means: taint.h. */
#include "taint.h"

#include <stdlib.h>

enum { SLOTS = 1 << 12, MAX_FINDINGS = SLOTS / 4 * 3 };

/* `way`: how control came there first. */
typedef struct {
    uint32_t pc, what, bytes;
    enum { NEVER, FROM_BEFORE, BY_JUMP } way;
} point;

/* Of leaks, or of declarations: neither can crowd out the other. `lost` is the first that had no
   room, and how many had none. */
typedef struct {
    ecsim_finding finding[MAX_FINDINGS], lost;
    uint16_t slot[SLOTS]; /* number of the finding + 1, by hash; 0 = free */
    uint32_t count;
} table;

struct ecs_findings {
    table leaks, declared;
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

static void empty(table *t)
{
    memset(t->slot, 0, sizeof t->slot);
    t->count = 0;
    t->lost.count = 0;
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
    m->taint->landed = ECS_NOWHERE;
    empty(&m->taint->findings->leaks);
    empty(&m->taint->findings->declared);
    for (uint32_t i = 0; i < m->region_count; i++) {
        ecs_region *region = &m->region[i];
        if (region->kind == ECSIM_RAM && region->decoded) { /* decoding reports secret code */
            ecs_forget(m, region, 0, region->size);
        }
    }
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
    if (m->isa->status != 0 && index == m->isa->status) {
        return m->taint->nz | m->taint->c | m->taint->v | m->taint->q | m->taint->ge;
    }
    return index < ECS_REGISTERS ? ecs_taint_fold(m->taint->r[index]) : 0;
}

int ecsim_public_at(ecsim *m, uint32_t pc, uint32_t what, uint32_t bytes)
{
    ecs_region *region = ecs_region_at(m, pc);
    bool is_register = what < ECS_REGISTERS && bytes - 1 < 4;
    bool is_memory = what - ECSIM_PUBLIC_MEMORY < ECS_REGISTERS || what == ECSIM_PUBLIC_BLOCK;
    if ((!is_register && !is_memory) || region == NULL || !make(m)) {
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
    f->points[f->point_count++] = (point){.pc = pc & ~1u, .what = what, .bytes = bytes};
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

/* The finding of a table that is the same but for its labels and count; a new one, or that of
   what is lost. */
static ecsim_finding *place_of(table *t, const ecsim_finding *one, bool by_path)
{
    const uint32_t node = by_path ? one->node : 0;
    uint32_t slot =
        (one->pc / 2 * ECSIM_FINDING_KINDS + one->kind + node * 61 + one->what * 7) % SLOTS;
    for (; t->slot[slot] != 0; slot = (slot + 1) % SLOTS) {
        ecsim_finding *known = &t->finding[t->slot[slot] - 1];
        if (known->pc == one->pc && known->kind == one->kind && known->what == one->what &&
            known->bytes == one->bytes && (!by_path || known->node == one->node)) {
            return known;
        }
    }
    ecsim_finding *made = &t->lost;
    if (t->count < MAX_FINDINGS) {
        made = &t->finding[t->count];
        t->slot[slot] = (uint16_t)++t->count;
    } else if (made->count != 0) {
        return made;
    }
    *made = *one;
    made->count = 0;
    return made;
}

static void add(table *t, const ecsim_finding *one, bool by_path)
{
    ecsim_finding *place = place_of(t, one, by_path);
    place->count++;
    place->labels |= one->labels;
}

/* A point is a place between two instructions, and others may have its address: the head of a loop
   behind it, or the end of one before it. So it counts for one way to that address, the first that
   is taken; who comes by the other may not pass the point, and what he brings stays secret. */
void ecs_taint_point(ecsim *m, uint32_t pc)
{
    struct ecs_findings *f = m->taint->findings;
    for (uint32_t i = 0; i < f->point_count; i++) {
        point *at = &f->points[i];
        if (at->pc != pc) {
            continue;
        }
        const bool jumped = m->taint->landed == pc && at->what != ECSIM_PUBLIC_BLOCK;
        if (at->way == NEVER) {
            at->way = jumped ? BY_JUMP : FROM_BEFORE;
        } else if (at->way != (jumped ? BY_JUMP : FROM_BEFORE)) {
            continue;
        }
        ecsim_finding one = {.pc = pc, .kind = ECSIM_DECLARED_PUBLIC, .what = at->what};
        if (at->what == ECSIM_PUBLIC_BLOCK) {
            uint32_t address;
            m->isa->block(m, &address, &one.bytes);
            one.labels = block_is_public(m, address, one.bytes);
        } else if (at->what >= ECSIM_PUBLIC_MEMORY) {
            one.bytes = at->bytes;
            one.labels = block_is_public(m, m->r[at->what - ECSIM_PUBLIC_MEMORY], one.bytes);
        } else {
            const uint32_t low = UINT32_MAX >> (32 - 8 * at->bytes);
            one.bytes = at->bytes;
            one.labels = ecs_taint_fold(m->taint->r[at->what] & low);
            m->taint->r[at->what] &= ~low;
        }
        if (one.labels != 0) {
            one.node = ecs_profile_here(m);
            add(&f->declared, &one, true);
        }
    }
}

void ecs_taint_code(ecsim *m, const ecs_region *region, uint32_t pc, uint32_t size)
{
    uint32_t labels = 0, offset = pc - region->start;
    for (uint32_t i = offset; i < offset + size && i < region->size; i++) {
        labels |= region->shadow[i];
    }
    if (ECS_UNLIKELY(labels != 0)) {
        ecs_taint_found(m, pc, ECSIM_SECRET_CODE, labels);
    }
}

void ecs_taint_execute(ecsim *m, const ecs_region *region, uint32_t pc)
{
    ecs_taint_code(m, region, pc, m->isa->is_long(region->bytes + (pc - region->start)) ? 4 : 2);
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
    ecsim_finding one = {
        .pc = pc, .kind = kind, .labels = ecs_taint_fold(labels), .node = ecs_profile_here(m)};
    add(&m->taint->findings->leaks, &one, false);
}

static uint32_t listed(const table *t)
{
    return t->count + (t->lost.count != 0);
}

uint32_t ecsim_findings(const ecsim *m)
{
    return m->taint != NULL
               ? listed(&m->taint->findings->leaks) + listed(&m->taint->findings->declared)
               : 0;
}

void ecsim_finding_at(const ecsim *m, uint32_t index, ecsim_finding *finding)
{
    *finding = (ecsim_finding){0};
    if (index >= ecsim_findings(m)) {
        return;
    }
    const table *t = &m->taint->findings->leaks;
    if (index >= listed(t)) {
        index -= listed(t);
        t = &m->taint->findings->declared;
    }
    *finding = index < t->count ? t->finding[index] : t->lost;
    if (index == t->count) {
        finding->kind = ECSIM_TABLE_FULL;
    }
}
