/*
 * AVRe+ decoder: AVR Instruction Set Manual (Microchip DS40002198), chapter 6, which has
 * the encodings; what a core does not have (XCH, LAC, LAS, LAT, DES, and by the size of its flash
 * ELPM, EIJMP and EICALL) is an undefined instruction. SPM is not modelled.
 */
#include <string.h>

#include "avr.h"
#include "bits.h"

const uint8_t avr_op_row[OP_COUNT] = {
#define OP(name, row) [OP_##name] = ROW_##row,
#include "avr.def"
};

static const char *const row_names[ROW_COUNT] = {
#define ROW(name) [ROW_##name] = #name,
#include "avr.def"
};

/* An instruction; `size` in words. */
typedef struct {
    uint32_t op, a, b, c, imm;
} decoded;

/* Registers and I/O of the data space, up to where the RAM of the largest ATmega begins. */
static bool is_peripheral(uint32_t address)
{
    return address - AVR_DATA < 0x200;
}

/* CALL, JMP, LDS and STS. */
static bool is_long_word(uint32_t w)
{
    return (w & 0xFE0C) == 0x940C || (w & 0xFC0F) == 0x9000;
}

static bool is_long(const uint8_t *code)
{
    return is_long_word((uint32_t)(code[0] | code[1] << 8));
}

static uint32_t get_register(const ecsim *m, uint32_t index)
{
    switch (index) {
    case SREG: return avr_sreg(m);
    case PC_NUMBER: return m->pc;
    case RAMPZ_NUMBER: return m->csr[RAMPZ];
    case EIND_NUMBER: return m->csr[EIND];
    default: return index <= SP ? m->r[index] : 0;
    }
}

static void set_register(ecsim *m, uint32_t index, uint32_t value)
{
    switch (index) {
    case SREG: avr_set_sreg(m, value & 0xFF); break;
    case PC_NUMBER: m->pc = value & ~1u; break;
    case SP: m->r[SP] = AVR_DATA | (value & 0xFFFF); break;
    case RAMPZ_NUMBER: (void)avr_put_io(m, RAMPZ_AT, value & 0xFF); break;
    case EIND_NUMBER: (void)avr_put_io(m, EIND_AT, value & 0xFF); break;
    default:
        if (index < SP) {
            m->r[index] = value & 0xFF;
        }
        break;
    }
}

/* Arguments of 16 bits are in r25:r24 and r23:r22. */
static void block(const ecsim *m, uint32_t *address, uint32_t *size)
{
    *address = AVR_DATA | m->r[25] << 8 | m->r[24];
    *size = m->r[23] << 8 | m->r[22];
}

const ecs_isa ecs_avr = {
    .name = "avr",
    .rows = row_names,
    .row_count = ROW_COUNT,
    .decode = avr_decode,
    ECS_RUN(avr),
    .is_peripheral = is_peripheral,
    .is_long = is_long,
    .thumb_bit = 0,
    .marker = 2,
    .sp = SP,
    .status = SREG,
    .block = block,
    .get_register = get_register,
    .set_register = set_register,
};

/* --- registers and I/O in the data space ------------------------------------------------------ */

bool avr_get_io(const ecsim *m, uint32_t address, uint32_t *value)
{
    switch (address) {
    case SREG_AT: *value = avr_sreg(m); return true;
    case SPL_AT: *value = m->r[SP] & 0xFF; return true;
    case SPH_AT: *value = m->r[SP] >> 8 & 0xFF; return true;
    case RAMPZ_AT: *value = m->csr[RAMPZ]; return avr_has_rampz(m);
    case EIND_AT: *value = m->csr[EIND]; return avr_has_wide_pc(m);
    default: break;
    }
    if (address < 32) {
        *value = m->r[address];
    }
    return address < 32;
}

/* The stack pointer is written by halves, the lower one last, as compilers do it
 * (avr-gcc's prologues): so its lowest value is looked at then. */
