/* What ARMv6-M and ARMv7-M share: registers, special registers, the map of addresses. */
#ifndef ECSIM_ARM_H
#define ECSIM_ARM_H

#include "machine.h"

enum { SP = 13, LR = 14, PC_INDEX = 15, PSR_INDEX = 16 };

/* Special registers by SYSm: Arm DDI 0403, B5.2.2 and B5.2.3. 0..3 show the flags,
 * 8 and 9 are the stack pointers. */
enum { PSR_LAST = 3, MSP = 8, PSP = 9, PRIMASK = 16, CONTROL = 20 };
enum { CONTROL_NPRIV = 1, CONTROL_SPSEL = 2 };

/* Arm DDI 0403, B3.1 "The system address map": peripheral, external device and system ranges. */
bool arm_is_peripheral(uint32_t address);

/* The first halfword of an instruction of 32 bits has at least this in its upper byte. */
#define WIDE_PREFIX 0xE8u
bool arm_is_long(const uint8_t *code);

/* Registers as in ecsim.h: 15 is the PC, 16 the program status word, of which this is NZCV. */
void arm_set_register(ecsim *m, uint32_t index, uint32_t value);
uint32_t arm_get_register(const ecsim *m, uint32_t index);

/* The memory that r0 and r1 are, as address and size. */
void arm_block(const ecsim *m, uint32_t *address, uint32_t *size);

/* MRS and MSR of the special registers that both have; EPSR reads as 0. Code without privilege
 * reads the others but CONTROL as 0, and writes only flags (B5.2.2, B5.2.3). */
uint32_t arm_special_read(const ecsim *m, uint32_t sysm);
void arm_special_write(ecsim *m, uint32_t sysm, uint32_t value);

/* SVC at `pc` enters its handler: Arm DDI 0403, B1.5.6. A frame of eight words goes to the active
 * stack, the handler runs in Handler mode on the main stack, with EXC_RETURN in LR. Its address
 * is read from the vector table, and that one's from VTOR: without memory at either, and where
 * the exception would become another one, m->fault says so, and the result is false.
 * Else m->pc is where the run goes on. */
bool arm_enter(ecsim *m, uint32_t pc);

/* The end of the handler, a branch to EXC_RETURN: B1.5.8. `target`: that number without its lowest
 * bit. Result likewise; where it is false, nothing but m->fault has changed. */
bool arm_leave(ecsim *m, uint32_t target);

/* A new stack pointer: its two low bits do not exist. */
static inline void arm_set_sp(ecsim *m, uint32_t value)
{
    value &= ~3u;
    m->r[SP] = value;
    if (value < m->stack_low) {
        m->stack_low = value;
    }
}

#endif
