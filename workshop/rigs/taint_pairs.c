/*
 * Runs random programs twice, with two sets of secrets, and compares all that taint calls public
 * (taint_pairs.py, which makes the programs, builds this and calls it). A program runs on two new
 * machines; RAM is filled from its seed.
 */
#include <stdlib.h>
#include <string.h>

#include "../../sim/ecsim.h"

/* As in workshop/rigs/taint_pairs.py. */
typedef struct {
    const char *isa;
    const ecsim_cost *costs;
    const ecsim_region *regions; /* flash, then RAM */
    const ecsim_flash *flash;
    const uint32_t *variable; /* rows */
    uint32_t rows, strict, variable_count;
    uint32_t text, secrets, secrets_size; /* addresses of code and secrets */
    uint32_t marked;                      /* 0: the simulator is not told what is secret */
    uint32_t code_bit, first, last;       /* of code addresses; registers to compare */
} pair_core;

typedef struct {
    const uint8_t *code;
    uint64_t seed, given; /* given: set of registers that have a value */
    uint32_t size, limit;
    uint32_t value[33];
} pair_program;

enum {
    COMPARED,
    NOT_COMPARED,
    NO_MACHINE,
    TIME_DIFFERS,
    REGISTER_DIFFERS,
    FLAGS_DIFFER,
    MEMORY_DIFFERS
};

typedef struct {
    uint32_t outcome, where; /* a register or an address */
} pair_result;

uint32_t pair_check(const pair_core *core, const pair_program *program, uint32_t count,
                    pair_result *result);

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    return *state = x ^ x << 17;
}

static void fill(uint8_t *bytes, uint32_t size, uint64_t *state)
{
    for (uint32_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word = next(state) * 0x9E3779B97F4A7C15u;
        memcpy(bytes + i, &word, 8);
    }
}

static ecsim *machine_with(const pair_core *core, const pair_program *program, const uint8_t *ram)
{
    const char *why;
    ecsim *m = ecsim_new(core->isa, core->costs, core->rows, core->regions, 2, core->flash, &why);
    if (m == NULL) {
        return NULL;
    }
    ecsim_strict_alignment(m, core->strict);
    for (uint32_t i = 0; i < core->variable_count; i++) {
        ecsim_variable_time(m, core->variable[i]);
    }
    ecsim_load(m, core->text, program->code, program->size);
    ecsim_write(m, core->regions[1].start, ram, core->regions[1].size);
    for (uint32_t i = 0; i < 33; i++) {
        if ((program->given >> i & 1) != 0) {
            ecsim_set_register(m, i, program->value[i]);
        }
    }
    return m;
}

/* What of the second machine differs from the first, of which all that is labelled may. */
static pair_result difference(const pair_core *core, const ecsim *m, const ecsim *other,
                              uint8_t *buffer)
{
    const uint32_t start = core->regions[1].start, size = core->regions[1].size;
    uint8_t *memory = buffer, *other_memory = buffer + size, *labels = buffer + 2 * (size_t)size;
    ecsim_report report, other_report;
    ecsim_result(m, &report);
    ecsim_result(other, &other_report);
    if (report.cycles != other_report.cycles || report.trace_hash != other_report.trace_hash) {
        return (pair_result){TIME_DIFFERS, 0};
    }
    for (uint32_t i = core->first; i <= core->last; i++) {
        if (ecsim_register(m, i) != ecsim_register(other, i) && ecsim_register_labels(m, i) == 0) {
            return (pair_result){REGISTER_DIFFERS, i};
        }
    }
    if (core->code_bit != 0 && ecsim_register(m, 16) != ecsim_register(other, 16) &&
        ecsim_register_labels(m, 16) == 0) {
        return (pair_result){FLAGS_DIFFER, 0};
    }
    ecsim_read(m, start, memory, size);
    ecsim_read(other, start, other_memory, size);
    ecsim_labels(m, start, labels, size);
    for (uint32_t i = 0; memcmp(memory, other_memory, size) != 0 && i < size; i++) {
        if (memory[i] != other_memory[i] && labels[i] == 0) {
            return (pair_result){MEMORY_DIFFERS, start + i};
        }
    }
    return (pair_result){COMPARED, 0};
}

static pair_result check(const pair_core *core, const pair_program *program, uint8_t *buffer)
{
    const uint32_t size = core->regions[1].size, at = core->secrets - core->regions[1].start;
    uint64_t state = program->seed;
    fill(buffer, size, &state);
    ecsim *m = machine_with(core, program, buffer);
    const uint64_t one_in = 2 + next(&state) % 8; /* how dense the secrets lie */
    uint8_t mine[256] = {0}, others[256];
    for (uint32_t i = 0; m != NULL && i < core->secrets_size; i++) {
        mine[i] = (next(&state) >> 32) % one_in == 0;
        if (mine[i] != 0) {
            ecsim_secret(m, core->secrets + i, 1, core->marked << i % 3);
        }
    }
    fill(others, sizeof others, &state);
    for (uint32_t i = 0; i < core->secrets_size; i++) {
        buffer[at + i] = mine[i] != 0 ? others[i] : buffer[at + i];
    }
    ecsim *other = machine_with(core, program, buffer);
    pair_result result = {m == NULL || other == NULL ? NO_MACHINE : NOT_COMPARED, 0};
    if (result.outcome != NO_MACHINE) {
        ecsim_begin(m, core->text | core->code_bit, ECSIM_TAINT);
        if (ecsim_run(m, program->limit) == ECSIM_BKPT && ecsim_findings(m) == 0) {
            ecsim_begin(other, core->text | core->code_bit, 0);
            ecsim_run(other, program->limit);
            result = difference(core, m, other, buffer);
        }
    }
    ecsim_free(m);
    ecsim_free(other);
    return result;
}

/* Fills in the results, of each program with some placements of secrets; returns how many programs
   were compared. */
enum { PLACEMENTS = 4 };
uint32_t pair_check(const pair_core *core, const pair_program *program, uint32_t count,
                    pair_result *result)
{
    uint8_t *buffer = malloc(3 * (size_t)core->regions[1].size);
    uint32_t compared = 0;
    for (uint32_t i = 0; i < count && buffer != NULL; i++) {
        pair_program one = program[i];
        result[i].outcome = NOT_COMPARED;
        for (uint32_t k = 0; k < PLACEMENTS && result[i].outcome <= NOT_COMPARED; k++) {
            pair_result found = check(core, &one, buffer);
            if (found.outcome != NOT_COMPARED) {
                result[i] = found;
            }
            one.seed += 2;
        }
        compared += result[i].outcome == COMPARED;
    }
    free(buffer);
    return compared;
}
