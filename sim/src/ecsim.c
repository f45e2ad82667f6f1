/* Life cycle of a machine, registers, and the run loop: the functions of ecsim.h that bring all
   parts together. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "observe.h"
#include "taint.h"

#ifndef ECSIM_BUILD_ID
#error "the Makefile defines ECSIM_BUILD_ID, a digest of the sources"
#endif

#define FLASH_ERASED 0xFF
#define RAM_PATTERN 0xA5 /* not zero: code that relies on cleared RAM shall not get away with it */

static const ecs_isa *const instruction_sets[] = {
    &ecs_armv6m,  &ecs_armv7m[0], &ecs_armv7m[1], &ecs_armv7m[2], &ecs_armv7m[3],
    &ecs_rv32[0], &ecs_rv32[1],   &ecs_rv32[2],   &ecs_rv32[3],   &ecs_avr};

static const char *const fault_names[ECSIM_FAULT_KINDS] = {
    [ECSIM_OK] = "none",
    [ECSIM_READ_UNMAPPED] = "read outside memory",
    [ECSIM_WRITE_UNMAPPED] = "write outside memory",
    [ECSIM_WRITE_FLASH] = "write to flash",
    [ECSIM_READ_UNALIGNED] = "unaligned read",
    [ECSIM_WRITE_UNALIGNED] = "unaligned write",
    [ECSIM_READ_PERIPHERAL] = "read of a peripheral, which is not modelled,",
    [ECSIM_WRITE_PERIPHERAL] = "write to a peripheral, which is not modelled,",
    [ECSIM_EXECUTE] = "execution outside memory",
    [ECSIM_STATE] = "branch without the Thumb bit",
    [ECSIM_UNDEFINED] = "undefined instruction",
    [ECSIM_UNPREDICTABLE] = "unpredictable instruction",
    [ECSIM_SUPERVISOR] = "supervisor call",
    [ECSIM_FETCH_UNALIGNED] = "unaligned instruction address",
    [ECSIM_NOT_MODELLED] = "instruction that is not modelled",
    [ECSIM_PRIVILEGE] = "access without privilege",
    [ECSIM_CONTROL_REGISTER] = "access to a control register that is not modelled, number",
};

uint32_t ecsim_abi(void)
{
    return ECSIM_ABI;
}

const char *ecsim_build_id(void)
{
    return ECSIM_BUILD_ID;
}

const char *ecsim_fault_name(uint32_t fault)
{
    return fault < ECSIM_FAULT_KINDS ? fault_names[fault] : "unknown";
}

const char *ecsim_fault_detail(const ecsim *m)
{
    return m->fault_detail;
}

static const ecs_isa *find_isa(const char *name)
{
    for (size_t i = 0; i < sizeof instruction_sets / sizeof *instruction_sets; i++) {
        if (strcmp(instruction_sets[i]->name, name) == 0) {
            return instruction_sets[i];
        }
    }
    return NULL;
}

const char *ecsim_row_name(const char *isa, uint32_t row)
{
    const ecs_isa *found = find_isa(isa);
    return found != NULL && row < found->row_count ? found->rows[row] : NULL;
}

static const char *check_regions(const ecsim_region *regions, uint32_t n)
{
    if (n == 0 || n > ECSIM_MAX_REGIONS) {
        return "no memory region, or too many";
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t end = (uint64_t)regions[i].start + regions[i].size;
        if (regions[i].size == 0 || regions[i].start % 4 != 0 || regions[i].size % 4 != 0) {
            return "start and size of a memory region must be multiples of 4";
        }
        if (end >= (uint64_t)1 << 32 || regions[i].size > 1u << 28) {
            return "a memory region ends below 4 GiB - 4 and is at most 256 MiB";
        }
        if (regions[i].kind != ECSIM_FLASH && regions[i].kind != ECSIM_RAM) {
            return "a memory region is flash or RAM";
        }
        for (uint32_t j = 0; j < i; j++) {
            if (regions[j].start < end &&
                regions[i].start < (uint64_t)regions[j].start + regions[j].size) {
                return "memory regions overlap";
            }
        }
    }
    return NULL;
}

static const char *check_timing(const ecs_isa *isa, const ecsim_cost *costs, uint32_t rows,
                                const ecsim_flash *flash)
{
    if (isa == NULL) {
        return "unknown instruction set";
    }
    if (rows != isa->row_count) {
        return "the cost table does not have the rows of the instruction set";
    }
    for (uint32_t i = 0; i < rows; i++) {
        if (costs[i].cycles > 255 || costs[i].per_register > 255 ||
            costs[i].cycles_min > costs[i].cycles) {
            return "cycles of a cost row are 0 to 255, and the shortest are not more";
        }
        if (costs[i].law >= ECSIM_LAWS) {
            return "no such law of operand-dependent time";
        }
    }
    return ecs_flash_check(flash);
}

static bool make_region(ecs_region *region, const ecsim_region *from)
{
    *region =
        (ecs_region){.start = from->start, .size = from->size, .kind = (ecsim_kind)from->kind};
    region->bytes = malloc(from->size);
    region->code = calloc((size_t)from->size / 2 + 2, sizeof *region->code);
    if (region->bytes == NULL || region->code == NULL) {
        return false;
    }
    memset(region->bytes, from->kind == ECSIM_FLASH ? FLASH_ERASED : RAM_PATTERN, from->size);
    return true;
}

