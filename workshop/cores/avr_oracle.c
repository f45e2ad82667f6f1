/* A core of simavr, run instruction by instruction: what the comparison needs of it. */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <string.h>

enum { SPL_AT = 0x5D, SPH_AT = 0x5E };

avr_t *oracle_new(const char *part)
{
    avr_t *avr = avr_make_mcu_by_name(part);
    if (avr != NULL) {
        avr_init(avr);
        avr->log = LOG_NONE;
    }
    return avr;
}

uint8_t *oracle_flash(avr_t *avr)
{
    return avr->flash;
}

uint8_t *oracle_data(avr_t *avr)
{
    return avr->data;
}

/* Registers, SREG, stack pointer, RAMPZ, EIND. */
void oracle_set(avr_t *avr, const uint8_t registers[32], const uint8_t special[5])
{
    memcpy(avr->data, registers, 32);
    SET_SREG_FROM(avr, special[0]);
    avr->data[SPL_AT] = special[1];
    avr->data[SPH_AT] = special[2];
    if (avr->rampz != 0) {
        avr->data[avr->rampz] = special[3];
    }
    if (avr->eind != 0) {
        avr->data[avr->eind] = special[4];
    }
}

void oracle_get(avr_t *avr, uint8_t registers[32], uint8_t special[5])
{
    uint8_t sreg;
    READ_SREG_INTO(avr, sreg);
    memcpy(registers, avr->data, 32);
    special[0] = sreg;
    special[1] = avr->data[SPL_AT];
    special[2] = avr->data[SPH_AT];
    special[3] = avr->rampz != 0 ? avr->data[avr->rampz] : 0;
    special[4] = avr->eind != 0 ? avr->data[avr->eind] : 0;
}

/* From `pc` until it is `until`, at most so many instructions. 0: it came there; 1: it did not;
 * 2: the core stopped by itself. Its cycles, and where it then is. */
int oracle_run(avr_t *avr, uint32_t pc, uint32_t until, uint64_t limit, uint64_t *cycles,
               uint32_t *at)
{
    int result = 0;
    avr->pc = pc;
    avr->cycle = 0;
    avr->state = cpu_Running;
    while (avr->pc != until && result == 0) {
        if (limit-- == 0) {
            result = 1;
        } else {
            avr->pc = avr_run_one(avr);
            result = avr->state == cpu_Crashed || avr->state == cpu_Done ? 2 : 0;
            avr->state = cpu_Running;
        }
    }
    *cycles = avr->cycle;
    *at = avr->pc;
    return result;
}
