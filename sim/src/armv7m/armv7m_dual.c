/*
 * Cortex-M7: two instructions a cycle, in order. Its instructions are executed one by one by the
 * executor of ARMv7-M; here is when each of them issues, after it has executed. The cost table has
 * only what is no part of this schedule, such as divisions.
 *
 * Sources: PCT, the pipeline cycle test of jnk0le/random, doc/cortex_m7.md: measurements on an
 * STM32H743. LLVM: ARMScheduleM7.td of the compiler, which Arm wrote. TRM: Arm DDI 0489, 2.1.2, as
 * remembered: nobody has compared what is said of it here with the document.
 *
 * Stages (LLVM). EX1 has the addresses and one shifter, EX2 the arithmetic, the factors and the
 * words that were loaded, EX3 bytes and halfwords that were loaded, and the addends, EX4 the data
 * of stores. ready[r] is the cycle in which an instruction may issue that reads r in EX2; one that
 * reads in EX1 must issue one later, in EX3 one earlier may. The data of a store never waits (PCT).
 *     arithmetic              ready one cycle after it issues
 *     ADD, SUB, MOV, shifts   in the same cycle, if their operands are there in EX1: by the older
 *                             instruction of a cycle; a shift also by the younger, if the older
 *                             shifts no operand (PCT)
 *     REV, REV16, RBIT        in the same cycle, but in EX1 only two later (PCT)
 *     a base written back     in the same cycle; for ADD, SUB, MOV in EX1 only two later (PCT)
 *     loaded word             1; for factors, and for an instruction that shifts another operand, 2
 *     loaded byte, halfword   2
 *     product; SSAT, USAT, QADD.., USAD8   2
 *     LDM, LDRD, POP          two words a cycle
 *     VMOV to a core register 1; from one 3, of what VLDR loaded 2
 * EX1 reads addresses, shifted operands, the operand of SBFX, UBFX, RBIT, REV.., SSAT, USAT, the
 * register that is inserted, packed or extended and added (of PKHTB, and of QDADD, both).
 * Flags are ready one cycle after what sets them, two if it compares a shifted operand (LLVM).
 *
 * Two share a cycle if both are ready, and (PCT):
 *     not two of: branches; stores; a product and a product or store; those of SIMD and bit fields,
 *         which are never the younger
 *     not two loads from words that are both even or both odd
 *     not two with a shifted operand or rotated constant; nor the younger with one behind a shift
 *         or one of bit fields that uses the shifter
 *     none beside LDM, STM, LDRD, STRD, PUSH, POP, a division, two words of VMOV, VLDR or VSTR,
 *         TBB, MRS, barriers; STM and STRD of an even number of words take a cycle more at an
 *         odd word
 *
 * Fetching (TRM): 64 bits a cycle, aligned, into a queue of four times as many. The word behind a
 * branch that is foreseen comes in the next cycle, so it may share the cycle of the branch if
 * 16-bit instructions have filled the queue (PCT). Each branch has a counter of two bits, which
 * the direction of its first execution fills, and the target of its last; at first, one backward
 * is foreseen as taken, one by register not. What was not foreseen costs 8 cycles, or 6 if the
 * flags were set three cycles before (PCT).
 */
#include <string.h>

#include "armv7m_bits.h"

enum { MISS = 8, MISS_EARLY = 6, FLAGS_EARLY = 3, UNALIGNED = 3 };
enum { FETCHED = 8, QUEUE = 4 }; /* bytes of a fetch; fetches that wait */
enum { START = 4 }; /* cycle 0 of a run is this one here, so that what was before it is long ago */
enum { NOT_TAKEN = 1, TAKEN = 2, SURELY = 3 };
enum { SHAPES = 4096, BRANCHES = 4096, REGISTERS = 0x7FFF };

