/*
 * ARMv7-M: what an instruction costs. The numbers are rows of the cycle table (ecfit/data/models),
 * here is how they combine. All of it is decided once, when the instruction is decoded:
 *
 * - What one instruction does to the next is charged to the first of the two,
 *   which is where it is known that the second follows; the second, when a branch leads to it,
 *   costs its plain row. A row of 0 is an effect that a core has not got. Between instructions
 *   of which one may be skipped without the other, there is no effect but a fold.
 *     pair        a load or store behind a load is cheaper, unless it needs the loaded register,
 *                 or the written-back base, for its address. Literals of code in flash and data
 *                 in RAM come over different buses: no pair. LDRD, STRD, LDM, STM, PUSH, POP,
 *                 loads of the PC and floating-point loads and stores do not pair
 *     store_wait  a store with an immediate offset is done while the next instruction executes:
 *                 a load has to wait
 *     address     a load or store whose address the instruction before has computed waits for it
 *     load_use, late_use   an instruction waits for what the one before has not finished
 *     flags_held  one that has its result, and so its flags, late, and waits for them itself
 *     flags_late  one that reads flags waits for those of a shifted operand
 *     fold        an IT behind a 16-bit instruction; fold_branch, fold_nop: a 16-bit branch or NOP
 *                 behind one. On a core that has these, what has shared a cycle with the one before
 *                 shares none with the one behind. A branch behind one that sets flags saves this
 *                 itself, when it is not taken
 *     stores_load is not settled: 0 in every model
 *     return      BX LR knows its target at decode only if LR is not being written
 *                 by the instruction before
 * - A refill takes refill_decode, refill_execute or refill_load cycles, by the stage in which the
 *   target is known (Arm DDI 0337G, table 15-3), and refill_odd more to a 32-bit instruction that
 *   does not start in a word of its own, for which two words must be fetched; at most refill_most.
 *   A target by register or from memory is looked at when the branch is taken (armv7m_odd_target).
 * - fetch_odd is what an instruction costs more that keeps its stage for fetch_hold cycles, by its
 *   own row, when three 32-bit instructions follow in sequence that start at odd halfwords. A load
 *   that pairs with the one before does not keep it.
 * - Operand-dependent times are charged in full; entries carry what the shortest
 *   takes less (SLACK).
 */
#include <string.h>

#include "armv7m_bits.h"

const uint8_t armv7m_op_row[OP_COUNT] = {
#define OP(name, row, roles) [OP_##name] = ROW_##row,
#include "armv7m.def"
};

static const char op_roles[OP_COUNT][6] = {
#define OP(name, row, roles) [OP_##name] = roles,
#include "armv7m.def"
};

static uint32_t cycles(const ecsim *m, uint32_t row)
{
    return m->cost[row].cycles;
}

/* --- what an instruction does with its registers ---------------------------------------------- */

/* The set of registers that have one of these roles. */
uint32_t armv7m_registers(const armv7m_entry *e, const char *roles)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t field[4] = {e->a, e->b, e->c, e->d};
        if (strchr(roles, op_roles[e->op][i]) != NULL) {
            set |= 1u << (field[i] & 15);
        }
    }
    return set;
}

static uint32_t row_of(const armv7m_entry *e)
{
    bool loads_sp = armv7m_op_row[e->op] == ROW_load_pc && e->a == SP;
    return loads_sp ? ROW_load : armv7m_op_row[e->op];
}

static bool is_load(const armv7m_entry *e)
{
    uint32_t row = row_of(e);
    return row == ROW_load || row == ROW_load_literal || row == ROW_exclusive;
}

static bool is_store(const armv7m_entry *e)
{
    uint32_t row = row_of(e);
    return row == ROW_store || row == ROW_store_register || row == ROW_store_indexed;
}