bool avr_put_io(ecsim *m, uint32_t address, uint32_t value)
{
    const uint32_t last = avr_flash_size(m) - 1;
    switch (address) {
    case SREG_AT: avr_set_sreg(m, value); return true;
    case SPH_AT: m->r[SP] = (m->r[SP] & ~0xFF00u) | value << 8; return true;
    case SPL_AT:
        m->r[SP] = (m->r[SP] & ~0xFFu) | value;
        if (m->r[SP] < m->stack_low) {
            m->stack_low = m->r[SP];
        }
        return true;
    case RAMPZ_AT: m->csr[RAMPZ] = value & last >> 16; return avr_has_rampz(m);
    case EIND_AT: m->csr[EIND] = value & last >> 17; return avr_has_wide_pc(m);
    default: break;
    }
    if (address < 32) {
        m->r[address] = value;
    }
    return address < 32;
}

/* --- formats ---------------------------------------------------------------------------------- */

static uint32_t rd5(uint32_t w)
{
    return bits(w, 8, 4);
}

static uint32_t rr5(uint32_t w)
{
    return bits(w, 9, 9) << 4 | bits(w, 3, 0);
}

static decoded two_registers(uint32_t op, uint32_t w)
{
    return (decoded){.op = op, .a = rd5(w), .b = rr5(w)};
}

/* Of r16 to r31. */
static decoded immediate(uint32_t op, uint32_t w)
{
    return (decoded){.op = op, .a = 16 + bits(w, 7, 4), .imm = bits(w, 11, 8) << 4 | bits(w, 3, 0)};
}

static decoded one(uint32_t op, uint32_t w)
{
    return (decoded){.op = op, .a = rd5(w)};
}

static decoded plain(uint32_t op)
{
    return (decoded){.op = op};
}

/* 0000 0000 to 0000 0011: NOP, MOVW, and the products of few registers. */
static decoded decode_low(uint32_t w)
{
    static const uint8_t of_eight[4] = {OP_mulsu, OP_fmul, OP_fmuls, OP_fmulsu};
    const uint32_t high = bits(w, 7, 4), low = bits(w, 3, 0);
    switch (w >> 8) {
    case 0: return plain(w == 0 ? OP_nop : OP_undefined);
    case 1: return (decoded){.op = OP_movw, .a = 2 * high, .b = 2 * low};
    case 2: return (decoded){.op = OP_muls, .a = 16 + high, .b = 16 + low};
    default:
        return (decoded){.op = of_eight[bits(w, 7, 7) << 1 | bits(w, 3, 3)],
                         .a = 16 + bits(w, 6, 4),
                         .b = 16 + bits(w, 2, 0)};
    }
}

/* 0000 01 to 0010 11: two registers. */
static decoded decode_registers(uint32_t w)
{
    static const uint8_t op[12] = {OP_undefined, OP_cpc, OP_sbc, OP_add, OP_cpse, OP_cp,
                                   OP_sub,       OP_adc, OP_and, OP_eor, OP_or,   OP_mov};
    return two_registers(op[w >> 10], w);
}

/* 1001 000 and 1001 001: loads, stores and the stack, by the last four bits. */
static decoded decode_memory(const ecsim *m, uint32_t w, uint32_t second)
{
    static const uint8_t load[16] = {OP_lds,       OP_ld_inc,  OP_ld_dec, OP_undefined,
                                     OP_lpm,       OP_lpm_inc, OP_elpm,   OP_elpm_inc,
                                     OP_undefined, OP_ld_inc,  OP_ld_dec, OP_undefined,
                                     OP_ld,        OP_ld_inc,  OP_ld_dec, OP_pop};
    static const uint8_t store[16] = {OP_sts,       OP_st_inc,    OP_st_dec,    OP_undefined,
                                      OP_undefined, OP_undefined, OP_undefined, OP_undefined,
                                      OP_undefined, OP_st_inc,    OP_st_dec,    OP_undefined,
                                      OP_st,        OP_st_inc,    OP_st_dec,    OP_push};
    const uint32_t low = bits(w, 3, 0);
    decoded d = one(bit(w, 9) ? store[low] : load[low], w);
    d.b = low < 8 ? Z : low < 12 ? Y : X;
    d.imm = low == 0 ? second : 0;
    if ((d.op == OP_elpm || d.op == OP_elpm_inc) && !avr_has_rampz(m)) {
        d.op = OP_undefined;
    }
    const bool moves_pointer = d.op == OP_lpm_inc || d.op == OP_elpm_inc || d.op == OP_ld_inc ||
                               d.op == OP_ld_dec || d.op == OP_st_inc || d.op == OP_st_dec;
    if (moves_pointer && d.a >> 1 == d.b >> 1) {
        d.op = OP_unpredictable;
    }
    return d;
}

