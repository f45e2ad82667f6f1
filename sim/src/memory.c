/* Memory: the host's side of it, and the core's accesses that the executors' fast path
 * does not serve. */
#include <string.h>

#include "machine.h"

#define PATCH_REACH 10 /* halfwords: an IT decides how its block of 8 is decoded */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the host's words are the target's words");

ecs_region *ecs_region_at(ecsim *m, uint32_t address)
{
    for (uint32_t i = 0; i < m->region_count; i++) {
        if (address - m->region[i].start < m->region[i].size) {
            return &m->region[i];
        }
    }
    return NULL;
}

/* The region that holds all of [address, address + size), or null. */
static const ecs_region *whole(const ecsim *m, uint32_t address, uint32_t size)
{
    for (uint32_t i = 0; i < m->region_count; i++) {
        uint32_t offset = address - m->region[i].start;
        if (offset <= m->region[i].size && size <= m->region[i].size - offset) {
            return &m->region[i];
        }
    }
    return NULL;
}

static int put(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size, bool flash_too)
{
    const ecs_region *found = whole(m, address, size);
    /* No bytes may stand at the border of two regions, which are of either kind. */
    if (found == NULL || (found->kind == ECSIM_FLASH && !flash_too && size != 0)) {
        return -1;
    }
    ecs_region *region = &m->region[found - m->region];
    if (size != 0) {
        memcpy(region->bytes + (address - region->start), bytes, size);
        ecs_forget(m, region, address - region->start, size);
    }
    return 0;
}

int ecsim_load(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size)
{
    return put(m, address, bytes, size, true);
}

int ecsim_patch(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size)
{
    const ecs_region *found = whole(m, address, size);
    if (found == NULL) {
        return -1;
    }
    const uint32_t offset = address - found->start;
    const uint32_t first = offset / 2 < 2 ? 0 : offset / 2 - 2; /* one that is 4 bytes long */
    uint32_t last = (offset + size + 1) / 2 + PATCH_REACH;
    last = last < found->size / 2 ? last : found->size / 2;
    memcpy(found->bytes + offset, bytes, size);
    memset(found->code + first, 0, (last - first) * sizeof *found->code);
    return 0;
}

int ecsim_write(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size)
{
    return put(m, address, bytes, size, false);
}

int ecsim_read(const ecsim *m, uint32_t address, uint8_t *bytes, uint32_t size)
{
    const ecs_region *region = whole(m, address, size);
    if (region == NULL) {
        return -1;
    }
    if (size != 0) {
        memcpy(bytes, region->bytes + (address - region->start), size);
    }
    return 0;
}

/* Make the region the one of the fast path. */
static void make_hot(ecsim *m, ecs_region *region)
{
    m->hot = region;
    m->hot_start = region->start;
    m->hot_bytes = region->bytes;
    for (uint32_t k = 0; k < 3; k++) {
        m->load_limit[k] = region->size >> k;
        m->store_limit[k] = region->decoded ? 0 : region->size >> k;
    }
}

void ecs_holds_code(ecsim *m, ecs_region *region)
{
    region->decoded = true;
    if (region == m->hot) {
        make_hot(m, region);
    }
}

/* Decoders look at other instructions than the one they decode, as its successor:
   so when one changes, all that was decoded in RAM is void. Only `op` is cleared:
   the instruction that is executing needs the rest of its entry. */
static void forget_ram(ecsim *m)
{
    for (uint32_t i = 0; i < m->region_count; i++) {
        ecs_region *region = &m->region[i];
        for (uint32_t j = 0; region->kind == ECSIM_RAM && region->decoded && j < region->size / 2;
             j++) {
            region->code[j].op = 0;
        }
    }
}

