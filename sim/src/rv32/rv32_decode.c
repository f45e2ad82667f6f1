/*
 * RV32IMC decoder: The RISC-V Instruction Set Manual, volume I, 20191213: chapters 2 (RV32I),
 * 3 (Zifencei), 7 (M), 9 (Zicsr) and 16 (C), encodings in chapter 24; volume II, 1.12,
 * for MRET and WFI. Of cores with RV32_BITS: volume I, chapter 8 (A); Bit-manipulation 1.0.0 (Zba,
 * Zbb, Zbs); Cryptography 1.0.1, scalar (Zbkb); Code Size Reduction 1.0.4-1 (Zcb, Zcmp).
 * Of cores with RV32_E: volume I, chapter 4 (RV32E); jnk0le/random, ch32v003_(qkv2).md (xw).
 *
 * An instruction of 16 bits is expanded to the one of 32 bits that it stands for,
 * so there is one decoder. Hints execute as the instruction that they look like,
 * which does nothing. Reserved encodings are undefined instructions.
 */
#include <string.h>

#include "bits.h"
#include "rv32.h"

const uint8_t rv32_op_row[OP_COUNT] = {
#define OP(name, row) [OP_##name] = ROW_##row,
#include "rv32.def"
};

static const char *const row_names[ROW_COUNT] = {
#define ROW(name) [ROW_##name] = #name,
#include "rv32.def"
};

/* The architecture has no map of its own. */
static bool is_peripheral(uint32_t address)
{
    (void)address;
    return false;
}

/* Registers as in ecsim.h: x0 to x31, 32 is the program counter. */
static void set_register(ecsim *m, uint32_t index, uint32_t value)
{
    if (index == 32) {
        m->pc = value & ~1u;
    } else if (index != 0 && index < 32) {
        m->r[index] = value;
    }
}

static bool is_long(const uint8_t *code)
{
    return (code[0] & 3) == 3;
}

static uint32_t get_register(const ecsim *m, uint32_t index)
{
    return index == 32 ? m->pc : index < 32 ? m->r[index] : 0;
}

/* a0 and a1 are registers 10 and 11. */
static void block(const ecsim *m, uint32_t *address, uint32_t *size)
{
    *address = m->r[10];
    *size = m->r[11];
}

/* Only the rows that a core with these features can have. */
#define ISA(suffix, feature_set) \
    { \
        .name = "rv32" suffix, .rows = row_names, .decode = rv32_decode, \
        .row_count = ((feature_set)&RV32_BITS) != 0 ? ROW_COUNT : ROW_exclusive, ECS_RUN(rv32), \
        .is_peripheral = is_peripheral, .is_long = is_long, .thumb_bit = 0, .marker = 4, .sp = SP, \
        .block = block, .get_register = get_register, .set_register = set_register, \
        .features = (feature_set), \
    }

const ecs_isa ecs_rv32[4] = {ISA("", 0), ISA("+zicntr", RV32_ZICNTR),
                             ISA("+zicntr+bits", RV32_ZICNTR | RV32_BITS), ISA("+e", RV32_E)};

/* Major opcodes, bits 6..0 of an instruction of 32 bits. */
enum {
    MAJOR_LOAD = 0x03,
    MAJOR_MISC_MEM = 0x0F,
    MAJOR_OP_IMM = 0x13,
    MAJOR_AUIPC = 0x17,
    MAJOR_STORE = 0x23,
    MAJOR_AMO = 0x2F,
    MAJOR_OP_REG = 0x33,
    MAJOR_LUI = 0x37,
    MAJOR_BRANCH = 0x63,
    MAJOR_JALR = 0x67,
    MAJOR_JAL = 0x6F,
    MAJOR_SYSTEM = 0x73
};
enum { ILLEGAL = 0 }; /* as a word: what no expansion gives */
/* Of 16 bits, and none of 32 that they stand for: as a word, they are in its upper half. */
enum { MAJOR_ZCMP = 2 };

/* Bits [high:low], moved to begin at bit `to`. */
static uint32_t field(uint32_t word, uint32_t high, uint32_t low, uint32_t to)
{
    return bits(word, high, low) << to;
}

/* --- instructions of 16 bits: chapter 16, expanded -------------------------------------------- */

