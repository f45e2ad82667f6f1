/* ARMv7-M decoders: fields of an encoding and short names for what they return. */
#ifndef ECSIM_ARMV7M_BITS_H
#define ECSIM_ARMV7M_BITS_H

#include <string.h>

#include "armv7m.h"
#include "bits.h"

#define D(name, ...) ((armv7m_entry){.op = OP_##name, __VA_ARGS__})
#define UNDEFINED ((armv7m_entry){.op = OP_undefined})
#define UNPREDICTABLE ((armv7m_entry){.op = OP_unpredictable})

/* SP and PC are not general operands of most 32-bit instructions. */
static inline bool high(uint32_t r)
{
    return r == SP || r == PC_INDEX;
}

static inline uint32_t word_pc(const armv7m_site *at)
{
    return (at->pc & ~3u) + 4;
}

/* A branch may stand in an IT block only at its end. */
static inline bool inside(const armv7m_site *at)
{
    return at->in_it && !at->last;
}

/* A word of flash cannot change during a run. */
static inline bool constant_word(const armv7m_site *at, uint32_t address, uint32_t *value)
{
    uint32_t offset = address - at->region->start;
    if (at->region->kind != ECSIM_FLASH || address % 4 != 0 || offset >= at->region->size) {
        return false;
    }
    memcpy(value, at->region->bytes + offset, sizeof *value);
    return true;
}

/* Fields that many 32-bit formats share. */
#define RN(at) ((uint8_t)bits((at)->h1, 3, 0))
#define RD(at) ((uint8_t)bits((at)->h2, 11, 8))
#define RM(at) ((uint8_t)bits((at)->h2, 3, 0))
#define RT(at) ((uint8_t)bits((at)->h2, 15, 12))

/* A function of the DSP extension, if this core has it. d: a third register, or a number. */
static inline armv7m_entry dsp(const armv7m_site *at, uint8_t op, uint32_t function, uint32_t rd,
                               uint32_t rn, uint32_t rm, uint32_t d)
{
    if ((at->features & ARMV7M_DSP) == 0) {
        return D(missing, .imm = function);
    }
    return (armv7m_entry){.op = op,
                          .a = (uint8_t)rd,
                          .b = (uint8_t)rn,
                          .c = (uint8_t)rm,
                          .d = (uint8_t)d,
                          .k = (uint16_t)function};
}

/* LDR of a literal; from flash it is read once, here. */
static inline armv7m_entry literal(const armv7m_site *at, uint32_t rt, uint32_t address)
{
    uint32_t value, words = (address - word_pc(at)) / 4;
    if (words < 256 && constant_word(at, address, &value)) {
        return D(ldr_flash, .a = (uint8_t)rt, .b = (uint8_t)words, .imm = value);
    }
    return D(ldr_literal, .a = (uint8_t)rt, .imm = address);
}

/* The groups of 32-bit instructions. */
armv7m_entry armv7m_shifted_register(const armv7m_site *at);
armv7m_entry armv7m_modified_immediate(const armv7m_site *at);
armv7m_entry armv7m_plain_immediate(const armv7m_site *at);
armv7m_entry armv7m_data_register(const armv7m_site *at);
armv7m_entry armv7m_multiply(const armv7m_site *at);
armv7m_entry armv7m_multiply_long(const armv7m_site *at);
armv7m_entry armv7m_single(const armv7m_site *at);
armv7m_entry armv7m_multiple(const armv7m_site *at);
armv7m_entry armv7m_dual_exclusive_table(const armv7m_site *at);
armv7m_entry armv7m_fp(const armv7m_site *at);

#endif