void ecs_forget(ecsim *m, ecs_region *region, uint32_t offset, uint32_t size)
{
    if (region->kind ==
        ECSIM_FLASH) { /* decoded entries hold values of literals in flash, also across regions */
        for (uint32_t i = 0; i < m->region_count; i++) {
            if (m->region[i].decoded) {
                memset(m->region[i].code, 0, m->region[i].size / 2 * sizeof(ecs_entry));
            }
        }
        return;
    }
    uint32_t first = offset / 2, last = (offset + size - 1) / 2;
    bool hit = first != 0 && region->code[first - 1].op != 0 &&
               m->isa->is_long(region->bytes + 2 * (size_t)(first - 1));
    for (uint32_t i = first; region->decoded && !hit && i <= last; i++) {
        hit = region->code[i].op != 0;
    }
    if (hit) {
        forget_ram(m);
    }
}

void ecs_cool(ecsim *m)
{
    memset(m->load_limit, 0, sizeof m->load_limit);
    memset(m->store_limit, 0, sizeof m->store_limit);
}

static bool fault(ecsim *m, ecsim_fault kind, uint32_t address)
{
    m->fault = kind;
    m->fault_address = address;
    return false;
}

/* Whether this access lacks privilege; then a fault. Arm DDI 0403, B3.1.1: the private peripheral
 * bus is for privileged code. */
static bool is_barred(ecsim *m, const ecs_region *region, uint32_t address)
{
    return m->unprivileged && (address >> 20 == 0xE00 || (region != NULL && region->privileged)) &&
           !fault(m, ECSIM_PRIVILEGE, address);
}

/* A bank of RAM with a latency (ecsim_bank): one word, whose address is on the bus at m->begun.
 * What a load waits. */
static uint32_t read_bank(ecsim *m, ecs_region *bank)
{
    const uint32_t stall = m->begun >= bank->idle_at ? bank->latency : bank->owed;
    bank->owed = 0;
    m->begun += stall + 1;
    bank->idle_at = m->begun + 1;
    return stall;
}

/* A store waits in the write buffer: a load that begins when it ends is directly behind it. */
static void write_bank(ecsim *m, ecs_region *bank)
{
    if (m->begun >= bank->idle_at) {
        bank->owed = bank->latency;
    }
    m->begun++;
    bank->idle_at = m->ends + 1;
}

const uint8_t *ecs_read_at(ecsim *m, uint32_t address, uint32_t size)
{
    ecs_region *region = ecs_region_at(m, address);
    m->stall = 0;
    if (address % size != 0) {
        fault(m, ECSIM_READ_UNALIGNED, address);
        return NULL;
    }
    if (is_barred(m, region, address)) {
        return NULL;
    }
    if (region == NULL) {
        fault(m, m->isa->is_peripheral(address) ? ECSIM_READ_PERIPHERAL : ECSIM_READ_UNMAPPED,
              address);
        return NULL;
    }
    if (region->latency != 0) {
        m->stall = read_bank(m, region);
    } else if (region->kind == ECSIM_RAM) {
        make_hot(m, region);
    } else {
        m->stall = ecs_flash_read(&m->flash, address);
    }
    region->loads++;
    return region->bytes + (address - region->start);
}

uint8_t *ecs_write_at(ecsim *m, uint32_t address, uint32_t size)
{
    ecs_region *region = ecs_region_at(m, address);
    if (address % size != 0) {
        fault(m, ECSIM_WRITE_UNALIGNED, address);
        return NULL;
    }
    if (is_barred(m, region, address)) {
        return NULL;
    }
    if (region == NULL) {
        fault(m, m->isa->is_peripheral(address) ? ECSIM_WRITE_PERIPHERAL : ECSIM_WRITE_UNMAPPED,
              address);
        return NULL;
    }
    if (region->kind == ECSIM_FLASH) {
        fault(m, ECSIM_WRITE_FLASH, address);
        return NULL;
    }
    if (region->latency != 0) {
        write_bank(m, region);
    } else {
        make_hot(m, region);
    }
    ecs_forget(m, region, address - region->start, size);
    region->stores++;
    return region->bytes + (address - region->start);
}