static uint32_t make_i(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t make_r(uint32_t funct7, uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | MAJOR_OP_REG;
}

static uint32_t make_store(uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t imm)
{
    return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(imm, 4, 0) << 7 |
           MAJOR_STORE;
}

static uint32_t make_branch(uint32_t funct3, uint32_t rs1, uint32_t imm)
{
    return field(imm, 12, 12, 31) | field(imm, 10, 5, 25) | rs1 << 15 | funct3 << 12 |
           field(imm, 4, 1, 8) | field(imm, 11, 11, 7) | MAJOR_BRANCH;
}

static uint32_t make_jal(uint32_t rd, uint32_t imm)
{
    return field(imm, 20, 20, 31) | field(imm, 10, 1, 21) | field(imm, 11, 11, 20) |
           field(imm, 19, 12, 12) | rd << 7 | MAJOR_JAL;
}

static uint32_t c_jump_offset(uint32_t h)
{
    uint32_t imm = field(h, 12, 12, 11) | field(h, 11, 11, 4) | field(h, 10, 9, 8) |
                   field(h, 8, 8, 10) | field(h, 7, 7, 6) | field(h, 6, 6, 7) | field(h, 5, 3, 1) |
                   field(h, 2, 2, 5);
    return sign(imm, 12);
}

static uint32_t c_branch_offset(uint32_t h)
{
    uint32_t imm = field(h, 12, 12, 8) | field(h, 11, 10, 3) | field(h, 6, 5, 6) |
                   field(h, 4, 3, 1) | field(h, 2, 2, 5);
    return sign(imm, 9);
}

/* Zcb: loads and stores of bytes and halfwords by x8..x15. */
static uint32_t expand_narrow(uint32_t h)
{
    uint32_t rd = 8 + bits(h, 4, 2), rs1 = 8 + bits(h, 9, 7), half = field(h, 5, 5, 1);
    uint32_t byte = half | bits(h, 6, 6);
    switch (bits(h, 12, 10)) {
    case 0: return make_i(MAJOR_LOAD, 4, rd, rs1, byte);                          /* C.LBU */
    case 1: return make_i(MAJOR_LOAD, bits(h, 6, 6) != 0 ? 1 : 5, rd, rs1, half); /* C.LH, C.LHU */
    case 2: return make_store(0, rs1, rd, byte);                                  /* C.SB */
    case 3: return bits(h, 6, 6) != 0 ? ILLEGAL : make_store(1, rs1, rd, half);   /* C.SH */
    default: return ILLEGAL;
    }
}

/* Zcb: arithmetic on x8..x15. */
static uint32_t expand_more(uint32_t h)
{
    uint32_t rd = 8 + bits(h, 9, 7), rs2 = 8 + bits(h, 4, 2);
    if (bits(h, 6, 5) == 2) {
        return make_r(1, 0, rd, rd, rs2); /* C.MUL */
    }
    if (bits(h, 6, 5) != 3) {
        return ILLEGAL; /* of RV64 */
    }
    switch (bits(h, 4, 2)) {
    case 0: return make_i(MAJOR_OP_IMM, 7, rd, rd, 0xFF);  /* C.ZEXT.B */
    case 1: return make_i(MAJOR_OP_IMM, 1, rd, rd, 0x604); /* C.SEXT.B */
    case 2: return make_r(4, 4, rd, rd, 0);                /* C.ZEXT.H */
    case 3: return make_i(MAJOR_OP_IMM, 1, rd, rd, 0x605); /* C.SEXT.H */
    case 5: return make_i(MAJOR_OP_IMM, 4, rd, rd, 0xFFF); /* C.NOT */
    default: return ILLEGAL;
    }
}

/* xw, which WCH has in the places of floating point: loads and stores of bytes (quadrant 0)
 * and halfwords (quadrant 2) by x8..x15. */
static uint32_t expand_xw(uint32_t h)
{
    uint32_t rd = 8 + bits(h, 4, 2), rs1 = 8 + bits(h, 9, 7), stores = bits(h, 15, 15);
    if (bits(h, 1, 0) == 0) {
        uint32_t byte = field(h, 6, 5, 1) | bits(h, 12, 12) | field(h, 11, 10, 3);
        return stores != 0 ? make_store(0, rs1, rd, byte) : make_i(MAJOR_LOAD, 4, rd, rs1, byte);
    }
    uint32_t half = field(h, 6, 5, 1) | field(h, 12, 10, 3);
    return stores != 0 ? make_store(1, rs1, rd, half) : make_i(MAJOR_LOAD, 5, rd, rs1, half);
}

/* Quadrant 0: loads and stores by x8..x15, and C.ADDI4SPN. */
static uint32_t expand_0(uint32_t h, uint32_t features)
{
    uint32_t rd = 8 + bits(h, 4, 2), rs1 = 8 + bits(h, 9, 7);
    uint32_t offset = field(h, 12, 10, 3) | field(h, 6, 6, 2) | field(h, 5, 5, 6);
    switch (bits(h, 15, 13)) {
    case 0: { /* C.ADDI4SPN */
        uint32_t imm =
            field(h, 12, 11, 4) | field(h, 10, 7, 6) | field(h, 6, 6, 2) | field(h, 5, 5, 3);
        return imm == 0 ? ILLEGAL : make_i(MAJOR_OP_IMM, 0, rd, SP, imm);
    }
    case 2: return make_i(MAJOR_LOAD, 2, rd, rs1, offset); /* C.LW */
    case 4: return (features & RV32_BITS) != 0 ? expand_narrow(h) : ILLEGAL;
    case 6: return make_store(2, rs1, rd, offset); /* C.SW */
    case 1:
    case 5: return (features & RV32_E) != 0 ? expand_xw(h) : ILLEGAL;
    default: return ILLEGAL; /* floating point */
    }
}

/* Arithmetic of quadrant 1 on x8..x15. */
static uint32_t expand_alu(uint32_t h, bool has_bits)
{
    static const uint8_t funct3[4] = {0, 4, 6, 7}; /* SUB, XOR, OR, AND */
    uint32_t rd = 8 + bits(h, 9, 7), rs2 = 8 + bits(h, 4, 2),
             imm = field(h, 12, 12, 5) | bits(h, 6, 2);
    switch (bits(h, 11, 10)) {
    case 0: return imm > 31 ? ILLEGAL : make_i(MAJOR_OP_IMM, 5, rd, rd, imm);         /* C.SRLI */
    case 1: return imm > 31 ? ILLEGAL : make_i(MAJOR_OP_IMM, 5, rd, rd, 0x400 | imm); /* C.SRAI */
    case 2: return make_i(MAJOR_OP_IMM, 7, rd, rd, sign(imm, 6));                     /* C.ANDI */
    default:
        if (bits(h, 12, 12) != 0) {
            return has_bits ? expand_more(h) : ILLEGAL;
        }
        return make_r(bits(h, 6, 5) == 0 ? 0x20 : 0, funct3[bits(h, 6, 5)], rd, rd, rs2);
    }
}

static uint32_t expand_1(uint32_t h, bool has_bits)
{
    uint32_t rd = bits(h, 11, 7), imm = sign(field(h, 12, 12, 5) | bits(h, 6, 2), 6);
    switch (bits(h, 15, 13)) {
    case 0: return make_i(MAJOR_OP_IMM, 0, rd, rd, imm); /* C.ADDI, C.NOP */
    case 1: return make_jal(RA, c_jump_offset(h));       /* C.JAL */
    case 2: return make_i(MAJOR_OP_IMM, 0, rd, 0, imm);  /* C.LI */
    case 3:
        if (imm == 0) {
            return ILLEGAL;
        }
        if (rd != SP) {
            return imm << 12 | rd << 7 | MAJOR_LUI; /* C.LUI */
        }
        imm = field(h, 12, 12, 9) | field(h, 6, 6, 4) | field(h, 5, 5, 6) | field(h, 4, 3, 7) |
              field(h, 2, 2, 5);
        return make_i(MAJOR_OP_IMM, 0, SP, SP, sign(imm, 10)); /* C.ADDI16SP */
    case 4: return expand_alu(h, has_bits);
    case 5: return make_jal(0, c_jump_offset(h));                          /* C.J */
    case 6: return make_branch(0, 8 + bits(h, 9, 7), c_branch_offset(h));  /* C.BEQZ */
    default: return make_branch(1, 8 + bits(h, 9, 7), c_branch_offset(h)); /* C.BNEZ */
    }
}

static uint32_t expand_2(uint32_t h, uint32_t features)
{
    uint32_t rd = bits(h, 11, 7), rs2 = bits(h, 6, 2), imm = field(h, 12, 12, 5) | rs2;
    switch (bits(h, 15, 13)) {
    case 0: return imm > 31 ? ILLEGAL : make_i(MAJOR_OP_IMM, 1, rd, rd, imm); /* C.SLLI */
    case 1: return (features & RV32_E) != 0 ? expand_xw(h) : ILLEGAL;
    case 2: /* C.LWSP */
        return rd == 0 ? ILLEGAL
                       : make_i(MAJOR_LOAD, 2, rd, SP,
                                field(h, 12, 12, 5) | field(h, 6, 4, 2) | field(h, 3, 2, 6));
    case 4:
        if (rs2 != 0) { /* C.MV, C.ADD */
            return make_r(0, 0, rd, bits(h, 12, 12) != 0 ? rd : 0, rs2);
        }
        if (rd == 0) { /* C.EBREAK */
            return bits(h, 12, 12) != 0 ? make_i(MAJOR_SYSTEM, 0, 0, 0, 1) : ILLEGAL;
        }
        return make_i(MAJOR_JALR, 0, bits(h, 12, 12) != 0 ? RA : 0, rd, 0); /* C.JALR, C.JR */
    case 5:
        if ((features & RV32_E) != 0) {
            return expand_xw(h);
        }
        return (features & RV32_BITS) != 0 ? h << 16 | MAJOR_ZCMP : ILLEGAL;
    case 6: return make_store(2, SP, rs2, field(h, 12, 9, 2) | field(h, 8, 7, 6)); /* C.SWSP */
    default: return ILLEGAL;
    }
}

/* --- instructions of 32 bits ------------------------------------------------------------------ */

typedef struct {
    uint32_t op, a, b, c, imm;
} decoded;

/* Operations by funct3; 0 (which is none of them) where there is no instruction. */
static const uint8_t immediate_ops[8] = {OP_addi, OP_slli, OP_slti, OP_sltiu,
                                         OP_xori, OP_srli, OP_ori,  OP_andi};
static const uint8_t register_ops[8] = {OP_add, OP_sll, OP_slt, OP_sltu,
                                        OP_xor, OP_srl, OP_or,  OP_and};
static const uint8_t multiply_ops[8] = {OP_mul, OP_mulh, OP_mulhsu, OP_mulhu,
                                        OP_div, OP_divu, OP_rem,    OP_remu};
static const uint8_t load_ops[8] = {OP_lb, OP_lh, OP_lw, 0, OP_lbu, OP_lhu, 0, 0};
static const uint8_t store_ops[8] = {OP_sb, OP_sh, OP_sw, 0, 0, 0, 0, 0};
static const uint8_t branch_ops[8] = {OP_beq, OP_bne, 0, 0, OP_blt, OP_bge, OP_bltu, OP_bgeu};

/* The form of an operation for the stack pointer, and for an instruction of 16 bits:
 * the order of rv32.def. */
static uint32_t form(const decoded *d, bool is_short)
{
    if (d->op >= OP_cm_push) {
        return d->op;
    }
    bool has_sp_form = (d->op >= OP_addi && d->op < OP_mul) || d->op == OP_lw;
    uint32_t short_form = is_short ? has_sp_form ? 2 : 1 : 0;
    return d->op + short_form + (has_sp_form && d->a == SP);
}

/* Zbb, Zbkb and Zbs: shifts by an immediate that RV32I leaves free. */
static uint32_t shift_op(uint32_t w)
{
    switch (bits(w, 14, 12) << 8 | bits(w, 31, 25)) {
    case 0x114: return OP_bseti;
    case 0x124: return OP_bclri;
    case 0x134: return OP_binvi;
    case 0x524: return OP_bexti;
    case 0x530: return OP_rori;
    default: break;
    }
    switch (bits(w, 14, 12) << 12 | w >> 20) {
    case 0x108F: return OP_zip;
    case 0x1600: return OP_clz;
    case 0x1601: return OP_ctz;
    case 0x1602: return OP_cpop;
    case 0x1604: return OP_sext_b;
    case 0x1605: return OP_sext_h;
    case 0x508F: return OP_unzip;
    case 0x5287: return OP_orc_b;
    case 0x5687: return OP_brev8;
    case 0x5698: return OP_rev8;
    default: return OP_undefined;
    }
}

static uint32_t immediate_op(uint32_t w, bool has_bits)
{
    uint32_t funct3 = bits(w, 14, 12), high = bits(w, 31, 25);
    if (funct3 == 5 && high == 0x20) {
        return OP_srai;
    }
    bool is_shift = funct3 == 1 || funct3 == 5;
    if (is_shift && high != 0) {
        return has_bits ? shift_op(w) : OP_undefined;
    }
    return immediate_ops[funct3];
}

/* Zba, Zbb, Zbkb and Zbs. */
static uint32_t bits_op(uint32_t w)
{
    switch (bits(w, 14, 12) << 8 | bits(w, 31, 25)) {
    case 0x210: return OP_sh1add;
    case 0x410: return OP_sh2add;
    case 0x610: return OP_sh3add;
    case 0x420: return OP_xnor;
    case 0x620: return OP_orn;
    case 0x720: return OP_andn;
    case 0x405: return OP_min;
    case 0x505: return OP_minu;
    case 0x605: return OP_max;
    case 0x705: return OP_maxu;
    case 0x130: return OP_rol;
    case 0x530: return OP_ror;
    case 0x404: return OP_pack;
    case 0x704: return OP_packh;
    case 0x114: return OP_bset;
    case 0x124: return OP_bclr;
    case 0x134: return OP_binv;
    case 0x524: return OP_bext;
    default: return OP_undefined;
    }
}

static uint32_t atomic_op(uint32_t w)
{
    if (bits(w, 14, 12) != 2) {
        return OP_undefined;
    }
    switch (bits(w, 31, 27)) { /* behind it: bits that order accesses, which one core alone has */
    case 0: return OP_amoadd;
    case 1: return OP_amoswap;
    case 2: return bits(w, 24, 20) == 0 ? OP_lr : OP_undefined;
    case 3: return OP_sc;
    case 4: return OP_amoxor;
    case 8: return OP_amoor;
    case 12: return OP_amoand;
    case 16: return OP_amomin;
    case 20: return OP_amomax;
    case 24: return OP_amominu;
    case 28: return OP_amomaxu;
    default: return OP_undefined;
    }
}

static uint32_t register_op(uint32_t w, uint32_t features)
{
    uint32_t funct3 = bits(w, 14, 12);
    switch (bits(w, 31, 25)) {
    case 0: return register_ops[funct3];
    case 1: return (features & RV32_E) != 0 ? OP_undefined : multiply_ops[funct3];
    case 0x20:
        if (funct3 == 0 || funct3 == 5) {
            return funct3 == 0 ? OP_sub : OP_sra;
        }
        break;
    default: break;
    }
    return (features & RV32_BITS) != 0 ? bits_op(w) : OP_undefined;
}

static uint32_t csr_op(uint32_t number, bool writes, bool has_counters)
{
    switch (number) {
    case MIE:
    case MSCRATCH:
    case MTVAL: return OP_csr;
    case MSTATUS:
    case MTVEC:
    case MEPC:
    case MCAUSE: return OP_csr_serial;
    case MCYCLE:
    case MINSTRET:
    case MCYCLEH:
    case MINSTRETH: return writes ? OP_csr_unknown : OP_csr_serial;
    case CYCLE:
    case INSTRET:
    case CYCLEH:
    case INSTRETH: return writes || !has_counters ? OP_undefined : OP_csr_serial;
    case MVENDORID:
    case MARCHID:
    case MIMPID:
    case MHARTID: return writes ? OP_undefined : OP_csr;
    default: return OP_csr_unknown;
    }
}

static uint32_t system_op(uint32_t w, bool has_counters)
{
    uint32_t funct3 = bits(w, 14, 12);
    switch (w) {
    case 0x00000073: /* ECALL */
    case 0x30200073: /* MRET */ return OP_trap;
    case 0x00100073: return OP_ebreak;
    case 0x10500073: return OP_wfi;
    default:
        if (funct3 == 0 || funct3 == 4) {
            return OP_undefined;
        }
        bool writes = (funct3 & 3) == 1 || bits(w, 19, 15) != 0;
        return csr_op(bits(w, 31, 20), writes, has_counters);
    }
}

/* s0 to s7, by a field of three bits. */
static uint32_t saved_register(uint32_t number)
{
    return number < 2 ? S0 + number : 16 + number;
}

/* Zcmp: h is the instruction. The registers are ra, s0, s1, s2 and so on; 12 of the latter
 * at most, and 11 never. */
static decoded decode_zcmp(uint32_t h)
{
    static const uint8_t pushes[4] = {OP_cm_push, OP_cm_pop, OP_cm_popretz, OP_cm_popret};
    uint32_t list = bits(h, 7, 4), count = list == 15 ? 13 : list - 3;
    decoded d = {.op = OP_undefined};
    if (bits(h, 12, 11) == 3 && bits(h, 8, 8) == 0) {
        d.op = list < 4 ? OP_undefined : pushes[bits(h, 10, 9)];
        d.a = (4 * count + 15) / 16 * 16 + 16 * bits(h, 3, 2);
        d.c = count;
        d.imm = 1u << RA | (count > 1 ? 1u << S0 : 0) | (count > 2 ? 2u << S0 : 0);
        d.imm |= count > 3 ? ((1u << (count - 3)) - 1) << 18 : 0;
    } else if (bits(h, 12, 10) == 3 && (bits(h, 6, 5) & 1) != 0) {
        d.b = saved_register(bits(h, 9, 7));
        d.c = saved_register(bits(h, 4, 2));
        if (bits(h, 6, 5) == 3) {
            d.op = OP_cm_mva01s;
        } else if (d.b != d.c) {
            d.op = OP_cm_mvsa01;
        }
    }
    return d;
}

/* Which registers does an instruction of 32 bits read or write? */
static bool has_rs2(uint32_t w)
{
    uint32_t opcode = bits(w, 6, 0);
    return opcode == MAJOR_BRANCH || opcode == MAJOR_STORE || opcode == MAJOR_OP_REG ||
           opcode == MAJOR_AMO;
}

static bool has_rs1(uint32_t w)
{
    uint32_t opcode = bits(w, 6, 0);
    return has_rs2(w) || opcode == MAJOR_LOAD || opcode == MAJOR_OP_IMM || opcode == MAJOR_JALR ||
           (opcode == MAJOR_SYSTEM && bits(w, 14, 12) != 0 && bits(w, 14, 14) == 0);
}

static bool has_rd(uint32_t w)
{
    uint32_t opcode = bits(w, 6, 0);
    return opcode != MAJOR_BRANCH && opcode != MAJOR_STORE && opcode != MAJOR_MISC_MEM;
}

/* Does it name one of x16 to x31, which RV32E does not have? A shift by an immediate has no rs2. */
static bool names_upper(uint32_t w)
{
    return (has_rd(w) && bits(w, 11, 11) != 0) || (has_rs1(w) && bits(w, 19, 19) != 0) ||
           (has_rs2(w) && bits(w, 24, 24) != 0);
}

/* features: those of ecs_isa. */
static decoded decode32(uint32_t w, uint32_t pc, uint32_t features)
{
    const bool has_bits = (features & RV32_BITS) != 0;
    if (bits(w, 6, 0) == MAJOR_ZCMP) {
        return decode_zcmp(w >> 16);
    }
    uint32_t funct3 = bits(w, 14, 12), rd = bits(w, 11, 7);
    decoded d = {.a = rd != 0 ? rd : X0_SINK,
                 .b = bits(w, 19, 15),
                 .c = bits(w, 24, 20),
                 .imm = sign(w >> 20, 12)};
    switch (bits(w, 6, 0)) {
    case MAJOR_LUI:
        d.op = OP_set;
        d.imm = w & ~0xFFFu;
        break;
    case MAJOR_AUIPC:
        d.op = OP_set;
        d.imm = pc + (w & ~0xFFFu);
        break;
    case MAJOR_JAL:
        d.op = OP_jal;
        d.imm = pc + sign(field(w, 31, 31, 20) | field(w, 19, 12, 12) | field(w, 20, 20, 11) |
                              field(w, 30, 21, 1),
                          21);
        break;
    case MAJOR_JALR: d.op = funct3 == 0 ? OP_jalr : OP_undefined; break;
    case MAJOR_BRANCH:
        d.op = branch_ops[funct3];
        d.imm = pc + sign(field(w, 31, 31, 12) | field(w, 7, 7, 11) | field(w, 30, 25, 5) |
                              field(w, 11, 8, 1),
                          13);
        break;
    case MAJOR_LOAD: d.op = load_ops[funct3]; break;
    case MAJOR_STORE:
        d.op = store_ops[funct3];
        d.imm = sign(field(w, 31, 25, 5) | rd, 12);
        break;
    case MAJOR_OP_IMM:
        d.op = immediate_op(w, has_bits);
        d.imm = funct3 == 1 || funct3 == 5 ? d.c : d.imm;
        break;
    case MAJOR_OP_REG: d.op = register_op(w, features); break;
    case MAJOR_AMO: d.op = has_bits ? atomic_op(w) : OP_undefined; break;
    case MAJOR_MISC_MEM:
        d.op = funct3 == 0 ? OP_fence : funct3 == 1 ? OP_fence_i : OP_undefined;
        break;
    case MAJOR_SYSTEM:
        d.op = system_op(w, (features & RV32_ZICNTR) != 0);
        d.c = funct3;
        d.imm = w >> 20;
        break;
    default: d.op = OP_undefined; break;
    }
    if (d.op == OP_decode || ((features & RV32_E) != 0 && names_upper(w))) {
        d.op = OP_undefined;
    }
    return d;
}

/* --- fetch, cost ------------------------------------------------------------------------------ */

/* The instruction at an offset of the region, expanded to 32 bits; its size,
 * or 0 when it ends outside. */
static uint32_t fetch(const ecsim *m, const ecs_region *region, uint32_t offset, uint32_t *size)
{
    const uint32_t features = m->isa->features;
    uint16_t low = 0, high = 0;
    *size = 0;
    if (region->size - offset < 2) {
        return ILLEGAL;
    }
    memcpy(&low, region->bytes + offset, 2);
    if ((low & 3) != 3) {
        *size = 2;
        switch (low & 3) {
        case 0: return expand_0(low, features);
        case 1: return expand_1(low, (features & RV32_BITS) != 0);
        default: return expand_2(low, features);
        }
    }
    if (region->size - offset < 4) {
        return ILLEGAL;
    }
    memcpy(&high, region->bytes + offset + 2, 2);
    *size = 4;
    return (uint32_t)high << 16 | low;
}

/* Does the first step of a Zcmp instruction (16 bits) need the register? Others come late enough:
 * a store needs its value later than its address. */
static bool begins_with(uint32_t h, uint32_t index)
{
    if (bits(h, 12, 11) == 3) {
        return index == SP;
    }
    return index == (bits(h, 6, 5) == 3 ? saved_register(bits(h, 9, 7)) : A0);
}

static bool reads_register(uint32_t w, uint32_t index)
{
    if (bits(w, 6, 0) == MAJOR_ZCMP) {
        return begins_with(w >> 16, index);
    }
    return (has_rs1(w) && bits(w, 19, 15) == index) || (has_rs2(w) && bits(w, 24, 20) == index);
}

/* Has an access of a CSR, which does not read the register, its number where others name one? */
static bool has_number(uint32_t w, uint32_t index)
{
    bool is_csr = bits(w, 6, 0) == MAJOR_SYSTEM && bits(w, 14, 12) != 0;
    return is_csr && (bits(w, 19, 15) == index || bits(w, 24, 20) == index);
}

static bool is_jump(uint32_t w)
{
    return bits(w, 6, 0) == MAJOR_JAL || bits(w, 6, 0) == MAJOR_JALR;
}

static bool jumps_by(uint32_t w, uint32_t index)
{
    return bits(w, 6, 0) == MAJOR_JALR && bits(w, 19, 15) == index;
}

/* Does an instruction write this register, which may be x0, other than by a load or a jump? */
static bool overwrites(uint32_t w, uint32_t index)
{
    switch (bits(w, 6, 0)) {
    case MAJOR_LOAD:
    case MAJOR_STORE:
    case MAJOR_BRANCH:
    case MAJOR_MISC_MEM:
    case MAJOR_JAL:
    case MAJOR_JALR: return false;
    case MAJOR_SYSTEM: return bits(w, 14, 12) != 0 && bits(w, 11, 7) == index;
    default: return bits(w, 11, 7) == index;
    }
}

/* Does an instruction leave the pipeline in one cycle, to the one behind it in memory? */
static bool is_single(const ecsim *m, uint32_t w)
{
    uint32_t row = rv32_op_row[decode32(w, 0, m->isa->features | RV32_ZICNTR).op];
    return row != ROW_branch_not_taken && row != ROW_wait && m->cost[row].cycles == 1;
}

/* Cycles that instructions behind a load wait for its register. */
static uint32_t load_hazard(const ecsim *m, uint32_t rd, const ecs_region *region, uint32_t behind)
{
    uint32_t size, w = fetch(m, region, behind, &size);
    if (size == 0) {
        return 0;
    }
    if (rd != 0 && reads_register(w, rd)) {
        bool stores_it = bits(w, 6, 0) == MAJOR_STORE && bits(w, 19, 15) != rd;
        return m->cost[stores_it ? ROW_load_store : ROW_load_use].cycles;
    }
    if (rd != 0 && has_number(w, rd)) {
        return m->cost[ROW_load_csr].cycles;
    }
    if (overwrites(w, rd)) {
        return m->cost[ROW_load_overwrite].cycles;
    }
    bool loads_again = bits(w, 6, 0) == MAJOR_LOAD && bits(w, 11, 7) == rd;
    if (rd == 0 || loads_again || !is_single(m, w)) {
        return 0;
    }
    w = fetch(m, region, behind + size, &size);
    return size != 0 && jumps_by(w, rd) ? m->cost[ROW_jump_register_load].cycles : 0;
}

/* Cycles that an LR, SC or AMO waits behind an LR or SC, or what is there for its result. */
static uint32_t exclusive_hazard(const ecsim *m, uint32_t rd, const ecs_region *region,
                                 uint32_t behind)
{
    uint32_t size, w = fetch(m, region, behind, &size);
    bool is_again = size == 4 && bits(w, 6, 0) == MAJOR_AMO;
    return is_again ? m->cost[ROW_exclusive_again].cycles : load_hazard(m, rd, region, behind);
}

/* Cycles that the instructions behind this one wait for its result. */
static uint32_t hazard(const ecsim *m, uint32_t row, uint32_t rd, const ecs_region *region,
                       uint32_t behind)
{
    uint32_t size, w = fetch(m, region, behind, &size);
    uint32_t cycles = row == ROW_load ? load_hazard(m, rd % X0_SINK, region, behind) : 0;
    if (rd != X0_SINK && jumps_by(w, rd)) {
        cycles += m->cost[ROW_jump_register_use].cycles;
    }
    return cycles;
}

/* Cycles that a jump behind an instruction of several cycles saves: its fetch overlaps with them,
 * unless it waits for the result. */
static uint32_t hidden(const ecsim *m, uint32_t rd, const ecs_region *region, uint32_t behind)
{
    uint32_t size, w = fetch(m, region, behind, &size);
    bool waits = rd != X0_SINK && jumps_by(w, rd);
    return is_jump(w) && !waits ? m->cost[ROW_jump_hidden].cycles : 0;
}

/* Cycles that the instruction behind a fence waits for its second word. A fence of one cycle does
 * nothing; others fetch anew what is behind them. */
static uint32_t refetch(const ecsim *m, uint32_t cycles, const ecs_region *region, uint32_t behind)
{
    uint32_t size;
    (void)fetch(m, region, behind, &size);
    bool split = size == 4 && ((region->start + behind) & 2) != 0;
    return cycles > 1 && split ? m->cost[ROW_target_split].cycles : 0;
}

/* Does the instruction behind name this register as the one that it writes? */
static bool writes_behind(const ecsim *m, uint32_t rd, const ecs_region *region, uint32_t behind)
{
    uint32_t size, w = fetch(m, region, behind, &size);
    return bits(w, 11, 7) == rd; /* never X0_SINK */
}

/* Does an access change what interrupts are let through? Bits that are cleared do not count. */
static bool flushes(const decoded *d)
{
    bool writes = (d->c & 3) == 1 || ((d->c & 3) == 2 && d->b != 0);
    return writes && (d->imm == MSTATUS || d->imm == MIE);
}

/* Complete a decoded instruction by what the cost table says; returns its cycles. */
static uint32_t apply_costs(const ecsim *m, decoded *d, const ecs_region *region, uint32_t behind)
{
    uint32_t row = rv32_op_row[d->op], cycles = m->cost[row].cycles;
    switch (row) {
    case ROW_branch_not_taken: d->a = m->cost[ROW_branch_taken].cycles - cycles; return cycles;
    case ROW_fence:
    case ROW_fence_i: return cycles + refetch(m, cycles, region, behind);
    case ROW_jump_register:
        return cycles + (d->a == d->b ? m->cost[ROW_jump_register_same].cycles : 0);
    case ROW_store: d->a = hidden(m, X0_SINK, region, behind); return cycles;
    case ROW_jump:
    case ROW_wait: return cycles;
    case ROW_load: /* a jump that writes its register waits, which hides as much in any case */
        d->c = writes_behind(m, d->a, region, behind) ? 0 : hidden(m, d->a, region, behind);
        break;
    case ROW_multiply:
    case ROW_multiply_high:
    case ROW_divide:
        d->imm = cycles - m->cost[row].cycles_min;
        cycles -= cycles > 1 ? hidden(m, d->a, region, behind) : 0;
        break;
    case ROW_csr:
    case ROW_csr_serial: cycles += flushes(d) ? m->cost[ROW_csr_flush].cycles : 0; break;
    case ROW_exclusive: return cycles + exclusive_hazard(m, d->a % X0_SINK, region, behind);
    case ROW_atomic:
    case ROW_move_two: return cycles;
    case ROW_push:
    case ROW_pop:
    case ROW_pop_return:
    case ROW_pop_return_zero:
        cycles += m->cost[row].per_register * d->c;
        return cycles +
               (row == ROW_pop_return && d->c == 1 ? m->cost[ROW_pop_return_one].cycles : 0);
    default: break;
    }
    return cycles + hazard(m, row, d->a, region, behind);
}

void rv32_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry)
{
    uint32_t offset = pc - region->start, size, w = fetch(m, region, offset, &size);
    decoded d = {.op = OP_outside};
    uint32_t cycles = 0;
    if (size != 0) {
        d = decode32(w, pc, m->isa->features);
        if (d.op != OP_undefined) {
            cycles = apply_costs(m, &d, region, offset + size);
            d.op = form(&d, size == 2);
        }
    }
    *entry = (ecs_entry){.step = ECS_STEP(cycles),
                         .op = (uint8_t)d.op,
                         .a = (uint8_t)d.a,
                         .b = (uint8_t)d.b,
                         .c = (uint8_t)d.c,
                         .imm = d.imm};
}