/* Is there any load in it? */
static bool loads(const armv7m_entry *e)
{
    switch (row_of(e)) {
    case ROW_load_pc:
    case ROW_load_double:
    case ROW_load_multiple:
    case ROW_load_multiple_pc:
    case ROW_pop:
    case ROW_pop_pc:
    case ROW_table_branch:
    case ROW_fp_load:
    case ROW_fp_load_double:
    case ROW_fp_load_multiple: return true;
    default: return is_load(e);
    }
}

static bool stores_several(const armv7m_entry *e)
{
    uint32_t row = row_of(e);
    return row == ROW_store_double || row == ROW_store_multiple || row == ROW_push;
}

/* Does it compute its result in the execute stage, rather than load it? */
static bool computes(const armv7m_entry *e)
{
    uint32_t row = row_of(e);
    return row <= ROW_divide || row == ROW_special || row == ROW_fp_move ||
           row == ROW_fp_move_double;
}

static bool writes_lr(const armv7m_entry *e)
{
    bool multiple = e->op == OP_ldm || e->op == OP_pop;
    return (armv7m_registers(e, "wmMWL") & 1u << LR) != 0 || (multiple && bit(e->k, LR));
}

bool armv7m_goes_on(const armv7m_entry *e)
{
    switch (row_of(e)) {
    case ROW_branch:
    case ROW_branch_register:
    case ROW_call:
    case ROW_call_register:
    case ROW_move_pc:
    case ROW_load_pc:
    case ROW_load_multiple_pc:
    case ROW_pop_pc:
    case ROW_table_branch: return false;
    default: return e->op < OP_undefined || e->op > OP_not_modelled;
    }
}

/* --- refill ----------------------------------------------------------------------------------- */

static uint32_t refill(const ecsim *m, uint32_t row, bool odd)
{
    uint32_t sum = cycles(m, row) + (odd ? cycles(m, ROW_refill_odd) : 0),
             most = cycles(m, ROW_refill_most);
    return sum < most ? sum : most;
}

/* Is there a 32-bit instruction at an odd halfword? */
static bool is_odd(const ecsim *m, uint32_t target)
{
    if ((target & 2) == 0) {
        return false;
    }
    for (uint32_t i = 0; i < m->region_count; i++) {
        uint32_t offset = target - m->region[i].start;
        if (offset < m->region[i].size) {
            return m->region[i].bytes[offset + 1] >= WIDE_PREFIX;
        }
    }
    return false;
}

uint32_t armv7m_odd_target(const ecsim *m, uint32_t target, uint32_t row)
{
    return refill(m, row, is_odd(m, target)) - refill(m, row, false);
}

/* To a target that is known now. If the code there changes, this must change too. */
static uint32_t direct_refill(ecsim *m, uint32_t row, uint32_t target)
{
    armv7m_depend_on(m, target);
    return refill(m, row, is_odd(m, target));
}

/* --- one instruction -------------------------------------------------------------------------- */

static uint32_t words(const armv7m_entry *e)
{
    switch (e->op) {
    case OP_ldm:
    case OP_ldm_pc:
    case OP_stm:
    case OP_pop:
    case OP_pop_pc:
    case OP_push: return e->a;
    case OP_vldm:
    case OP_vstm: return e->d;
    default: return 0;
    }
}

/* Its row, and the refill if it always branches. */
static uint32_t plain_cost(ecsim *m, const armv7m_entry *e)
{
    uint32_t row = row_of(e), cost = cycles(m, row) + m->cost[row].per_register * words(e);
    switch (row) {
    case ROW_branch:
    case ROW_call: return cost + direct_refill(m, ROW_refill_decode, e->imm);
    case ROW_branch_register:
    case ROW_call_register:
        return cost + refill(m, e->c == LR ? ROW_refill_decode : ROW_refill_execute, false);
    case ROW_move_pc:
        return cost +
               refill(m, e->op == OP_mov_pc && e->c == LR ? ROW_refill_decode : ROW_refill_execute,
                      false);
    case ROW_load_pc:
    case ROW_load_multiple_pc:
    case ROW_pop_pc:
    case ROW_table_branch: return cost + refill(m, ROW_refill_load, false);
    case ROW_instruction_barrier: return cost + refill(m, ROW_refill_execute, false);
    default: return cost;
    }
}