/* What an instruction is to the schedule. */
enum {
    LOADS = 1 << 0,
    STORES = 1 << 1,
    MULTIPLIES = 1 << 2,
    BRANCHES_OFF = 1 << 3,
    SIMD = 1 << 4,    /* or bit fields */
    SHIFTS = 1 << 5,  /* an operand on its way, or has a rotated constant */
    SHIFTER = 1 << 6, /* SIMD that needs the shifter */
    MOVES = 1 << 7,   /* a shift alone */
    ADDS = 1 << 8,    /* ADD, SUB or MOV */
    ALONE = 1 << 9,
    FLAGS = 1 << 10,       /* sets them */
    CONDITIONAL = 1 << 11, /* reads them */
    REVERSES = 1 << 12,
    NARROW = 1 << 13, /* loads a byte or a halfword */
    SLOW = 1 << 14,   /* a result that takes a cycle more */
    INDIRECT = 1 << 15,
    UNSURE = 1 << 16 /* a branch that may not be taken */
};

typedef struct {
    uint32_t pc, code; /* of which it was found; pc 0: none */
    armv7m_entry entry;
    uint32_t is, early, late, factor, addend, writes, base, words, size;
} shape;

typedef struct {
    uint32_t pc, target; /* pc with bit 0 set */
    uint8_t count;
} branch;

typedef struct {
    uint64_t ready[16], flags, fp[32];
    uint32_t fast, reversed, written_back; /* registers: what loaded, reversed, or moved them */
    bool open;                             /* the younger place of the last cycle is free */
    uint32_t older, address;               /* what is in its other one, and what it loads */
    uint64_t fetched, left[QUEUE];         /* cycles: of the last fetch; after one was used */
    uint32_t word, turn;                   /* of the last fetch: its address, its place in left */
    bool jumped;
    branch branches[BRANCHES];
    shape shapes[SHAPES];
} dual;

size_t armv7m_dual_size(void)
{
    return sizeof(dual);
}

void armv7m_dual_begin(ecsim *m, bool warm)
{
    dual *d = m->own;
    memset(d, 0, offsetof(dual, branches));
    d->jumped = true;
    d->fetched = START - 1;
    if (!warm) {
        memset(d->branches, 0, sizeof d->branches);
    }
}

/* --- what an instruction is ------------------------------------------------------------------- */

static bool within(uint32_t op, uint32_t first, uint32_t last)
{
    return op >= first && op <= last;
}

static void of_dsp(shape *s, const armv7m_entry *e)
{
    uint32_t f = e->k, b = 1u << e->b, c = 1u << e->c;
    bool parallel = f >= EXTENSION_sadd8;
    if (e->op == OP_dsp && f < EXTENSION_usada8) {
        s->is |= MULTIPLIES;
        s->factor = b | c;
        s->late = 0;
        return;
    }
    s->is |= SIMD;
    s->late = b | c;
    if (e->op == OP_dsp_imm && f != EXTENSION_sxtb16 && f != EXTENSION_uxtb16) {
        bool saturates = f == EXTENSION_ssat16 || f == EXTENSION_usat16;
        s->is |= saturates ? SLOW : SHIFTER;
        s->early = saturates ? b : f == EXTENSION_pkhtb ? b | c : c;
    } else if (f == EXTENSION_usada8 || f == EXTENSION_usad8 ||
               within(f, EXTENSION_qadd, EXTENSION_qdsub) ||
               (parallel && (f - EXTENSION_sadd8) % 4 == 1)) { /* of Q and UQ */
        s->is |= SLOW;
        s->early = f == EXTENSION_qdadd || f == EXTENSION_qdsub ? b | c : 0;
    }
}

