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

/* Of RV32_BITS; y: the second operand. */
#define BITS(name, second, value) \
    INSTRUCTION(name) \
    { \
        const uint32_t x = r[e->b], y = (second); \
        (void)x; \
        (void)y; \
        if (e->a == SP) { \
            set_sp(m, (value)); \
        } else { \
            r[e->a] = (value); \
        } \
        NEXT(HALVES); \
    }
#define BITS_OR_IMM(name, value) \
    BITS(name, r[e->c] & 31, value) \
    BITS(name##i, e->imm, value)

/* AMO: what was there goes to rd, what an operation makes of it and rs2 into memory. */
#define ATOMIC(name, value) \
    INSTRUCTION(name) \
    { \
        const uint32_t address = r[e->b], y = r[e->c]; \
        uint32_t x; \
        LOAD(uint32_t, 2, address, x); \
        STORE(uint32_t, 2, address, (value)); \
        m->exclusive = false; \
        r[e->a] = x; \
        NEXT(HALVES); \
    }

/* Division by zero and overflow: chapter 7.2. */
#define MULTIPLY(name, value) \
    INSTRUCTION(name) \
    { \
        uint32_t x = r[e->b], y = r[e->c]; \
        if (e->imm != 0) { \
            sum -= time_saved(m, e, x, y); \
        } \
        r[e->a] = (uint32_t)(value); \
        NEXT(HALVES); \
    }

static uint32_t bit_length(uint32_t x)
{
    return x == 0 ? 0 : 32 - (uint32_t)__builtin_clz(x);
}

/* Cycles below the longest time that this multiplication or division takes by its operands,
 * of e->imm that there are; without a law, they only go to what may be. */
static uint32_t time_saved(ecsim *m, const ecs_entry *e, uint32_t x, uint32_t y)
{
    const bool is_signed = e->op == OP_div || e->op == OP_rem, is_negative = S(y) < 0 && is_signed;
    uint32_t saved = 0;
    switch (m->cost[rv32_op_row[e->op]].law) {
    case ECSIM_ZERO: return y == 0 ? e->imm : 0;
    case ECSIM_LENGTH: saved = 32 - bit_length(y | 1); break;
    case ECSIM_SHIFT: saved = is_negative ? bit_length(~y) + 1 : bit_length(y); break;
    case ECSIM_DIVIDEND: saved = !(is_signed && S(x) < 0); break;
    default: SLACK(e->imm); break;
    }
    return saved < e->imm ? saved : e->imm;
}

static uint32_t rotated(uint32_t x, uint32_t right)
{
    return x >> (right & 31) | x << (-right & 31);
}

/* In each byte: all bits set if one is; its bits in the reverse order. */
static uint32_t or_bytes(uint32_t x)
{
    x |= x << 1 & 0xFEFEFEFE;
    x |= x << 2 & 0xFCFCFCFC;
    x |= x << 4 & 0xF0F0F0F0;
    return (x >> 7 & 0x01010101) * 255;
}

static uint32_t reverse_bytes(uint32_t x)
{
    x = (x & 0x0F0F0F0F) << 4 | (x >> 4 & 0x0F0F0F0F);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    return (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
}

/* Bits of the lower half to even places, of the upper one to odd places; and back. */
static uint32_t zipped(uint32_t x)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < 16; i++) {
        to |= (x >> i & 1) << 2 * i | (x >> (16 + i) & 1) << (2 * i + 1);
    }
    return to;
}

static uint32_t unzipped(uint32_t x)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < 16; i++) {
        to |= (x >> 2 * i & 1) << i | (x >> (2 * i + 1) & 1) << (16 + i);
    }
    return to;
}

/* Does a 32-bit instruction lie in two words there? */
static bool is_split(ecsim *m, uint32_t address)
{
    const ecs_region *region = (address & 2) != 0 ? ecs_region_at(m, address) : NULL;
    return region != NULL && (region->bytes[address - region->start] & 3) == 3;
}

static uint32_t split_at(ecsim *m, uint32_t target)
{
    return is_split(m, target) ? m->cost[ROW_target_split].cycles : 0;
}

/* The predictor of a core that has one remembers a branch backward that was taken, and the core
 * fetches what lies at its target behind it, until that branch is not taken. It looks at a word
 * that is fetched behind another one, so never at the first word behind a jump. A block begins
 * where the core has jumped to, or was led to by the predictor. Fetches behind a jump keep up with
 * what executes; what they take longer where the predictor led is found by going through the block
 * once more at its end. */
#define PREDICTS() (m->cost[ROW_branch_predicted].cycles != 0)

static bool is_foreseen(const ecsim *m, uint32_t branch)
{
    return m->foreseen == branch && (m->was_led || ((m->block ^ branch) & ~3u) != 0);
}

/* The halfwords of the word that is asked for; behind the remembered branch comes its target. */
static uint8_t ask(ecs_front *f)
{
    uint8_t halfwords = f->from_odd ? 1 : 2;
    f->from_odd = false;
    if (f->at != ((f->from - 1) & ~3u)) {
        f->at += 4;
        return halfwords;
    }
    f->at = f->to & ~3u;
    f->from_odd = (f->to & 2) != 0;
    return (f->from & 2) != 0 ? 1 : halfwords;
}

/* A cycle in which so many halfwords leave: hdl/hazard3_frontend.v of Hazard3. A word comes in the
 * cycle after it was asked for, and waits in a queue of two while three halfwords are held. */