/* 1001 010x xxxx 1000: what has no operand, or one bit of SREG. */
static decoded decode_single(uint32_t w, bool has_elpm)
{
    if (w < 0x9500) {
        return (decoded){.op = bit(w, 7) ? OP_bclr : OP_bset, .imm = 1u << bits(w, 6, 4)};
    }
    switch (w) {
    case 0x9508: return plain(OP_ret);
    case 0x9518: return plain(OP_reti);
    case 0x9588: /* SLEEP */
    case 0x95A8: return plain(OP_nop);
    case 0x9598: return plain(OP_brk);
    case 0x95C8: return (decoded){.op = OP_lpm, .b = Z};
    case 0x95D8: return (decoded){.op = has_elpm ? OP_elpm : OP_undefined, .b = Z};
    case 0x95E8: return plain(OP_not_modelled);
    default: return plain(OP_undefined);
    }
}

/* 1001 010: one operand, jumps and calls. */
static decoded decode_one(const ecsim *m, uint32_t w, uint32_t second)
{
    static const uint8_t op[8] = {OP_com,       OP_neg, OP_swap, OP_inc,
                                  OP_undefined, OP_asr, OP_lsr,  OP_ror};
    const bool is_wide = avr_has_wide_pc(m);
    const uint32_t low = bits(w, 3, 0);
    if (low < 8) {
        return one(op[low], w);
    }
    if (low == 8) {
        return decode_single(w, avr_has_rampz(m));
    }
    if (low == 9) {
        switch (w) {
        case 0x9409: return plain(OP_ijmp);
        case 0x9419: return plain(is_wide ? OP_eijmp : OP_undefined);
        case 0x9509: return plain(OP_icall);
        case 0x9519: return plain(is_wide ? OP_eicall : OP_undefined);
        default: return plain(OP_undefined);
        }
    }
    if (low == 10) {
        return one(OP_dec, w);
    }
    if (low == 11) {
        return plain(OP_undefined); /* DES */
    }
    return (decoded){.op = low < 14 ? OP_jmp : OP_call,
                     .imm = 2 * ((rd5(w) << 1 | (w & 1)) << 16 | second)};
}

/* 1001 011 to 1001 11: words, bits of I/O, MUL. */
static decoded decode_nine(uint32_t w)
{
    static const uint8_t io[4] = {OP_cbi, OP_sbic, OP_sbi, OP_sbis};
    if (bits(w, 11, 9) == 3) {
        return (decoded){.op = bit(w, 8) ? OP_sbiw : OP_adiw,
                         .a = 24 + 2 * bits(w, 5, 4),
                         .imm = bits(w, 7, 6) << 4 | bits(w, 3, 0)};
    }
    if (bit(w, 10)) {
        return two_registers(OP_mul, w);
    }
    return (decoded){
        .op = io[bits(w, 9, 8)], .c = 1u << bits(w, 2, 0), .imm = 0x20 + bits(w, 7, 3)};
}

/* 1111: branches, and bits of registers. */
static decoded decode_branch(uint32_t w, uint32_t behind)
{
    static const uint8_t when[16] = {OP_brcs, OP_breq, OP_brmi, OP_brvs, OP_brlt, OP_brhs,
                                     OP_brts, OP_brie, OP_brcc, OP_brne, OP_brpl, OP_brvc,
                                     OP_brge, OP_brhc, OP_brtc, OP_brid};
    static const uint8_t of_bit[4] = {OP_bld, OP_bst, OP_sbrc, OP_sbrs};
    if (!bit(w, 11)) {
        return (decoded){.op = when[bits(w, 10, 10) << 3 | bits(w, 2, 0)],
                         .imm = behind + 2 * sign(bits(w, 9, 3), 7)};
    }
    if (bit(w, 3)) {
        return plain(OP_undefined);
    }
    const uint32_t mask = 1u << bits(w, 2, 0);
    return (decoded){.op = of_bit[bits(w, 10, 9)], .a = rd5(w), .c = mask, .imm = mask};
}

