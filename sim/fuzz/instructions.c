/*
 * libFuzzer target: any bytes as code, on every instruction set, from any registers,
 * in flash and in RAM.
 *
 * A run must end in a documented way within its limit, and its report must not depend
 * on how it is watched or sliced: the same input runs a second time with profiling or taint,
 * slice by slice, and everything that was counted is equal.
 *
 *     input: instruction set, how it is watched, wait states, size of a slice, start;
 *     a byte for each of 16 registers; code
 */
#include "check.h"

#define FLASH 0u
#define RAM 0x20000000u
#define SIZE 0x400u
#define LIMIT 600u

enum { HEAD = 5, REGISTERS = 16 };
static const char *const isas[] = {"armv6m", "armv7m", "armv7m+dsp", "armv7m+dsp+fp", "rv32"};
enum { ISAS = sizeof isas / sizeof isas[0], RV32 = ISAS - 1 };

/* Addresses near the ends and in the middle of both memories, small numbers, others. */
static uint32_t value(uint8_t byte)
{
    uint32_t low = byte & 31u;
    switch (byte >> 5) {
    case 0: return low;
    case 1: return FLASH + 8 * low + 1;
    case 2: return RAM + 4 * low;
    case 3: return RAM + SIZE - low;
    case 4: return RAM + SIZE / 2 + low;
    case 5: return RAM + 8 * low + 1;
    case 6: return 0u - low;
    default: return 0x40000000u << (low & 1) | low * 0x01010101u;
    }
}

static ecsim *machine(const char *isa, const uint8_t *input)
{
    static ecsim_cost costs[256];
    uint32_t rows = 0;
    while (ecsim_row_name(isa, rows) != NULL) {
        costs[rows] = (ecsim_cost){rows % 7 + 2, rows % 3, rows % 2 + 1, rows % ECSIM_LAWS};
        rows++;
    }
    const ecsim_region regions[] = {{FLASH, SIZE, ECSIM_FLASH}, {RAM, SIZE, ECSIM_RAM}};
    const uint32_t waits = input[2];
    ecsim_flash flash = {.wait_states = waits & 3, .data_wait_states = waits >> 2 & 3};
    if ((waits & 16) != 0) {
        flash.line_bytes = 16;
        flash.instruction_lines = (waits & 32) != 0 ? 4 : 1;
        flash.shared = waits >> 6 & 1;
        flash.data_lines = 1 - flash.shared;
        flash.prefetch_lines = waits >> 7;
    }
    const char *why = NULL;
    ecsim *m = ecsim_new(isa, costs, rows, regions, 2, &flash, &why);
    CHECK(m != NULL);
    return m;
}

/* Runs the input; slice: instructions at a time. */
static ecsim_report run(ecsim *m, const uint8_t *input, size_t size, uint32_t observe,
                        uint32_t slice, bool is_arm)
{
    const uint8_t *code = input + HEAD + REGISTERS;
    uint32_t bytes = (uint32_t)(size - HEAD - REGISTERS);
    bytes = bytes < SIZE ? bytes : SIZE;
    CHECK(ecsim_load(m, FLASH, code, bytes) == 0);
    CHECK(ecsim_write(m, RAM + SIZE - bytes, code, bytes) == 0);
    for (uint32_t i = 0; i < REGISTERS; i++) {
        ecsim_set_register(m, i, value(input[HEAD + i]));
    }
    CHECK(ecsim_secret(m, RAM, SIZE / 2, 1) == 0);
    uint32_t in_ram = input[4] >> 7,
             start = (in_ram != 0 ? RAM + SIZE - bytes : FLASH) + (input[4] & 0x7Eu);
    ecsim_begin(m, is_arm ? start | 1 : start, observe);
    uint32_t left = LIMIT, stop = ECSIM_LIMIT;
    while (left != 0 && stop == ECSIM_LIMIT) {
        uint32_t part = left < slice ? left : slice;
        stop = ecsim_run(m, part);
        left -= part;
    }
    ecsim_report report;
    ecsim_result(m, &report);
    CHECK(report.stop == stop && stop <= ECSIM_FAULT);
    CHECK(stop != ECSIM_LIMIT ? report.instructions <= LIMIT : report.instructions == LIMIT);
    CHECK(report.cycles_min <= report.cycles);
    if (stop == ECSIM_FAULT) {
        CHECK(report.fault > ECSIM_OK && report.fault < ECSIM_FAULT_KINDS);
        CHECK(strcmp(ecsim_fault_name(report.fault), "unknown") != 0 &&
              ecsim_fault_detail(m) != NULL);
    }
    if (stop != ECSIM_LIMIT) {
        CHECK(ecsim_run(m, 1) == stop);
    }
    return report;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size < HEAD + REGISTERS + 2) {
        return 0;
    }
    uint32_t which = input[0] % ISAS, observe = 1 + input[1] % 3, slice = 1 + input[3];
    ecsim *plain = machine(isas[which], input), *watched = machine(isas[which], input);
    ecsim_report a = run(plain, input, size, 0, LIMIT, which != RV32);
    ecsim_report b = run(watched, input, size, observe, slice, which != RV32);
    CHECK(a.stop == b.stop && a.fault == b.fault && a.bkpt == b.bkpt);
    CHECK(a.fault_address == b.fault_address && a.fault_pc == b.fault_pc &&
          a.stack_low == b.stack_low);
    CHECK(a.instructions == b.instructions && a.cycles == b.cycles && a.cycles_min == b.cycles_min);
    CHECK(a.trace_hash == b.trace_hash);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK(ecsim_register(plain, i) == ecsim_register(watched, i));
    }
    uint8_t x[SIZE], y[SIZE];
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(ecsim_read(plain, i != 0 ? RAM : FLASH, x, SIZE) == 0);
        CHECK(ecsim_read(watched, i != 0 ? RAM : FLASH, y, SIZE) == 0);
        CHECK(memcmp(x, y, SIZE) == 0);
    }
    for (uint32_t i = 0; i < ecsim_findings(watched); i++) {
        ecsim_finding finding;
        ecsim_finding_at(watched, i, &finding);
        CHECK(finding.kind < ECSIM_FINDING_KINDS && finding.node < ecsim_profile_size(watched));
    }
    ecsim_free(plain);
    ecsim_free(watched);
    return 0;
}