static void of_alu(shape *s, const armv7m_entry *e, bool rotates)
{
    if (armv7m_shifts(e)) {
        s->is |= SHIFTS;
        s->early = 1u << e->c;
    } else if (rotates) {
        s->is |= SHIFTS;
    } else if (within(e->op, OP_lsl_imm, OP_rors_reg) && e->op != OP_rrx && e->op != OP_rrxs) {
        s->is |= MOVES;
    } else if (within(e->op, OP_bfi, OP_revsh)) {
        bool saturates = e->op == OP_ssat || e->op == OP_usat, reverses = e->op >= OP_rbit;
        bool shifter = e->op <= OP_ubfx || saturates || reverses;
        s->is |= SIMD | (shifter ? SHIFTER : 0) | (reverses ? REVERSES : saturates ? SLOW : 0);
        s->early = !shifter ? 0 : e->op == OP_bfi ? 1u << e->b : s->late;
    } else {
        switch (e->op) {
        case OP_add_imm:
        case OP_add_reg:
        case OP_sub_reg:
        case OP_mov_imm:
        case OP_mov_reg:
        case OP_adds_imm:
        case OP_adds_reg:
        case OP_subs_imm:
        case OP_subs_reg:
        case OP_movs_imm:
        case OP_movs_reg:
        case OP_sp_add_imm:
        case OP_sp_mov:
        case OP_sp_adds_imm:
        case OP_sp_subs_imm: s->is |= ADDS; break;
        default: break;
        }
    }
}

static bool is_narrow(uint32_t op)
{
    return within(op, OP_ldrb_imm, OP_ldrsh_imm) || within(op, OP_ldrb_reg, OP_ldrsh_reg) ||
           within(op, OP_ldrb_index, OP_ldrsh_index) ||
           within(op, OP_ldrb_literal, OP_ldrsh_literal);
}

static void find_shape(shape *s, const armv7m_site *at)
{
    armv7m_entry *e = &s->entry;
    uint32_t row = armv7m_op_row[e->op];
    bool to_pc = e->a == PC_INDEX;
    s->is = (armv7m_sets_flags(e) ? FLAGS : 0) |
            (armv7m_reads_flags(e) || at->condition != ALWAYS ? CONDITIONAL : 0);
    s->writes = armv7m_registers(e, "wmML") & REGISTERS;
    s->late = armv7m_registers(e, "rm") & REGISTERS;
    s->addend = armv7m_registers(e, "AM") & REGISTERS;
    s->early = armv7m_registers(e, "BWI") & REGISTERS;
    s->base = armv7m_registers(e, "W") & REGISTERS;
    s->words = 1;
    switch (row) {
    case ROW_alu: of_alu(s, e, armv7m_rotated(at)); break;
    case ROW_multiply:
    case ROW_multiply_accumulate:
    case ROW_multiply_long:
    case ROW_multiply_long_accumulate:
        s->is |= MULTIPLIES;
        s->factor = s->late;
        s->late = 0;
        break;
    case ROW_dsp:
        if (e->op == OP_umaal || e->op == OP_dsp_long) {
            s->is |= MULTIPLIES;
            s->factor = s->late;
            s->late = 0;
        } else {
            of_dsp(s, e);
        }
        break;
    case ROW_load:
    case ROW_load_literal: s->is |= LOADS | (is_narrow(e->op) ? NARROW : 0); break;
    case ROW_load_pc: s->is |= LOADS | (to_pc ? BRANCHES_OFF | INDIRECT : 0); break;
    case ROW_fp_load: s->is |= LOADS; break;
    case ROW_store:
    case ROW_store_register:
    case ROW_store_indexed:
    case ROW_fp_store: s->is |= STORES; break;
    case ROW_load_multiple_pc:
    case ROW_pop_pc: s->is |= BRANCHES_OFF | INDIRECT; /* fall through */
    case ROW_load_multiple:
    case ROW_pop:
        s->is |= LOADS | ALONE;
        s->writes = e->k & REGISTERS;
        s->words = e->a;
        break;
    case ROW_store_multiple:
    case ROW_push:
        s->is |= STORES | ALONE;
        s->words = e->a;
        break;
    case ROW_load_double:
        s->is |= LOADS | ALONE;
        s->words = 2;
        break;
    case ROW_store_double:
        s->is |= STORES | ALONE;
        s->words = 2;
        break;
    case ROW_fp_load_double:
    case ROW_fp_load_multiple:
    case ROW_fp_store_double:
    case ROW_fp_store_multiple:
        s->is |= ALONE;
        s->words = e->d;
        break;
    case ROW_branch_not_taken:
    case ROW_compare_not_taken: s->is |= BRANCHES_OFF | UNSURE; break;
    case ROW_branch: s->is |= BRANCHES_OFF; break;
    case ROW_call:
        s->is |= BRANCHES_OFF;
        s->writes = 1u << LR;
        break;
    case ROW_call_register: s->writes = 1u << LR; /* fall through */
    case ROW_branch_register:
    case ROW_move_pc:
        s->is |= BRANCHES_OFF | INDIRECT;
        s->early = s->late;
        break;
    case ROW_table_branch:
        s->is |= BRANCHES_OFF | INDIRECT | ALONE;
        s->words = 4; /* takes two cycles (LLVM) */
        break;
    case ROW_it:
    case ROW_hint:
    case ROW_preload:
    case ROW_fp_move: break;
    default: /* exclusive, divisions, special registers, barriers, ..: as long as their row says */
        s->is |= ALONE;
        s->words = 0;
        break;
    }
    if ((s->is & BRANCHES_OFF) != 0 && at->condition != ALWAYS) {
        s->is |= UNSURE;
    }
    s->late &= ~s->early;
}