/* LDD and STD: 10q0 qq0d dddd yqqq. */
static decoded decode_displaced(uint32_t w)
{
    return (decoded){.op = bit(w, 9) ? OP_st : OP_ld,
                     .a = rd5(w),
                     .b = bit(w, 3) ? Y : Z,
                     .imm = bits(w, 13, 13) << 5 | bits(w, 11, 10) << 3 | bits(w, 2, 0)};
}

static decoded decode_word(const ecsim *m, uint32_t w, uint32_t second, uint32_t pc)
{
    static const uint8_t with_immediate[8] = {OP_undefined, OP_undefined, OP_undefined, OP_cpi,
                                              OP_sbci,      OP_subi,      OP_ori,       OP_andi};
    const uint32_t relative = pc + 2 + 2 * sign(w & 0xFFF, 12);
    switch (w >> 12) {
    case 0:
    case 1:
    case 2: return w < 0x0400 ? decode_low(w) : decode_registers(w);
    case 8:
    case 10: return decode_displaced(w);
    case 9:
        if (bits(w, 11, 10) == 0) {
            return decode_memory(m, w, second);
        }
        return bits(w, 11, 9) == 2 ? decode_one(m, w, second) : decode_nine(w);
    case 11:
        return (decoded){.op = bit(w, 11) ? OP_out : OP_in,
                         .a = rd5(w),
                         .imm = 0x20 + (bits(w, 10, 9) << 4 | bits(w, 3, 0))};
    case 12: return (decoded){.op = OP_rjmp, .imm = relative};
    case 13: return (decoded){.op = OP_rcall, .imm = relative};
    case 14: return immediate(OP_ldi, w);
    case 15: return decode_branch(w, pc + 2);
    default: return immediate(with_immediate[w >> 12], w);
    }
}

/* --- costs ------------------------------------------------------------------------------------ */

static uint32_t word_at(const ecs_region *region, uint32_t offset)
{
    return offset + 2 <= region->size
               ? (uint32_t)(region->bytes[offset] | region->bytes[offset + 1] << 8)
               : 0;
}

/* Complete a decoded instruction by what the cost table says; returns its cycles. */
static uint32_t apply_costs(const ecsim *m, decoded *d, const ecs_region *region, uint32_t behind)
{
    const uint32_t row = avr_op_row[d->op], cycles = m->cost[row].cycles;
    const uint32_t words = is_long_word(word_at(region, behind)) ? 2 : 1;
    switch (row) {
    case ROW_branch_not_taken: d->a = m->cost[ROW_branch_taken].cycles - cycles; return cycles;
    case ROW_skip: *(d->op == OP_sbic || d->op == OP_sbis ? &d->b : &d->imm) = words; return cycles;
    case ROW_call:
    case ROW_call_long:
    case ROW_ret: return cycles + (avr_has_wide_pc(m) ? m->cost[ROW_wide_pc].cycles : 0);
    default: return cycles;
    }
}

void avr_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry)
{
    const uint32_t offset = pc - region->start, w = word_at(region, offset);
    const uint32_t size = is_long_word(w) ? 4 : 2;
    decoded d = {.op = OP_outside};
    uint32_t cycles = 0;
    if (offset + size <= region->size) {
        d = decode_word(m, w, word_at(region, offset + 2), pc);
        cycles = d.op == OP_undefined ? 0 : apply_costs(m, &d, region, offset + size);
    }
    *entry = (ecs_entry){.step = ECS_STEP(cycles),
                         .op = (uint8_t)d.op,
                         .a = (uint8_t)d.a,
                         .b = (uint8_t)d.b,
                         .c = (uint8_t)d.c,
                         .imm = d.imm};
}
