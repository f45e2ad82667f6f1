/* Flash timing: the pools of lines, and the prefetch reads in their order.
 * The rules stand in flash.h. */
#include "flash.h"

#include <stdlib.h>
#include <string.h>

#define GUESSES 1024u /* size of a table of guesses */
#define NO_SLOT UINT32_MAX
#define ECS_ELSEWHERE 0x40000000u /* so far away that no code is there */

static bool is_power_of_two(uint32_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* Can a pool have that many lines in sets of `ways` (0: all in one set)? */
static bool has_sets(uint32_t lines, uint32_t ways)
{
    return ways == 0 || lines == 0 || (lines % ways == 0 && is_power_of_two(lines / ways));
}

const char *ecs_flash_check(const ecsim_flash *t)
{
    if (t->wait_states > 255 || t->data_wait_states > 255) {
        return "flash wait states are 0 to 255";
    }
    if (t->next_wait_states > t->wait_states || t->looks_ahead > 1) {
        return "waits for the next line are not more than for any line; looks_ahead is 0 or 1";
    }
    if (t->looks_ahead != 0 &&
        (t->instruction_lines == 0 || t->shared != 0 || t->prefetch_lines != 0)) {
        return "a core that looks ahead has lines of its own, and no prefetch beside it";
    }
    if (t->core_words > ECSIM_MAX_WORDS) {
        return "too many words in the core's fetch buffer";
    }
    if (t->line_bytes == 0) {
        bool kept = t->instruction_lines != 0 || t->data_lines != 0 || t->prefetch_lines != 0;
        return kept ? "flash without a line width has no lines and no prefetch" : NULL;
    }
    if (t->line_bytes < 4 || t->line_bytes > 512 || !is_power_of_two(t->line_bytes)) {
        return "a flash line is a power of two from 4 to 512 bytes, or 0";
    }
    if (t->instruction_lines > ECSIM_MAX_LINES || t->data_lines > ECSIM_MAX_LINES) {
        return "too many flash lines";
    }
    if (t->shared != 0 && t->data_lines != 0) {
        return "a shared pool of flash lines is given as instruction lines";
    }
    if (!has_sets(t->instruction_lines, t->ways) || !has_sets(t->data_lines, t->ways)) {
        return "flash lines must make a power of two of sets of that many ways";
    }
    if (t->prefetch_lines > ECSIM_MAX_PREFETCH ||
        (t->prefetch_lines != 0 && t->instruction_lines == 0)) {
        return "too many prefetch lines, or no instruction line to move them into";
    }
    return NULL;
}

static bool make_pool(ecs_pool *p, uint32_t lines, const ecsim_flash *t)
{
    p->lines = lines;
    p->ways = t->ways != 0 ? t->ways : lines;
    p->set_mask = lines != 0 ? lines / p->ways - 1 : 0;
    p->fifo = t->fifo != 0;
    if (lines == 0) {
        return true;
    }
    p->line = malloc(lines * sizeof *p->line);
    p->older = malloc(3 * lines * sizeof *p->older);
    p->guess = malloc(GUESSES * sizeof *p->guess);
    if (p->line == NULL || p->older == NULL || p->guess == NULL) {
        return false;
    }
    p->newer = p->older + lines;
    p->latest = p->newer + lines;
    return true;
}

bool ecs_flash_init(ecs_flash *f, const ecsim_flash *t)
{
    bool costs = t->wait_states != 0 || t->data_wait_states != 0;
    *f = (ecs_flash){.wait_states = {t->wait_states, t->data_wait_states},
                     .line_mask = ~((t->line_bytes != 0 ? t->line_bytes : 4) - 1),
                     .data_pool = t->shared == 0,
                     .prefetch_lines =
                         costs ? t->prefetch_lines : 0, /* whose reads keep the array busy */
                     .core_words = t->core_words,
                     .looks_ahead = t->looks_ahead != 0 && t->core_words != 0,
                     .next_wait_states = t->next_wait_states,
                     .costs = costs};
    f->line_shift = (uint32_t)__builtin_ctz(f->line_mask);
    f->by_line = !f->looks_ahead && f->core_words == 0 && t->instruction_lines != 0;
    f->stay_bytes = f->by_line ? ~f->line_mask + 1 : 4;
    bool made = make_pool(&f->pool[0], t->instruction_lines, t);
    if (!make_pool(&f->pool[1], t->data_lines, t) || !made) {
        return false;
    }
    ecs_flash_empty(f);
    return true;
}

void ecs_flash_free(ecs_flash *f)
{
    for (uint32_t i = 0; i < 2; i++) {
        free(f->pool[i].line);
        free(f->pool[i].older);
        free(f->pool[i].guess);
    }
}

void ecs_flash_empty(ecs_flash *f)
{
    f->last[0] = f->last[1] = ECS_NO_LINE;
    f->before = ECS_BRANCHED;
    f->now = f->busy = f->idle = f->done = f->ready = 0;
    f->slot = 0;
    f->begun = f->decoded = f->decoded_before = f->early_there = 0;
    f->there = 1;
    f->end = 0;
    f->early = ECS_NO_LINE;
    for (uint32_t i = 0; i < 2; i++) {
        ecs_pool *p = &f->pool[i];
        for (uint32_t slot = 0; slot < p->lines; slot++) { /* the first is the oldest of its set */
            const uint32_t way = slot % p->ways, first = slot - way;
            p->line[slot] = ECS_NO_LINE;
            p->newer[slot] = (uint16_t)(first + (way + 1) % p->ways);
            p->older[slot] = (uint16_t)(first + (way + p->ways - 1) % p->ways);
            p->latest[slot / p->ways] = (uint16_t)(first + p->ways - 1);
        }
        for (uint32_t n = 0; p->lines != 0 && n < GUESSES; n++) {
            p->guess[n] = (ecs_guess){.line = ECS_NO_LINE};
        }
    }
    for (uint32_t i = 0; i < f->prefetch_lines; i++) {
        f->ahead[i] = (ecs_ahead){.line = ECS_NO_LINE};
    }
}

/* --- pools ------------------------------------------------------------------------------------ */

/* The slot that holds the line, or NO_SLOT. */
static inline uint32_t slot_of(const ecs_flash *f, const ecs_pool *p, uint32_t line)
{
    if (p->lines == 0) {
        return NO_SLOT;
    }
    const uint32_t number = line >> f->line_shift;
    ecs_guess *guess = &p->guess[number % GUESSES];
    if (p->line[guess->slot] == line) {
        return guess->slot;
    }
    if (guess->line == line) {
        return NO_SLOT;
    }
    const uint32_t first = (number & p->set_mask) * p->ways;
    for (uint32_t slot = first; slot < first + p->ways; slot++) {
        if (p->line[slot] == line) {
            *guess = (ecs_guess){line, slot};
            return slot;
        }
    }
    *guess = (ecs_guess){line, guess->slot};
    return NO_SLOT;
}

/* In place of the line of its set that was used longest ago: as the ring turns on by one slot. */
static inline void put_line(const ecs_flash *f, ecs_pool *p, uint32_t line)
{
    if (p->lines == 0) {
        return;
    }
    const uint32_t number = line >> f->line_shift;
    uint16_t *latest = &p->latest[number & p->set_mask];
    const uint16_t oldest = p->newer[*latest];
    p->line[oldest] = line;
    *latest = oldest;
    p->guess[number % GUESSES] = (ecs_guess){line, oldest};
}

/* A line that is there is used: it moves in the ring to where it is the latest. */
static inline void use_slot(const ecs_flash *f, ecs_pool *p, uint32_t slot)
{
    uint16_t *latest = &p->latest[p->line[slot] >> f->line_shift & p->set_mask];
    const uint16_t before = *latest, used = (uint16_t)slot;
    if (p->fifo || used == before) {
        return;
    }
    const uint16_t oldest = p->newer[before];
    if (used != oldest) {
        p->newer[p->older[used]] = p->newer[used];
        p->older[p->newer[used]] = p->older[used];
        p->newer[before] = p->older[oldest] = used;
        p->older[used] = before;
        p->newer[used] = oldest;
    }
    *latest = used;
}

/* --- prefetch --------------------------------------------------------------------------------- */

static ecs_ahead *ahead_of(ecs_flash *f, uint32_t line)
{
    for (uint32_t i = 0; i < f->prefetch_lines; i++) {
        if (f->ahead[i].line == line) {
            return &f->ahead[i];
        }
    }
    return NULL;
}

/* Of the queued reads, those that begin before f->now keep the array busy; the others,
   when the fetch turns to another line, are not wanted any more. */
static void begin_reads(ecs_flash *f, bool forget)
{
    for (uint32_t i = 0; i < f->prefetch_lines; i++) {
        ecs_ahead *a = &f->ahead[i];
        if (a->start < f->now) {
            f->busy = a->ready > f->busy ? a->ready : f->busy;
        } else if (forget) {
            *a = (ecs_ahead){.line = ECS_NO_LINE};
        }
    }
}

/* Those that have not begun move behind a read for the core that ends at f->idle,
 * in their order. */
static void delay_reads(ecs_flash *f)
{
    uint64_t first = f->idle;
    for (uint32_t i = 0; i < f->prefetch_lines; i++) {
        const ecs_ahead *a = &f->ahead[i];
        if (a->line != ECS_NO_LINE && a->start >= f->now && a->start < first) {
            first = a->start;
        }
    }
    for (uint32_t i = 0; i < f->prefetch_lines; i++) {
        ecs_ahead *a = &f->ahead[i];
        if (a->start >= f->now) {
            a->start += f->idle - first;
            a->ready += f->idle - first;
        }
    }
}

/* Is the line one of those that follow `line` and may be read ahead? */
static bool follows(const ecs_flash *f, uint32_t line, uint32_t next)
{
    return ((next - line) >> f->line_shift) - 1 < f->prefetch_lines;
}

/* A buffer to be filled: an empty one, or that which has held longest what does
 * not follow `line`. */
static ecs_ahead *spare(ecs_flash *f, uint32_t line)
{
    ecs_ahead *best = NULL;
    for (uint32_t i = 0; i < f->prefetch_lines; i++) {
        ecs_ahead *a = &f->ahead[i];
        if (a->line == ECS_NO_LINE) {
            return a;
        }
        if (!follows(f, line, a->line) && (best == NULL || a->ready < best->ready)) {
            best = a;
        }
    }
    return best;
}

/* Queue reads of what follows the line, which is used at f->now. A line that follows
   and is in no buffer leaves one of the buffers to what does not follow, or empty. */
static void read_ahead(ecs_flash *f, uint32_t line)
{
    uint64_t start = f->now > f->busy ? f->now : f->busy,
             clocks = 1 + (uint64_t)f->wait_states[ECS_FETCH];
    start = start > f->idle ? start : f->idle;
    for (uint32_t i = 1; i <= f->prefetch_lines; i++) {
        uint32_t next = line + (i << f->line_shift);
        if (slot_of(f, &f->pool[0], next) == NO_SLOT && ahead_of(f, next) == NULL) {
            *spare(f, line) = (ecs_ahead){.line = next, .start = start, .ready = start + clocks};
            start += clocks;
        }
    }
}

/* --- accesses --------------------------------------------------------------------------------- */

/* A read of the array for the core, which waits for a prefetch read that has begun. */
static uint32_t read_array(ecs_flash *f, ecs_access access)
{
    uint32_t wait = f->wait_states[access] + (f->busy > f->now ? (uint32_t)(f->busy - f->now) : 0);
    f->idle = f->now + wait + 1;
    if (access == ECS_READ) {
        delay_reads(f);
    }
    return wait;
}

/* Waits for a line that no buffer or cache holds: read ahead, or read now. */
static uint32_t get_line(ecs_flash *f, uint32_t line, ecs_access access)
{
    ecs_ahead *a = access == ECS_FETCH ? ahead_of(f, line) : NULL;
    if (a == NULL) {
        return read_array(f, access);
    }
    a->line = ECS_NO_LINE;
    return a->ready > f->now + 1 ? (uint32_t)(a->ready - f->now - 1) : 0;
}

/* As ecs_flash_turn, where lines are read ahead. */
__attribute__((noinline)) static uint32_t turn_ahead(ecs_flash *f, uint32_t line, ecs_access access,
                                                     ecs_pool *p)
{
    uint32_t wait = 0;
    begin_reads(f, access == ECS_FETCH);
    const uint32_t slot = slot_of(f, p, line);
    if (slot == NO_SLOT) {
        wait = get_line(f, line, access);
        put_line(f, p, line);
    } else {
        use_slot(f, p, slot);
    }
    f->done = f->now += wait;
    if (access == ECS_FETCH) {
        read_ahead(f, line);
    }
    return wait;
}

static inline uint32_t turn(ecs_flash *f, uint32_t line, ecs_access access)
{
    const uint32_t index = access == ECS_FETCH ? 0 : f->data_pool;
    ecs_pool *p = &f->pool[index];
    uint32_t wait = f->wait_states[access];
    f->last[index] = p->lines != 0 ? line : ECS_NO_LINE;
    if (f->prefetch_lines != 0) {
        return turn_ahead(f, line, access, p);
    }
    if (p->lines <= 1) { /* then `last` is all that there is */
        f->done = f->now + wait;
        return wait;
    }
    const uint32_t slot = slot_of(f, p, line);
    if (slot == NO_SLOT) {
        put_line(f, p, line);
    } else {
        use_slot(f, p, slot);
        wait = 0;
    }
    f->done = f->now += wait;
    return wait;
}

__attribute__((noinline)) uint32_t ecs_flash_turn(ecs_flash *f, uint32_t line, ecs_access access)
{
    return turn(f, line, access);
}

/* A fetch of a word in that line, for an instruction that is to begin at clock `now`, by a core
   that fetches ahead. branched: its buffer is empty. Returns the clocks the instruction waits. */
__attribute__((noinline)) static uint32_t fetch_ahead(ecs_flash *f, uint32_t line, uint64_t now,
                                                      bool branched)
{
    uint64_t asked = now;
    f->slot = f->slot + 1 < f->core_words ? f->slot + 1 : 0;
    if (branched) {
        memset(f->taken, 0, sizeof f->taken);
    } else { /* a slot that is free since the branch has been left at clock 0 */
        uint64_t left = f->taken[f->slot];
        asked = 1 + (f->ready > left ? f->ready : left);
        asked = asked < now ? asked : now;
    }
    if (line != f->last[ECS_FETCH]) {
        f->now = asked > f->done ? asked : f->done; /* in the order of the program */
        f->now = f->now < now ? f->now : now;
        asked = f->now;
        asked += ecs_flash_turn(f, line, ECS_FETCH);
    }
    f->ready = asked;
    f->taken[f->slot] = asked > now ? asked : now;
    return (uint32_t)(f->taken[f->slot] - now);
}

/* --- an STM32F1 ------------------------------------------------------------------------------- */

#define STAGES 3u /* from the clock in which a word is asked for to that in which it executes */

static uint64_t later(uint64_t x, uint64_t y)
{
    return x > y ? x : y;
}

/* Clocks that a word of the line waits. */
static uint32_t wait_for(ecs_flash *f, uint32_t line)
{
    ecs_pool *p = &f->pool[ECS_FETCH];
    const uint32_t last = f->last[ECS_FETCH], slot = slot_of(f, p, line);
    f->last[ECS_FETCH] = line;
    if (slot != NO_SLOT) {
        use_slot(f, p, slot);
        return 0;
    }
    put_line(f, p, line);
    return last != ECS_NO_LINE && line - last == ~f->line_mask + 1 ? f->next_wait_states
                                                                   : f->wait_states[ECS_FETCH];
}

/* When the branch that begun last is decoded, the word behind it may have been asked for.
   Returns the clock from which on the bus takes another address. */
static uint64_t ask_behind(ecs_flash *f)
{
    const uint64_t asked = later(f->ready + 1 - STAGES, f->decoded_before);
    if (f->end % 4 != 0 || asked >= f->decoded) {
        return f->decoded;
    }
    const uint32_t wait = wait_for(f, f->end & f->line_mask);
    f->early = f->end;
    f->early_there = f->ready = asked + STAGES + wait;
    return later(f->decoded, asked + 1 + wait);
}

void ecs_flash_not_taken(ecs_flash *f, uint32_t target)
{
    const uint64_t asked = ask_behind(f);
    f->ready = asked + STAGES + wait_for(f, target & f->line_mask);
}

/* The same, if looks_ahead. address: of the word. */
static uint32_t look(ecs_flash *f, uint32_t address, uint64_t now, bool branched)
{
    const uint32_t line = address & f->line_mask;
    if (!branched && (address & ~3u) == f->early) {
        f->there = f->early_there;
    } else if (branched) {
        /* two clocks: a branch that was decoded; more: its target comes from a register */
        const uint64_t asked = now - f->begun == 2 ? ask_behind(f) + STAGES : now;
        f->there = f->ready = asked + wait_for(f, line);
    } else {
        const uint64_t asked = later(f->ready + 1, f->decoded_before + STAGES);
        f->there = f->ready = asked + wait_for(f, line);
    }
    f->early = ECS_NO_LINE;
    return f->there > now ? (uint32_t)(f->there - now) : 0;
}

/* The instruction whose words were fetched begins at that clock; the next address is `end`. */
static void begun(ecs_flash *f, uint64_t begin, uint32_t cycles, uint32_t end)
{
    f->end = end;
    if (cycles != 0) { /* an IT that costs nothing is part of the instruction before */
        const uint64_t decoded = later(f->there - 1, f->begun);
        f->decoded_before = f->decoded;
        f->decoded = decoded;
        f->begun = begin;
    }
}

/* --- instructions ----------------------------------------------------------------------------- */

static inline uint32_t fetch_line(ecs_flash *f, uint32_t line, uint64_t now)
{
    if (line == f->last[ECS_FETCH]) {
        return 0;
    }
    f->now = now;
    return turn(f, line, ECS_FETCH);
}

/* Of flash whose lines stay, for a core that fetches nothing ahead. */
__attribute__((noinline)) static uint32_t fetch_by_line(ecs_flash *f, uint32_t first, uint32_t last,
                                                        uint64_t now)
{
    uint32_t wait = 0;
    if (first <= last) {
        wait = fetch_line(f, first & f->line_mask, now);
        wait += fetch_line(f, last & f->line_mask, now + wait);
    }
    f->stay = last & f->line_mask;
    if (f->stay != f->last[ECS_FETCH]) {
        f->stay ^= ECS_ELSEWHERE;
    }
    return wait;
}

/* The two words of an instruction, for a core that fetches ahead; or words that do not stay. */
__attribute__((noinline)) static uint32_t fetch_words(ecs_flash *f, uint32_t first, uint32_t last,
                                                      uint64_t now, bool branched)
{
    uint32_t wait = 0;
    for (; first <= last; first = (first & ~3u) + 4) {
        const uint32_t line = first & f->line_mask;
        wait += f->core_words == 0 ? fetch_line(f, line, now + wait)
                                   : fetch_ahead(f, line, now + wait, branched);
        branched = false;
    }
    return wait;
}

/* looks_ahead: every instruction comes here, of `cycles`. */
__attribute__((noinline)) static uint32_t fetch_looking(ecs_flash *f, uint32_t first, uint32_t last,
                                                        uint64_t now, bool branched,
                                                        uint32_t cycles)
{
    uint32_t wait = 0;
    f->stay = last ^ ECS_ELSEWHERE;
    while (first <= last) {
        wait += look(f, first, now + wait, branched);
        first = (first & ~3u) + 4;
        branched = false;
    }
    begun(f, now + wait, cycles, last + 2);
    return wait;
}

uint32_t ecs_flash_fetch(ecs_flash *f, uint32_t address, uint32_t size, uint64_t now,
                         uint32_t cycles)
{
    const bool branched = f->before == ECS_BRANCHED;
    const uint32_t last = address + size - 2;
    const uint32_t first = f->before == ECS_HELD ? (address + 2) & ~3u : address;
    f->before = ECS_HELD;
    if (f->by_line) {
        return fetch_by_line(f, first, last, now);
    }
    if (f->looks_ahead) {
        return fetch_looking(f, first, last, now, branched, cycles);
    }
    f->stay = last & ~3u;
    return f->core_words != 0 && first / 4 == last / 4
               ? fetch_ahead(f, first & f->line_mask, now, branched)
               : fetch_words(f, first, last, now, branched);
}
