/*
 * ARMv7-M: what its decoder and its executor share.
 *
 *     armv7m.def                     cost rows and operations
 *     armv7m_extensions.def          names of optional instructions
 *     armv7m_decode.c                from memory to an entry
 *     armv7m_site.c                  an instruction in memory
 *     armv7m_narrow.c, _wide.c, _fp.c  from an encoding to operands
 *     armv7m_cost.c                  what an entry costs
 *     armv7m_dual.c                  a core that issues two instructions a cycle
 *     armv7m_exec.c, .inc            execution; armv7m_dsp.c its DSP functions
 *     arm.h, arm_*                   what it shares with ARMv6-M
 */
#ifndef ECSIM_ARMV7M_H
#define ECSIM_ARMV7M_H

#include "arm.h"

#define ISA_LIST "armv7m.def"
#include "isa.inc"

enum {
#define EXTENSION(name, text, feature) EXTENSION_##name,
#include "armv7m_extensions.def"
    EXTENSION_COUNT
};

/* ecs_isa.features */
#define ARMV7M_DSP 1u
#define ARMV7M_FP 2u

/* A decoded instruction, in the place of an ecs_entry. armv7m.def explains the field names. */
typedef struct {
    union {
        /* of all operations but OP_conditional, whose step has other things above its cycles */
        uint64_t step;
        struct {
            uint16_t cycles;
            uint8_t real, condition; /* OP_conditional: operation; condition code, and FOLDS */
            uint32_t one;
        };
    };
    uint8_t op, size, a, b; /* size: bytes from this entry to the next instruction's */
    union {
        uint32_t imm;
        struct {
            uint16_t k;
            uint8_t c, d;
        };
    };
} armv7m_entry;
_Static_assert(sizeof(armv7m_entry) == sizeof(ecs_entry), "it takes its place");
_Static_assert(offsetof(armv7m_entry, op) == offsetof(ecs_entry, op), "memory.c clears it");

#define ALWAYS 14u /* condition code */
#define FOLDS \
    0x80u /* the instruction behind is an IT that costs nothing even when this one is skipped */

enum { SHIFT_LSL, SHIFT_LSR, SHIFT_ASR, SHIFT_ROR, SHIFT_RRX };

/* An instruction that is to be decoded. */
typedef struct {
    const ecs_region *region;
    uint32_t pc, h1, h2; /* its address and halfwords; h2 is 0 when the region ends before */
    uint32_t condition;  /* ALWAYS outside an IT block */
    bool in_it, last;    /* in an IT block; the last one of it */
    uint32_t features;
} armv7m_site;

#define WIDE(h1) ((h1) >= WIDE_PREFIX << 8)

/* The operands of an encoding; step and size are left to armv7m_decode. */
armv7m_entry armv7m_narrow(const armv7m_site *at);
armv7m_entry armv7m_wide(const armv7m_site *at);

/* The instruction at an address of a region, and its operands. */
armv7m_site armv7m_site_at(const ecsim *m, const ecs_region *region, uint32_t pc);
armv7m_entry armv7m_operands(const armv7m_site *at);
/* The 16-bit instruction before an instruction in memory, executed or not; false: there is none. */
bool armv7m_site_before(ecsim *m, const armv7m_site *at, armv7m_site *before);
/* Something decoded depends on the instruction at that address. */
void armv7m_depend_on(ecsim *m, uint32_t address);

/* Like ecs_isa.decode. */
void armv7m_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry);

/* May the instruction behind this one be the next, when this one is executed? */
bool armv7m_goes_on(const armv7m_entry *entry);
/* Fill in what the instruction costs, given the one behind it (null: none that may be the next).
   Turns it into OP_conditional when it stands in an IT block. */
void armv7m_cost(ecsim *m, const armv7m_site *at, armv7m_entry *entry, const armv7m_site *next_at,
                 const armv7m_entry *next);

/* Extra clocks of a branch because of the address of its target; row: how the target is known. */
uint32_t armv7m_odd_target(const ecsim *m, uint32_t target, uint32_t row);

/* What an instruction does: the set of registers that have one of these roles; has it an operand
   that is shifted on its way, or a constant of 8 bits that are rotated; what does it do to the
   flags? */
uint32_t armv7m_registers(const armv7m_entry *e, const char *roles);
bool armv7m_shifts(const armv7m_entry *e);
bool armv7m_rotated(const armv7m_site *at);
bool armv7m_sets_flags(const armv7m_entry *e);
bool armv7m_reads_flags(const armv7m_entry *e);

extern const uint8_t armv7m_op_row[OP_COUNT];

/* The DSP functions: the result, with the Q flag and the GE flags of m set. z: third register,
 * or a number. */
uint32_t armv7m_dsp(ecsim *m, uint32_t function, uint32_t x, uint32_t y, uint32_t z);
uint64_t armv7m_dsp_long(uint32_t function, uint32_t x, uint32_t y);

ECS_EXECUTORS(armv7m);

/* The same on a core that issues two instructions a cycle. */
size_t armv7m_dual_size(void);
void armv7m_dual_begin(ecsim *m, bool warm);
ECS_EXECUTORS(armv7m_dual);

#endif