ecsim *ecsim_new(const char *isa, const ecsim_cost *costs, uint32_t rows,
                 const ecsim_region *regions, uint32_t n, const ecsim_flash *flash,
                 const char **why)
{
    const ecs_isa *found = find_isa(isa);
    *why = check_timing(found, costs, rows, flash);
    if (*why == NULL) {
        *why = check_regions(regions, n);
    }
    if (*why != NULL) {
        return NULL;
    }
    ecsim *m = calloc(1, sizeof *m);
    *why = "out of memory";
    if (m == NULL) {
        return NULL;
    }
    m->isa = found;
    memcpy(m->cost, costs, rows * sizeof *costs);
    m->own = found->own_size != NULL ? calloc(1, found->own_size()) : NULL;
    if (!ecs_flash_init(&m->flash, flash) || (found->own_size != NULL && m->own == NULL)) {
        ecsim_free(m);
        return NULL;
    }
    m->region_count = n;
    for (uint32_t i = 0; i < n; i++) {
        if (!make_region(&m->region[i], &regions[i])) {
            ecsim_free(m);
            return NULL;
        }
    }
    ecsim_begin(m, found->thumb_bit, 0);
    *why = NULL;
    return m;
}

void ecsim_free(ecsim *m)
{
    if (m == NULL) {
        return;
    }
    for (uint32_t i = 0; i < m->region_count; i++) {
        free(m->region[i].bytes);
        free(m->region[i].code);
    }
    free(m->own);
    ecs_taint_free(m);
    ecs_flash_free(&m->flash);
    ecs_profile_free(m->profile);
    free(m->functions);
    free(m);
}

void ecsim_strict_alignment(ecsim *m, uint32_t strict)
{
    m->strict_alignment = strict != 0;
}

void ecsim_set_register(ecsim *m, uint32_t index, uint32_t value)
{
    m->isa->set_register(m, index, value);
}

uint32_t ecsim_register(const ecsim *m, uint32_t index)
{
    return m->isa->get_register(m, index);
}

int ecsim_functions(ecsim *m, const uint32_t *entries, uint32_t n)
{
    uint32_t *copy = malloc(((size_t)n + 1) * sizeof *copy);
    if (copy == NULL) {
        return -1;
    }
    if (n != 0) {
        memcpy(copy, entries, n * sizeof *copy);
    }
    free(m->functions);
    m->functions = copy;
    m->function_count = n;
    return 0;
}

void ecsim_begin(ecsim *m, uint32_t pc, uint32_t observe)
{
    m->cycles = m->instructions = m->slack = 0;
    m->hash = ECS_HASH_START;
    m->stack_low = m->r[m->isa->sp];
    m->stop = ECSIM_LIMIT;
    m->fault = ECSIM_OK;
    m->fault_detail = "";
    m->it_at = ECS_NOWHERE;
    m->exclusive = false;
    m->control &= ~m->isa->unprivileged;
    m->exception = 0;
    m->unprivileged = false;
    ecs_flash_empty(&m->flash);
    memset(m->row_count, 0, sizeof m->row_count);
    for (uint32_t i = 0; i < m->region_count; i++) {
        m->region[i].loads = m->region[i].stores = 0;
        m->region[i].idle_at = 0;
        m->region[i].owed = 0;
    }
    m->pc = pc & ~m->isa->thumb_bit;
    if (m->isa->begin != NULL) {
        m->isa->begin(m, (observe & ECSIM_WARM) != 0);
    }
    m->foreseen = ECS_NOWHERE;
    m->block = m->pc;
    m->was_led = false;
    m->front = (ecs_front){.coming = (m->pc & 2) != 0 ? 1 : 2, .at = (m->pc & ~3u) + 4};
    ecs_profile_free(m->profile);
    m->profile = NULL;
    if ((pc & 1) != m->isa->thumb_bit) {
        m->stop = ECSIM_FAULT;
        m->fault = m->isa->thumb_bit != 0 ? ECSIM_STATE : ECSIM_FETCH_UNALIGNED;
        m->fault_address = m->fault_pc = pc;
    } else if ((observe & (ECSIM_PROFILE | ECSIM_TAINT)) != 0) {
        m->profile = ecs_profile_new(m->pc);
    }
    m->tainting = (observe & ECSIM_TAINT) != 0 && ecs_taint_begin(m) && m->profile != NULL;
}

uint32_t ecsim_run(ecsim *m, uint64_t instructions)
{
    void (*run)(ecsim *, uint32_t) = m->isa->run[m->flash.costs || m->banks][m->profile != NULL];
    if (m->tainting) {
        run = m->isa->run_taint;
    }
    while (m->stop == ECSIM_LIMIT && instructions != 0) {
        uint32_t part = instructions < ECS_SLICE ? (uint32_t)instructions : ECS_SLICE;
        run(m, part);
        instructions -= part;
    }
    if (m->profile != NULL) {
        ecs_profile_mark(m->profile, m->cycles);
    }
    return m->stop;
}

void ecsim_result(const ecsim *m, ecsim_report *report)
{
    *report = (ecsim_report){.stop = m->stop,
                             .bkpt = m->bkpt,
                             .fault = m->fault,
                             .fault_address = m->fault_address,
                             .fault_pc = m->fault_pc,
                             .stack_low = m->stack_low,
                             .cycles = m->cycles,
                             .instructions = m->instructions,
                             .trace_hash = ecs_hash_end(m->hash),
                             .cycles_min = m->cycles - m->slack};
}

uint64_t ecsim_row_count(const ecsim *m, uint32_t row)
{
    return row < m->isa->row_count ? m->row_count[row] : 0;
}

uint64_t ecsim_loads(const ecsim *m, uint32_t region)
{
    return region < m->region_count ? m->region[region].loads : 0;
}

uint64_t ecsim_stores(const ecsim *m, uint32_t region)
{
    return region < m->region_count ? m->region[region].stores : 0;
}
