/* AVRe+ (the core of the ATmega, with the hardware multiplier): names of cost rows and operations,
 * registers and addresses, shared by decoder and executor.
 *
 * Flash and data are two spaces on the core. Here the data space stands at AVR_DATA, as
 * in an ELF file of avr-gcc. Its first 256 addresses or so are registers and I/O, which no region
 * holds; RAM begins behind them. Code addresses count bytes, the core's own count words.
 *
 * The size of flash says what a core has: above 64 KiB RAMPZ and ELPM, above 128 KiB a program
 * counter of 22 bits, EIND, EIJMP and EICALL. */
#ifndef ECSIM_AVR_H
#define ECSIM_AVR_H

#include "machine.h"

#define ISA_LIST "avr.def"
#include "isa.inc"

#define AVR_DATA 0x800000u

/* Registers of m->r; then what only the host calls by these numbers. */
enum { X = 26, Y = 28, Z = 30, SP = 32, SREG = 33, PC_NUMBER, RAMPZ_NUMBER, EIND_NUMBER };
_Static_assert(SP < ECS_REGISTERS, "r0 to r31, and the stack pointer as an address of the host");

/* Addresses in the data space of what is modelled beside registers and RAM. */
enum { RAMPZ_AT = 0x5B, EIND_AT = 0x5C, SPL_AT = 0x5D, SPH_AT = 0x5E, SREG_AT = 0x5F };
enum { RAMPZ, EIND }; /* their places in m->csr */

static inline uint32_t avr_flash_size(const ecsim *m)
{
    for (uint32_t i = 0; i < m->region_count; i++) {
        if (m->region[i].kind == ECSIM_FLASH) {
            return m->region[i].size;
        }
    }
    return 0;
}

static inline bool avr_has_wide_pc(const ecsim *m)
{
    return avr_flash_size(m) > 1u << 17;
}

static inline bool avr_has_rampz(const ecsim *m)
{
    return avr_flash_size(m) > 1u << 16;
}

/* SREG as a byte, from the flags of the machine and back (machine.h). */
static inline uint32_t avr_sreg(const ecsim *m)
{
    return m->ti | (m->h >> 4 & 1) << 5 | (m->less >> 7 & 1) << 4 | (m->v >> 7 & 1) << 3 |
           (m->n >> 7 & 1) << 2 | (uint32_t)(m->z == 0) << 1 | m->c;
}

static inline void avr_set_sreg(ecsim *m, uint32_t value)
{
    m->ti = value & 0xC0;
    m->h = value >> 5 << 4;
    m->less = value >> 4 << 7;
    m->v = value >> 3 << 7;
    m->n = value >> 2 << 7;
    m->z = ~value & 2;
    m->c = value & 1;
}

extern const uint8_t avr_op_row[OP_COUNT];

void avr_decode(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry);

/* A register or I/O register by its address in the data space, below RAM. False: it is not
   modelled, which is a fault. */
bool avr_get_io(const ecsim *m, uint32_t address, uint32_t *value);
bool avr_put_io(ecsim *m, uint32_t address, uint32_t value);

ECS_EXECUTORS(avr);

#endif