/* Fields of the entry that are costs. */
static void fill_in(ecsim *m, armv7m_entry *e)
{
    uint32_t row = armv7m_op_row[e->op];
    if (row == ROW_branch_not_taken) {
        uint32_t taken = cycles(m, ROW_branch_taken) + direct_refill(m, ROW_refill_decode, e->imm);
        e->a = (uint8_t)(taken - cycles(m, row));
    } else if (row == ROW_compare_not_taken) {
        uint32_t taken =
            cycles(m, ROW_compare_taken) + direct_refill(m, ROW_refill_execute, e->imm);
        e->a = (uint8_t)(taken - cycles(m, row));
    } else if (row == ROW_multiply_long || row == ROW_multiply_long_accumulate ||
               row == ROW_divide) {
        e->k = (uint16_t)(m->cost[row].cycles - m->cost[row].cycles_min);
    }
}

/* --- two instructions ------------------------------------------------------------------------- */

/* Literals of code in flash come over another bus than data in RAM. */
static bool from_flash(const armv7m_site *at, const armv7m_entry *e)
{
    return row_of(e) == ROW_load_literal && at->region->kind == ECSIM_FLASH;
}

/* The clocks that a load or store saves after a load. */
static uint32_t saved_by_pair(const ecsim *m, const armv7m_site *at, const armv7m_entry *e,
                              const armv7m_site *next_at, const armv7m_entry *next)
{
    bool waits = (armv7m_registers(e, "LwW") & armv7m_registers(next, "BWI")) != 0;
    if (waits || from_flash(at, e) != from_flash(next_at, next)) {
        return 0;
    }
    if (armv7m_registers(next, "W") != 0) {
        return cycles(m, ROW_pair_indexed);
    }
    if (row_of(next) == ROW_store) {
        return cycles(m, ROW_pair_store);
    }
    return cycles(m, WIDE(next_at->h1) && (next_at->pc & 2) != 0 ? ROW_pair_odd : ROW_pair);
}

/* --- operands and flags that take two stages -------------------------------------------------- */

/* Has it an operand that is shifted on its way? */
bool armv7m_shifts(const armv7m_entry *e)
{
    return e->op >= OP_and_shift && e->op <= OP_cmn_shift && (e->d != SHIFT_LSL || e->k != 0);
}

/* Arm DDI 0403, A5.3.2 */
bool armv7m_rotated(const armv7m_site *at)
{
    bool modified = (at->h1 & 0xFA00) == 0xF000 && (at->h2 & 0x8000) == 0;
    return modified && ((at->h1 & 0x0400) != 0 || (at->h2 & 0x4000) != 0);
}

/* Does it compute with such a constant? MOV and MVN do not. */
static bool rotates(const armv7m_site *at)
{
    bool moves = (at->h1 & 0x1EF) == 0x4F || (at->h1 & 0x1EF) == 0x6F;
    return armv7m_rotated(at) && !moves;
}

bool armv7m_sets_flags(const armv7m_entry *e)
{
    return strchr("FX", op_roles[e->op][4]) != NULL;
}

bool armv7m_reads_flags(const armv7m_entry *e)
{
    bool carries = e->op == OP_adc_shift || e->op == OP_sbc_shift || e->op == OP_adcs_shift ||
                   e->op == OP_sbcs_shift;
    if (e->op >= OP_and_shift && e->op <= OP_cmn_shift && !carries) {
        return e->d == SHIFT_RRX;
    }
    return strchr("RX", op_roles[e->op][4]) != NULL;
}

/* MULS, and an operation with a rotated constant that sets flags: they wait
 * for their own second stage. */
static bool holds_for_flags(const armv7m_site *at, const armv7m_entry *e)
{
    return e->op == OP_muls || (rotates(at) && armv7m_sets_flags(e));
}