/* Of the instruction at an address; null: there is none. */
static shape *shape_at(ecsim *m, uint32_t pc)
{
    dual *d = m->own;
    const ecs_region *region = ecs_region_at(m, pc);
    uint32_t code = 0, offset = region != NULL ? pc - region->start : 0;
    if (region == NULL) {
        return NULL;
    }
    memcpy(&code, region->bytes + offset, region->size - offset < 4 ? 2 : 4);
    shape *s = &d->shapes[pc / 2 % SHAPES];
    if (s->pc != (pc | 1) || s->code != code) {
        armv7m_site at = armv7m_site_at(m, region, pc);
        *s = (shape){.pc = pc | 1, .code = code, .entry = armv7m_operands(&at)};
        s->size = WIDE(at.h1) ? 4 : 2;
        find_shape(s, &at);
    }
    return s;
}

/* --- when it issues --------------------------------------------------------------------------- */

static void wait_for(uint64_t *at, uint64_t other)
{
    *at = other > *at ? other : *at;
}

/* The first cycle, from `at` on, in which the operands are there. */
static uint64_t operands(const dual *d, const shape *s, uint64_t at)
{
    uint32_t mixed = (s->is & (SHIFTS | SHIFTER)) != 0 ? s->late : 0;
    for (uint32_t set = s->early | s->late | s->factor | s->addend; set != 0; set &= set - 1) {
        uint32_t r = (uint32_t)__builtin_ctz(set), bit = set & -set;
        if ((s->early & bit) != 0) {
            wait_for(&at, d->ready[r] + 1 + ((d->reversed & bit) != 0));
        }
        if (((s->late | s->factor) & bit) != 0) {
            wait_for(&at, d->ready[r] + ((d->fast & (mixed | s->factor) & bit) != 0));
        }
        if ((s->addend & bit) != 0) {
            wait_for(&at, d->ready[r] != 0 ? d->ready[r] - 1 : 0);
        }
    }
    if ((s->is & CONDITIONAL) != 0 && (s->is & BRANCHES_OFF) == 0) {
        wait_for(&at, d->flags);
    }
    if (s->entry.op == OP_vmov_to_core) {
        wait_for(&at, d->fp[s->entry.a & 31]);
    }
    return at;
}

/* Can it execute in EX1, in that cycle? */
static bool executes_early(const dual *d, const shape *s, uint64_t at, bool younger)
{
    bool adds = (s->is & ADDS) != 0 && !younger,
         moves = (s->is & MOVES) != 0 && !(younger && (d->older & (SHIFTS | SHIFTER)) != 0);
    for (uint32_t set = s->late; set != 0 && (adds || moves); set &= set - 1) {
        uint32_t r = (uint32_t)__builtin_ctz(set), bit = set & -set,
                 late = d->reversed | (adds ? d->written_back : 0);
        if (d->ready[r] + 1 + ((late & bit) != 0) > at) {
            return false;
        }
    }
    return adds || moves;
}

