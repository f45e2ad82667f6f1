/*
 * Flash timing: what an access costs beyond the cycle table.
 *
 * Modelled: the core fetches words of 32 bits; the second halfword of a word that was fetched costs nothing, unless a
 * taken branch has come between, which empties the core's fetch buffer. Every fetched word and every data read that
 * lies in flash goes to one line buffer of line_bytes, which instruction fetches and data reads share: the line that
 * it holds costs nothing, any other line costs wait_states and replaces it. Without a buffer (line_bytes 0) each such
 * access costs wait_states. Waits add up: none is hidden behind another instruction.
 * The vector fetch of a reset, writes, and code or data in RAM cost nothing here.
 *
 * Left out: words that the pipeline fetches ahead and a branch throws away; prefetch; caches. A cache or a prefetch
 * buffer becomes a second stage behind ecs_flash_access: `line` stays the line that answers at once.
 */
#ifndef ECSIM_FLASH_H
#define ECSIM_FLASH_H

#include <stdint.h>

#define ECS_NO_LINE 1u /* never the address of a line */

typedef struct {
    uint32_t wait_states;
    uint32_t line_mask; /* address bits that name a line */
    uint32_t line;      /* line in the buffer, or ECS_NO_LINE */
    uint32_t buffered;  /* 1: a line stays in the buffer; 0: there is none */
} ecs_flash;

static inline void ecs_flash_empty(ecs_flash *f)
{
    f->line = ECS_NO_LINE;
}

/* An access to the word, halfword or byte at the address, in flash. Returns the clocks it waits. */
static inline uint32_t ecs_flash_access(ecs_flash *f, uint32_t address)
{
    uint32_t line = address & f->line_mask;
    if (line == f->line) {
        return 0;
    }
    f->line = f->buffered ? line : ECS_NO_LINE;
    return f->wait_states;
}

#endif