/* Does its result come a cycle later? */
static bool is_late(const armv7m_site *at, const armv7m_entry *e)
{
    uint32_t row = row_of(e);
    return (armv7m_shifts(e) || rotates(at) || (row >= ROW_multiply && row <= ROW_dsp)) &&
           !holds_for_flags(at, e);
}

/* The register to which an extended one is added: an accumulator for what was computed,
 * not for what was loaded. */
static uint32_t added_to(const armv7m_entry *e)
{
    bool adds = e->op == OP_dsp_imm && e->k >= EXTENSION_sxtah && e->k <= EXTENSION_uxtab;
    return adds ? 1u << e->b : 0;
}

/* --- what shares a cycle ---------------------------------------------------------------------- */

static bool is_branch(const armv7m_entry *e)
{
    return e->op == OP_b || e->op == OP_bx || (e->op >= OP_beq && e->op <= OP_cbnz);
}

/* A hint that does nothing: NOP itself. */
static bool is_nop(const armv7m_site *at)
{
    return at->h1 == 0xBF00;
}

/* Is it a 16-bit instruction that another can share its cycle with? Not one that may itself
 * have shared one. */
static bool carries(const ecsim *m, const armv7m_site *at, const armv7m_entry *e)
{
    return !WIDE(at->h1) && e->op != OP_it && !(cycles(m, ROW_fold_branch) != 0 && is_branch(e)) &&
           !(cycles(m, ROW_fold_nop) != 0 && is_nop(at));
}

/* A branch whose slot a 16-bit instruction before it has room for. Not behind an IT: such a branch
   may be skipped. (The decoder of the IT cannot see that from the branch: it takes its condition
   when the IT has executed.) */
static bool folds_branch(const ecsim *m, const armv7m_site *at, const armv7m_entry *e,
                         const armv7m_site *next_at, const armv7m_entry *next)
{
    return is_branch(next) && !WIDE(next_at->h1) && carries(m, at, e);
}

/* Behind a 16-bit instruction that sets flags a branch costs nothing if it is not taken,
   which shows at the branch: so this is the branch's own. It looks at what stands before it,
   however it was reached. */
static uint32_t saved_untaken(ecsim *m, const armv7m_site *at, const armv7m_entry *e)
{
    armv7m_site before_at;
    bool decides = e->op >= OP_beq && e->op <= OP_cbnz && !WIDE(at->h1) && !at->in_it;
    if (cycles(m, ROW_fold_branch) == 0 || !decides || !armv7m_site_before(m, at, &before_at)) {
        return 0;
    }
    armv7m_entry before = armv7m_operands(&before_at);
    bool folds = !before_at.in_it && carries(m, &before_at, &before) && armv7m_sets_flags(&before);
    return folds ? cycles(m, ROW_fold_branch) : 0;
}

/* --- fetching --------------------------------------------------------------------------------- */

/* Do three 32-bit instructions follow in sequence, all at odd halfwords, from `pc` on? */
static bool odd_three(ecsim *m, const ecs_region *region, uint32_t pc)
{
    if ((pc & 2) == 0) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++, pc += 4) {
        if (pc - region->start >= region->size) {
            return false;
        }
        armv7m_site at = armv7m_site_at(m, region, pc);
        armv7m_entry e = armv7m_operands(&at);
        armv7m_depend_on(m, pc);
        bool conditional = e.op >= OP_beq && e.op <= OP_cbnz;
        if (!WIDE(at.h1) || (i < 2 && (conditional || !armv7m_goes_on(&e)))) {
            return false;
        }
    }
    return true;
}

/* The extra clocks of an instruction that stays in its stage for `held` cycles, while the core
 * fetches the instructions after it. */
static uint32_t fetch_cost(ecsim *m, const armv7m_site *at, const armv7m_entry *e, uint32_t held)
{
    uint32_t behind = at->pc + (WIDE(at->h1) ? 4 : 2), cost = cycles(m, ROW_fetch_odd);
    bool stays = held >= cycles(m, ROW_fetch_hold) && armv7m_goes_on(e) && !is_branch(e);
    return cost != 0 && stays && odd_three(m, at->region, behind) ? cost : 0;
}