/* Can it be the younger instruction of the last cycle? */
static bool shares(const dual *d, const shape *s, uint32_t address)
{
    const uint32_t one = d->older | s->is, both = d->older & s->is;
    bool bank = (both & LOADS) != 0 && ((d->address ^ address) & 4) == 0;
    return (one & ALONE) == 0 && (s->is & SIMD) == 0 && !bank &&
           (both & (STORES | MULTIPLIES | BRANCHES_OFF | SHIFTS)) == 0 &&
           (one & (STORES | MULTIPLIES)) != (STORES | MULTIPLIES) &&
           ((s->is & SHIFTS) == 0 || (d->older & (SHIFTER | MOVES)) == 0);
}

/* The cycle in which all of an instruction has been fetched. */
static uint64_t fetched(dual *d, uint32_t pc, uint32_t size)
{
    for (uint32_t word = pc / FETCHED; word <= (pc + size - 1) / FETCHED; word++) {
        if (word != d->word || d->jumped) {
            d->jumped = false;
            d->word = word;
            d->turn = (d->turn + 1) % QUEUE;
            d->fetched++;
            wait_for(&d->fetched, d->left[d->turn]);
        }
    }
    return d->fetched;
}

/* A branch issues, and goes to the target: did the core foresee it? */
static void foresee(dual *d, const shape *s, uint32_t target, uint64_t at)
{
    uint32_t pc = s->pc & ~1u;
    branch *known = &d->branches[pc / 2 % BRANCHES];
    bool direct = (s->is & INDIRECT) == 0, unsure = (s->is & UNSURE) != 0,
         taken = !unsure || target != pc + s->size, right;
    if (known->pc == s->pc) {
        right = (known->count >= TAKEN) == taken && (!taken || direct || known->target == target);
        known->count = (uint8_t)(taken ? known->count + (known->count < SURELY)
                                       : known->count - (known->count > 0));
    } else {
        bool expected = direct && (!unsure || s->entry.imm < pc);
        right = expected == taken;
        *known = (branch){.pc = s->pc, .count = taken ? TAKEN : NOT_TAKEN};
    }
    known->target = taken ? target : known->target;
    d->jumped = d->jumped || taken;
    if (!right) {
        uint64_t known_at = d->flags;
        for (uint32_t set = s->late; set != 0; set &= set - 1) { /* of CBZ */
            known_at = d->ready[__builtin_ctz(set)];
        }
        bool early = direct && known_at + FLAGS_EARLY <= at + 1;
        d->fetched = at + (early ? MISS_EARLY : MISS);
        d->jumped = true;
        memset(d->left, 0, sizeof d->left);
    }
}

static void results(dual *d, const shape *s, uint64_t at, bool early)
{
    uint32_t latency = early || (s->is & REVERSES) != 0              ? 0
                       : (s->is & (MULTIPLIES | NARROW | SLOW)) != 0 ? 2
                                                                     : 1,
             several = (s->is & (LOADS | ALONE)) == (LOADS | ALONE), count = 0,
             changed = s->writes | s->base;
    d->fast = (d->fast & ~changed) | ((s->is & (LOADS | NARROW)) == LOADS ? s->writes : 0);
    d->reversed = (d->reversed & ~changed) | ((s->is & REVERSES) != 0 ? s->writes : 0);
    d->written_back = (d->written_back & ~changed) | s->base;
    for (uint32_t set = s->base; set != 0; set &= set - 1) {
        d->ready[__builtin_ctz(set)] = at;
    }
    for (uint32_t set = s->writes; set != 0; set &= set - 1, count++) {
        d->ready[__builtin_ctz(set)] = at + latency + (several ? count / 2 : 0);
    }
    if ((s->is & FLAGS) != 0) {
        d->flags = at + 1 + ((s->is & SHIFTS) != 0 && s->writes == 0);
    }
    if (s->entry.op == OP_vmov_from_core || s->entry.op == OP_vldr) {
        d->fp[s->entry.a & 31] = at + (s->entry.op == OP_vldr ? 2 : 3);
    }
}

