/*
 * Flash timing: what an access costs beyond the cycle table.
 *
 * The core fetches words of 32 bits; the second halfword of a word that was fetched costs nothing,
 * unless a taken branch has come between, which empties the core's fetch buffer.
 * Every fetched word, and every data read, that lies in flash comes here. What it waits:
 *
 * - Nothing, when a buffer holds its line. Buffers hold lines of line_bytes; fetches and data
 *   reads share one pool of instruction_lines, or have a pool each. A pool is divided into sets
 *   of `ways` lines; a line that is read takes the place of the one of its set that was used
 *   longest ago (fifo: that came first). So one line is a line buffer, many are a cache.
 * - Else wait_states (a data read: data_wait_states), for a read of the array.
 *   It fills a line of the pool, if that has any. Without lines (line_bytes 0) each word pays.
 *
 * Prefetch: when a fetch comes to another line than the fetch before, reads of the next
 * prefetch_lines lines that are in no buffer are queued. The array does one read at a time,
 * in 1 + wait_states clocks. What the core needs goes before reads that have not begun, but waits
 * for one that has: none is aborted. Another change of line forgets those that have not begun.
 * Lines so read stand in prefetch_lines buffers of their own, which answer fetches only;
 * the first fetch from such a line moves it into the pool, and waits until it is there.
 *
 * A core that fetches ahead hides waits behind instructions that take their time.
 * Its buffer has core_words: it asks for a word one clock after it has the word before,
 * and not before the word that was taken from the buffer core_words earlier has left it.
 * What is not there when its instruction is to begin, that instruction waits for.
 * A taken branch empties the buffer: its target is asked for when it is to begin,
 * and waits in full. With core_words 0 every word is, so that no wait is hidden and waits add up.
 *
 * The flash of an STM32F1 was measured (looks_ahead); there, this replaces what stands above about
 * prefetch and the core's buffer. Nothing is queued; instead a line that follows the line fetched
 * last costs next_wait_states. The core asks for a word one clock after it has the word before,
 * and not before all but one of the instructions that it has are being decoded, so that it is two
 * instructions ahead at most. It asks for the target of a branch that names it in the instruction
 * as soon as it decodes the branch, taken or not, while the instruction before may still execute.
 * A word that was asked for is waited for, wanted or not.
 *
 * Left out: words that the core fetches ahead and a branch throws away, which may keep the array
 * busy; the clock between the two words of an instruction, and between those of a multiple load;
 * other masters. The vector fetch of a reset, writes, and code or data in RAM cost nothing here.
 */
#ifndef ECSIM_FLASH_H
#define ECSIM_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "../ecsim.h"

#define ECS_NO_LINE 1u /* never the address of a line */

/* Where a line was put, and which: if this is the line and it is not there, it is in no slot. */
typedef struct {
    uint32_t line, slot;
} ecs_guess;

/* Lines that were read and stay. Slots set by set; those of a set make a ring from the one that was
 * used last (fifo: filled) to that of longest ago, behind which it begins again. */
typedef struct {
    uint32_t lines, ways; /* lines 0: nothing stays */
    uint32_t set_mask;    /* number of sets - 1 */
    bool fifo;
    uint32_t *line;          /* by slot; ECS_NO_LINE when empty */
    uint16_t *older, *newer; /* by slot: its neighbours in the ring */
    uint16_t *latest;        /* by set: the slot that was used last */
    ecs_guess *guess; /* by the low bits of a line's number: the last such line that was put */
} ecs_pool;

typedef struct {
    uint32_t line;         /* ECS_NO_LINE when empty */
    uint64_t start, ready; /* clocks at which its read begins, and at which the line is there */
} ecs_ahead;

typedef enum { ECS_FETCH, ECS_READ } ecs_access; /* instruction, data */

/* Of the word that an instruction begins in, where it begins in the middle: the core has it, from
 * the instruction before; it has not; a taken branch has come between. */
typedef enum { ECS_HELD, ECS_LEFT, ECS_BRANCHED } ecs_before;

typedef struct {
    uint32_t wait_states[2];        /* by ecs_access */
    uint32_t line_mask, line_shift; /* address bits that name a line; log2 of its bytes */
    uint32_t data_pool; /* index into pool and last for data reads: 0 is that of fetches, too */
    uint32_t last[2];   /* line that was used last, if it stays; or ECS_NO_LINE */
    bool costs;         /* false: no access ever waits */
    ecs_before before;  /* of the instruction that is fetched next */
    /* An instruction within these bytes costs nothing: the line that was used last, or, where each
     * word counts, the word that the core has. None: where no code is. */
    uint32_t stay, stay_bytes;
    bool by_line; /* stay_bytes are a line; a branch that stays inside costs nothing, either */
    ecs_pool pool[2];
    uint32_t prefetch_lines;
    ecs_ahead ahead[ECSIM_MAX_PREFETCH];
    uint64_t now;  /* clock of the access, which the executor sets before; only prefetch uses it */
    uint64_t busy; /* clock at which the prefetch reads that have begun are done */
    uint64_t idle; /* clock at which the last read for the core is done */
    uint32_t core_words, slot;       /* of the core's fetch buffer; where its last word stood */
    uint64_t ready;                  /* clock at which the word fetched last was there */
    uint64_t taken[ECSIM_MAX_WORDS]; /* clocks at which the last core_words words left the buffer */
    uint64_t done;                   /* clock at which the last access was served */

    /* looks_ahead. A clock of the bus is counted as that at which an instruction that needs the
     * word can begin: two later, of which one decodes. */
    bool looks_ahead;
    uint32_t next_wait_states;
    uint64_t begun, decoded, decoded_before; /* the last instruction begins; it, and the one before
                                                it, enters the decoder */
    uint64_t there;                          /* the last word that was needed can be used */
    uint32_t end, early;                     /* address behind the last instruction; of a word that
                                                was asked for while a branch was decoded */
    uint64_t early_there;
} ecs_flash;

/* Null, or what of the timing is out of range, as a constant string. */
const char *ecs_flash_check(const ecsim_flash *timing);
/* False when memory is short; ecs_flash_free is then still due. */
bool ecs_flash_init(ecs_flash *f, const ecsim_flash *timing);
void ecs_flash_free(ecs_flash *f);
/* All buffers empty, time 0. */
void ecs_flash_empty(ecs_flash *f);

/* An access, at clock f->now, that is not to the line that was used last.
   Returns the clocks it waits, and moves f->now on by them. */
uint32_t ecs_flash_turn(ecs_flash *f, uint32_t line, ecs_access access);

/* The words of an instruction that does not lie within f->stay, and that is to begin at clock `now`
   and takes so many `cycles`. Returns the clocks it waits. f->before and f->stay are then those of
   the next instruction. */
uint32_t ecs_flash_fetch(ecs_flash *f, uint32_t address, uint32_t size, uint64_t now,
                         uint32_t cycles);

/* The instruction fetched last is a branch to the address, and is not taken. */
void ecs_flash_not_taken(ecs_flash *f, uint32_t target);

/* A data read of the word, halfword or byte at the address, likewise. */
static inline uint32_t ecs_flash_read(ecs_flash *f, uint32_t address)
{
    uint32_t line = address & f->line_mask;
    return line == f->last[f->data_pool] ? 0 : ecs_flash_turn(f, line, ECS_READ);
}

#endif