/* The difference in clocks of the second instruction if it is executed after the first. */
static int32_t effect(ecsim *m, const armv7m_site *at, const armv7m_entry *e,
                      const armv7m_site *next_at, const armv7m_entry *next)
{
    uint32_t row = row_of(next), address = armv7m_registers(next, "BWI"),
             needs = armv7m_registers(next, "rmBWI");
    bool from_lr = row == ROW_branch_register || row == ROW_call_register || next->op == OP_mov_pc;
    int32_t sum = 0;
    if (is_load(e) && (is_load(next) || is_store(next))) {
        uint32_t saved = saved_by_pair(m, at, e, next_at, next), held = plain_cost(m, next);
        sum -= (int32_t)saved;
        if (saved != 0) { /* it may then be too short to be held up */
            sum -= (int32_t)(fetch_cost(m, next_at, next, held) -
                             fetch_cost(m, next_at, next, held - saved));
        }
    }
    if (is_load(e) && (armv7m_registers(e, "L") & needs) != 0) {
        sum += (int32_t)cycles(m, ROW_load_use);
    }
    if (is_late(at, e) && (armv7m_registers(e, "wmM") & needs & ~added_to(next)) != 0) {
        sum += (int32_t)cycles(m, ROW_late_use);
    }
    if (armv7m_shifts(e) && armv7m_sets_flags(e) && armv7m_reads_flags(next)) {
        sum += (int32_t)cycles(m, ROW_flags_late);
    }
    if ((row_of(e) == ROW_store || row_of(e) == ROW_store_indexed) && loads(next)) {
        sum += (int32_t)cycles(m, ROW_store_wait);
    }
    if (stores_several(e) && loads(next)) {
        sum += (int32_t)cycles(m, ROW_stores_load);
    }
    if (computes(e) && (armv7m_registers(e, "wmM") & address) != 0) {
        sum += (int32_t)cycles(m, ROW_address);
    }
    if (from_lr && next->c == LR && writes_lr(e)) {
        sum +=
            (int32_t)(refill(m, ROW_refill_execute, false) - refill(m, ROW_refill_decode, false));
    }
    if (folds_branch(m, at, e, next_at, next) && !armv7m_sets_flags(e)) {
        sum -= (int32_t)cycles(m, ROW_fold_branch);
    }
    if (is_nop(next_at) && carries(m, at, e)) {
        sum -= (int32_t)cycles(m, ROW_fold_nop);
    }
    return sum;
}

void armv7m_cost(ecsim *m, const armv7m_site *at, armv7m_entry *entry, const armv7m_site *next_at,
                 const armv7m_entry *next)
{
    bool folds = next != NULL && next->op == OP_it && carries(m, at, entry),
         goes_on = next != NULL && armv7m_goes_on(entry);
    uint32_t held = plain_cost(m, entry), untaken = saved_untaken(m, at, entry);
    int32_t cost = (int32_t)(held + fetch_cost(m, at, entry, held)) - (int32_t)untaken;
    if (holds_for_flags(at, entry)) {
        cost += (int32_t)cycles(m, ROW_flags_held);
    }
    fill_in(m, entry);
    if (folds && goes_on) {
        cost -= (int32_t)cycles(m, ROW_fold);
        untaken += cycles(m, ROW_fold);
    }
    if (entry->op >= OP_beq && entry->op <= OP_cbnz) {
        entry->a = (uint8_t)(entry->a + untaken); /* which it does not save when taken */
    }
    if (goes_on && (next_at->condition == ALWAYS ||
                    (at->in_it && !at->last && at->condition == next_at->condition))) {
        cost += effect(m, at, entry, next_at, next);
    }
    entry->step = ECS_STEP(cost > 0 ? cost : 0);
    if (at->condition != ALWAYS && entry->op != OP_bkpt) {
        entry->real = entry->op;
        entry->condition = (uint8_t)(at->condition | (folds ? FOLDS : 0));
        entry->op = OP_conditional;
    }
}