static void tick(ecs_front *f, uint32_t use)
{
    const uint8_t coming = f->coming, next = f->queued != 0 ? f->queue[0] : coming;
    const bool full = f->queued == 2 || (f->queued == 1 && coming != 0);
    f->held = (uint8_t)(f->held - use);
    if (next != 0 && f->held + next <= 3) {
        f->held = (uint8_t)(f->held + next);
        if (f->queued == 0) {
            goto asked;
        }
        f->queue[0] = f->queue[1];
        f->queued--;
    }
    if (coming != 0) {
        f->queue[f->queued++] = coming;
    }
asked:
    f->coming = full ? 0 : ask(f);
}

/* Goes through the block, which ends here; returns the cycles in which nothing was there
 * to execute. An instruction behind a load waits for its result in the decoder, others before they
 * leave. */
static uint32_t go_through(ecsim *m, uint32_t end)
{
    const ecs_region *region = ecs_region_at(m, m->block);
    uint32_t waited = 0, owed = 0;
    for (uint32_t at = m->block; region != NULL && at - region->start < region->size && at < end;) {
        const ecs_entry *e = &region->code[(at - region->start) / 2];
        const uint32_t size = (region->bytes[at - region->start] & 3) == 3 ? 2 : 1;
        uint32_t rest = (uint32_t)e->step;
        rest -= rest != 0;
        while (m->front.held < size || owed != 0) {
            waited += owed == 0;
            owed -= owed != 0;
            tick(&m->front, 0);
        }
        if (rv32_op_row[e->op] == ROW_load || rv32_op_row[e->op] == ROW_exclusive) {
            owed = rest;
            rest = 0;
        }
        for (; rest != 0; rest--) {
            tick(&m->front, 0);
        }
        tick(&m->front, size);
        at += 2 * size;
    }
    return waited;
}

/* An instruction that ends there goes on elsewhere, not led by the predictor. Returns what the
 * block behind it has taken longer. */
static uint32_t begin_block(ecsim *m, uint32_t end, uint32_t target)
{
    const bool is_odd = (target & 2) != 0;
    uint32_t more = m->was_led ? go_through(m, end) : 0;
    m->block = target;
    m->was_led = false;
    m->front = (ecs_front){.coming = is_odd ? 1 : 2, .at = (target & ~3u) + 4};
    return more;
}

/* The remembered branch ends there and is taken. Returns what it and its block take longer than a
 * branch that is not taken. */
static uint32_t follow(ecsim *m, uint32_t end, uint32_t target)
{
    const uint32_t size = is_split(m, target) ? 2 : 1;
    uint32_t more = m->cost[ROW_branch_predicted].cycles - m->cost[ROW_branch_not_taken].cycles;
    if (!m->was_led) { /* what the jump to it has taken already */
        more -= 1 + split_at(m, m->block);
    }
    m->front.from = end;
    m->front.to = target;
    more += go_through(m, end);
    while (m->front.held < size) {
        more++;
        tick(&m->front, 0);
    }
    m->block = target;
    m->was_led = true;
    return more;
}

#define BRANCH_IF(name, condition) \
    INSTRUCTION(name) \
    { \
        uint32_t x = r[e->b], y = r[e->c]; \
        const bool foreseen = PREDICTS() && is_foreseen(m, PC()); \
        if (condition) { \
            if (ECS_UNLIKELY(foreseen)) { \
                sum += follow(m, PC() + 2 * HALVES, e->imm); \
                if (PROFILE) { \
                    m->row_count[ROW_branch_not_taken]--; \
                    m->row_count[ROW_branch_predicted]++; \
                    ecs_profile_branch(m, NOW(), e->imm); \
                } \
                JUMP(e->imm); \
            } \
            TAKEN(branch); \
            if (PREDICTS() && S(e->imm - PC()) < 0) { \
                m->foreseen = PC(); \
            } \
            TRANSFER(e->imm); \
        } \
        if (ECS_UNLIKELY(foreseen)) { /* it is done as a branch to the instruction behind it */ \
            m->foreseen = ECS_NOWHERE; \
            REFETCH(e + HALVES); \
            sum += e->a + split_at(m, PC() + 2 * HALVES); \
            sum += begin_block(m, PC() + 2 * HALVES, PC() + 2 * HALVES); \
            if (PROFILE) { \
                m->row_count[ROW_branch_not_taken]--; \
                m->row_count[ROW_branch_taken]++; \
            } \
        } \
        NEXT(HALVES); \
    }

/* A taken transfer; to an instruction that lies in two words it waits for the second. */
#define TRANSFER(to) \
    do { \
        target = (to); \
        hash = ecs_hash_transfer(hash, PC(), target); \
        if (ECS_UNLIKELY(target - code_start >= code_size)) { \
            m->flash.before = ECS_BRANCHED; \
            sum += split_at(m, target); \
            if (PREDICTS()) { \
                sum += begin_block(m, PC() + 2 * HALVES, target); \
            } \
            goto other_region; \
        } \
        if (PREDICTS()) { \
            sum += begin_block(m, PC() + 2 * HALVES, target); \
        } \
        e = ENTRY_AT(target); \
        REFETCH(e); \
        if ((target & 2) != 0 && (region->bytes[target - code_start] & 3) == 3) { \
            sum += m->cost[ROW_target_split].cycles; \
        } \
        DISPATCH(); \
    } while (0)

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
