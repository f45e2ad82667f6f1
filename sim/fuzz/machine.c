/*
 * libFuzzer target: the host's side of a machine. Any memory map, cost table and flash timing;
 * then loads, reads, writes, secrets and short runs at any address. What is refused must be refused
 * for the documented reason, and what was loaded must be read back.
 */
#include "check.h"

/* The input, taken from its front; zeroes behind its end. */
typedef struct {
    const uint8_t *at;
    size_t left;
} source;

static uint32_t take(source *in, uint32_t bytes)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < bytes && in->left != 0; i++, in->at++, in->left--) {
        word |= (uint32_t)*in->at << 8 * i;
    }
    return word;
}

/* Is it wholly inside one region, of that kind or (2) any? Of no bytes,
 * the kind does not matter. */
static bool inside(const ecsim_region *region, uint32_t n, uint32_t kind, uint32_t address,
                   uint32_t size)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t start = region[i].start, end = start + region[i].size;
        if ((kind == 2 || size == 0 || region[i].kind == kind) && address >= start &&
            (uint64_t)address + size <= end) {
            return true;
        }
    }
    return false;
}

static ecsim *make(source *in, ecsim_region *regions, uint32_t *n)
{
    static const char *const isas[] = {"armv6m", "armv7m",           "armv7m+dsp", "armv7m+dsp+fp",
                                       "rv32+e", "rv32+zicntr+bits", "armv9",      ""};
    const char *isa = isas[take(in, 1) % 8], *why = NULL;
    static ecsim_cost costs[256];
    uint32_t rows = 0;
    uint8_t odd = (uint8_t)take(in, 1);
    while (ecsim_row_name(isa, rows) != NULL) {
        uint32_t cycles = take(in, 1);
        costs[rows++] = (ecsim_cost){cycles, cycles & 3, (odd & 1) != 0 ? cycles + 1 : cycles / 2,
                                     cycles >> 2 & 7};
    }
    rows += (odd & 2) != 0;
    *n = take(in, 1) % (ECSIM_MAX_REGIONS + 2);
    for (uint32_t i = 0; i < *n && i < ECSIM_MAX_REGIONS; i++) {
        uint8_t how = (uint8_t)take(in, 1);
        uint32_t start = take(in, 2) << 16 | take(in, 1) << 2, size = (take(in, 1) + 1) << 2;
        start += (how & 0x30) == 0x30;
        size += (how & 0x0C) == 0x0C ? 2 : 0;
        size |= (how & 0xC0) == 0xC0 ? 0xF0000000u : 0;
        regions[i] = (ecsim_region){start, size, how & 3};
    }
    ecsim_flash flash = {0};
    uint32_t *fields[] = {
        &flash.wait_states,   &flash.data_wait_states, &flash.line_bytes, &flash.instruction_lines,
        &flash.data_lines,    &flash.shared,           &flash.ways,       &flash.fifo,
        &flash.prefetch_lines};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        uint32_t byte = take(in, 1);
        *fields[i] = byte < 0xF0 ? byte & 15 : byte == 0xFF ? 0xFFFFFFFFu : 1u << (byte & 15);
    }
    ecsim *m = ecsim_new(isa, costs, rows, regions, *n, &flash, &why);
    CHECK((m == NULL) == (why != NULL));
    CHECK(why == NULL || strlen(why) > 5);
    return m;
}

/* An address: of a region's start or end, nearly; or any. */
static uint32_t address(source *in, const ecsim_region *regions, uint32_t n)
{
    uint32_t how = take(in, 1);
    if (how >= 0xE0) {
        return take(in, 4);
    }
    const ecsim_region *region = &regions[how % n];
    uint32_t offset = take(in, 1);
    return region->start + ((how & 0x40) != 0 ? region->size + 16 - offset : offset);
}

static void one_operation(source *in, ecsim *m, const ecsim_region *regions, uint32_t n)
{
    static uint8_t zero[256];
    uint8_t bytes[256];
    uint32_t what = take(in, 1), where = address(in, regions, n), size = take(in, 1);
    switch (what % 8) {
    case 0:
        for (uint32_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)take(in, 1);
        }
        CHECK((ecsim_load(m, where, bytes, size) == 0) == inside(regions, n, 2, where, size));
        uint8_t back[256];
        if (inside(regions, n, 2, where, size)) {
            CHECK(ecsim_read(m, where, back, size) == 0 && memcmp(back, bytes, size) == 0);
        }
        break;
    case 1:
        CHECK((ecsim_read(m, where, bytes, size) == 0) == inside(regions, n, 2, where, size));
        break;
    case 2:
        CHECK((ecsim_write(m, where, zero, size) == 0) ==
              inside(regions, n, ECSIM_RAM, where, size));
        break;
    case 3:
        size += size == 0;
        CHECK((ecsim_secret(m, where, size, take(in, 1)) == 0) ==
              inside(regions, n, ECSIM_RAM, where, size));
        break;
    case 4: ecsim_set_register(m, take(in, 1), where); break;
    case 5: (void)ecsim_public_at(m, where, size, size % 6); break;
    case 6: {
        uint32_t entries[2] = {where, where + size};
        CHECK(ecsim_functions(m, entries, 1 + (where < where + size)) == 0);
        break;
    }
    default:
        ecsim_strict_alignment(m, what >> 7);
        ecsim_begin(m, where, size & 3);
        CHECK(ecsim_run(m, size) <= ECSIM_FAULT);
        ecsim_report report;
        ecsim_result(m, &report);
        CHECK(report.instructions <= size);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    source in = {input, size};
    ecsim_region regions[ECSIM_MAX_REGIONS + 2] = {{0}};
    uint32_t n;
    ecsim *m = make(&in, regions, &n);
    while (m != NULL && in.left != 0) {
        one_operation(&in, m, regions, n);
    }
    ecsim_free(m);
    return 0;
}
