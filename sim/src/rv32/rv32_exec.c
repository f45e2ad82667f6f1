/* RV32IMC executor, compiled once per variant (exec.h): what its operations (rv32_exec.inc)
 * are made of. */
#include "exec.h"
#include "rv32.h"
#include "rv32_taint.h"

#define FLOW(name) FLOW_TAINT(name)
#define OP_LIST "rv32.def"
#define OP_ROW rv32_op_row
#define DECODE rv32_decode
#define LOAD_FLAGS() ((void)0) /* there are none */
#define SAVE_FLAGS() ((void)0)

/* rv32_ops.inc, for both sizes of instructions: an operation by its name in that size. */
#define INSTRUCTION(name) OPERATION_OF(NAME(name), HALVES)
#define OPERATION_OF(name, halves) OPERATION(name, halves)

#define S(x) ((int32_t)(x))

static inline void set_sp(ecsim *m, uint32_t value)
{
    m->r[SP] = value;
    if (value < m->stack_low) {
        m->stack_low = value;
    }
}

#define ALU(name, value) \
    INSTRUCTION(name) \
    { \
        r[e->a] = (value); \
        NEXT(HALVES); \
    } \
    INSTRUCTION(name##_sp) \
    { \
        set_sp(m, (value)); \
        NEXT(HALVES); \
    }

/* Division by zero and overflow: chapter 7.2. */
#define MULTIPLY(name, value) \
    INSTRUCTION(name) \
    { \
        uint32_t x = r[e->b], y = r[e->c]; \
        if (e->imm != 0) { \
            sum -= time_saved(m, e, y); \
        } \
        r[e->a] = (uint32_t)(value); \
        NEXT(HALVES); \
    }

static uint32_t bit_length(uint32_t x)
{
    return x == 0 ? 0 : 32 - (uint32_t)__builtin_clz(x);
}

/* Cycles below the longest time that this multiplication or division takes by its second operand,
 * of e->imm that there are; without a law, they only go to what may be. */
static uint32_t time_saved(ecsim *m, const ecs_entry *e, uint32_t y)
{
    const bool is_negative = S(y) < 0 && (e->op == OP_div || e->op == OP_rem);
    uint32_t saved = 0;
    switch (m->cost[rv32_op_row[e->op]].law) {
    case ECSIM_ZERO: return y == 0 ? e->imm : 0;
    case ECSIM_LENGTH: saved = 32 - bit_length(y | 1); break;
    case ECSIM_SHIFT: saved = is_negative ? bit_length(~y) + 1 : bit_length(y); break;
    default: SLACK(e->imm); break;
    }
    return saved < e->imm ? saved : e->imm;
}

#define BRANCH_IF(name, condition) \
    INSTRUCTION(name) \
    { \
        uint32_t x = r[e->b], y = r[e->c]; \
        if (condition) { \
            TAKEN(branch); \
            TRANSFER(e->imm); \
        } \
        NEXT(HALVES); \
    }

/* A taken transfer; to an instruction that lies in two words it waits for the second. */
#define TRANSFER(to) \
    do { \
        target = (to); \
        hash = ecs_hash_transfer(hash, PC(), target); \
        fetched = ECS_NOWHERE; \
        if (ECS_UNLIKELY(target - code_start >= code_size)) { \
            sum += elsewhere_split(m, target); \
            goto other_region; \
        } \
        e = ENTRY_AT(target); \
        if ((target & 2) != 0 && (region->bytes[target - code_start] & 3) == 3) { \
            sum += m->cost[ROW_target_split].cycles; \
        } \
        DISPATCH(); \
    } while (0)

static uint32_t elsewhere_split(ecsim *m, uint32_t target)
{
    const ecs_region *region = ecs_region_at(m, target);
    bool split =
        region != NULL && (target & 2) != 0 && (region->bytes[target - region->start] & 3) == 3;
    return split ? m->cost[ROW_target_split].cycles : 0;
}

static bool is_link(uint32_t rd)
{
    return rd == RA || rd == T0; /* chapter 2.5: what a call writes */
}

/* --- data accesses ---------------------------------------------------------------------------- */

/* See LOAD_ANY; unaligned accesses are the core's business. */
static bool load_slowly(ecsim *m, const ecs_entry *e, uint32_t address, uint32_t size,
                        uint32_t *value)
{
    uint32_t low = address & ~3u, shift = address % 4 * 8, word[2] = {0, 0}, stall = 0;
    bool split = address % 4 + size > 4;
    *value = 0;
    if (address % size == 0 || m->strict_alignment) {
        const uint8_t *from = ecs_read_at(m, address, size);
        if (from != NULL) {
            memcpy(value, from, size);
        }
        return from != NULL;
    }
    for (uint32_t i = 0; i <= split; i++) {
        const uint8_t *from = ecs_read_at(m, low + 4 * i, 4);
        if (from == NULL) {
            m->fault_address = address;
            return false;
        }
        memcpy(&word[i], from, 4);
        stall += m->stall;
    }
    m->stall = stall + (split ? m->cost[ROW_access_split].cycles - e->c : 0);
    *value = (uint32_t)(((uint64_t)word[1] << 32 | word[0]) >> shift);
    return true;
}

/* See STORE_ANY. Nothing is written when either word faults. */
static bool store_slowly(ecsim *m, const ecs_entry *e, uint32_t address, uint32_t size,
                         uint32_t value)
{
    uint32_t low = address & ~3u, offset = address % 4;
    bool split = offset + size > 4;
    uint8_t *to[2] = {NULL, NULL};
    m->stall = 0;
    if (address % size == 0 || m->strict_alignment) {
        to[0] = ecs_write_at(m, address, size);
        if (to[0] != NULL) {
            memcpy(to[0], &value, size);
        }
        return to[0] != NULL;
    }
    for (uint32_t i = 0; i <= split; i++) {
        to[i] = ecs_write_at(m, low + 4 * i, 4);
        if (to[i] == NULL) {
            m->fault_address = address;
            return false;
        }
    }
    for (uint32_t i = 0; i < size; i++, value >>= 8) {
        to[(offset + i) / 4][(offset + i) % 4] = (uint8_t)value;
    }
    m->stall = split ? m->cost[ROW_access_split].cycles - e->a : 0;
    return true;
}

/* --- system ----------------------------------------------------------------------------------- */

static uint32_t counter(uint32_t number, uint64_t cycles, uint64_t instructions)
{
    switch (number) {
    case MCYCLE:
    case CYCLE: return (uint32_t)cycles;
    case MCYCLEH:
    case CYCLEH: return (uint32_t)(cycles >> 32);
    case MINSTRET:
    case INSTRET: return (uint32_t)instructions;
    case MINSTRETH:
    case INSTRETH: return (uint32_t)(instructions >> 32);
    default: /* identification */ return 0;
    }
}

/* The access of an instruction that the decoder has let through; counts are those
 * before the instruction. */
static void access_csr(ecsim *m, const ecs_entry *e, uint64_t cycles, uint64_t instructions)
{
    int place = rv32_csr_place(e->imm);
    if (place < 0) {
        m->r[e->a] = counter(e->imm, cycles, instructions);
        return;
    }
    uint32_t operand = (e->c & 4) != 0 ? e->b : m->r[e->b], old = m->csr[place];
    switch (e->c & 3) {
    case 1: m->csr[place] = operand; break;
    case 2: m->csr[place] = old | operand; break;
    default: m->csr[place] = old & ~operand; break;
    }
    m->r[e->a] = old;
}

/* The number of an EBREAK with the instruction behind it at this offset of the region:
 * ecsim_run in ecsim.h. */
static uint32_t break_number(const ecs_region *region, uint32_t behind)
{
    uint32_t w = 0;
    if (region->size - behind >= 4) {
        memcpy(&w, region->bytes + behind, 4);
    }
    bool is_marker = (w & 0xFE0FFFFF) == 0x40005013; /* srai x0, x0, n */
    return is_marker ? w >> 20 & 31 : ECSIM_NO_NUMBER;
}

/* EBREAK of that many halfwords: it does not count, not even its fetch. */
#define BREAK(name, halfwords) \
    op_##name : WATCH(); \
    m->bkpt = break_number(region, PC() + 2 * (halfwords)-code_start); \
    m->stop = ECSIM_BKPT; \
    goto leave;

#include "rv32_exec.inc"