/* The address of a single load, which is about to be executed, or of a multiple store. */
static uint32_t address_of(const ecsim *m, const shape *s)
{
    const armv7m_entry *e = &s->entry;
    uint32_t offset = ((uint32_t)e->k ^ 0x8000) - 0x8000, base = m->r[e->b & 15],
             word = ((s->pc & ~1u) & ~3u) + 4;
    if (within(e->op, OP_ldr_imm, OP_ldrsh_imm) || e->op == OP_ldr_high_imm) {
        return base + e->imm;
    }
    if (within(e->op, OP_ldr_reg, OP_ldrsh_reg) || e->op == OP_ldr_high_reg) {
        return base + (m->r[e->c & 15] << (e->k & 31));
    }
    if (within(e->op, OP_ldr_index, OP_ldrsh_index) || e->op == OP_ldr_high_index) {
        return base + (uint32_t)((int32_t)e->imm >> 16);
    }
    switch (e->op) {
    case OP_ldr_flash: return word + 4 * e->b;
    case OP_vldr: return (e->b == PC_INDEX ? word : base) + offset;
    case OP_strd:
    case OP_strd_index: return base + offset;
    case OP_stm: return base - (e->d != 0 ? 4u * e->a : 0);
    case OP_push: return base - 4u * e->a;
    default: return e->imm;
    }
}

/* The cycles in which nothing else issues. `table`: of its row. */
static uint32_t cycles_of(const shape *s, uint32_t table, uint32_t address)
{
    bool odd = (address & 4) != 0;
    if ((s->is & ALONE) == 0) {
        bool aligned = (s->is & LOADS) == 0 || (s->is & NARROW) != 0 || (address & 3) == 0;
        return aligned ? 1 : 1 + UNALIGNED;
    }
    return s->words == 0 ? table : (s->words + ((s->is & STORES) != 0 && odd ? 2 : 1)) / 2;
}

/* After it has executed, which began at the clock `begun`, and went on at the target. */
static void issue(ecsim *m, const shape *s, uint32_t address, uint32_t target, uint64_t begun)
{
    dual *d = m->own;
    const uint32_t table = m->cost[armv7m_op_row[s->entry.op]].cycles;
    if (m->cycles - begun >= table) { /* not less, as of one that was skipped */
        m->cycles -= table;
    }
    bool waited = m->cycles != begun;
    uint64_t there = fetched(d, s->pc & ~1u, s->size), at = m->cycles + START - 1;
    wait_for(&there, operands(d, s, 0));
    bool younger = d->open && !waited && there <= at && shares(d, s, address);
    if (!younger) {
        at++;
        wait_for(&at, there);
        d->older = s->is;
        d->address = address;
    }
    const uint32_t cycles = cycles_of(s, table, address);
    const uint64_t last = at + cycles - 1;
    results(d, s, s->words == 0 ? last : at, executes_early(d, s, at, younger));
    d->open = !younger;
    m->cycles = last + 1 - START;
    d->left[d->turn] = at + 1;
    if ((s->is & BRANCHES_OFF) != 0) {
        foresee(d, s, target, last);
    }
}

/* One by one, by an executor of ARMv7-M. */
static void in_pairs(ecsim *m, uint32_t budget, void (*run)(ecsim *, uint32_t))
{
    for (; budget != 0 && m->stop == ECSIM_LIMIT; budget--) {
        const uint64_t done = m->instructions, begun = m->cycles;
        const shape *s = shape_at(m, m->pc);
        const uint32_t address = s != NULL ? address_of(m, s) : 0;
        run(m, 1);
        if (s != NULL && m->instructions != done) {
            issue(m, s, address, m->pc, begun);
        }
    }
}

#define IN_PAIRS(variant) \
    void armv7m_dual_run_##variant(ecsim *m, uint32_t budget) \
    { \
        in_pairs(m, budget, armv7m_run_##variant); \
    }
IN_PAIRS(plain)
IN_PAIRS(flash)
IN_PAIRS(profile)
IN_PAIRS(flash_profile)
IN_PAIRS(taint)
