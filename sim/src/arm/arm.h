/* What ARMv6-M and ARMv7-M share: registers, special registers, the map of addresses. */
#ifndef ECSIM_ARM_H
#define ECSIM_ARM_H

#include "machine.h"

enum { SP = 13, LR = 14, PC_INDEX = 15, PSR_INDEX = 16 };

/* Special registers by SYSm: Arm DDI 0403, B5.2.2 and B5.2.3. 0..3 show the flags,
 * 8 and 9 are the stack pointers. */
enum { PSR_LAST = 3, MSP = 8, PSP = 9, PRIMASK = 16, CONTROL = 20, CONTROL_SPSEL = 2 };

/* Arm DDI 0403, B3.1 "The system address map": peripheral, external device and system ranges. */
bool arm_is_peripheral(uint32_t address);

/* The first halfword of an instruction of 32 bits has at least this in its upper byte. */
#define WIDE_PREFIX 0xE8u
bool arm_is_long(const uint8_t *code);

/* Registers as in ecsim.h: 15 is the PC, 16 the program status word, of which this is NZCV. */
void arm_set_register(ecsim *m, uint32_t index, uint32_t value);
uint32_t arm_get_register(const ecsim *m, uint32_t index);

/* MRS and MSR of the special registers that both have; IPSR and EPSR read as 0,
 * other than flags only is written. */
uint32_t arm_special_read(const ecsim *m, uint32_t sysm);
void arm_special_write(ecsim *m, uint32_t sysm, uint32_t value);

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
