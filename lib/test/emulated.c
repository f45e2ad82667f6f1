/* emulated.c - calls assembly functions on operands that come in, on a user-mode emulator of Linux
 *
 * In: batches, each a header and `count` records of `words` words. Out: the records as the function
 * left them, in the last word of each what it returned. Ends where the input does.
 * It stands alone: no C library, no start-up.
 */
#include <stddef.h>
#include <stdint.h>

#define ARGUMENTS 6
#define WORDS (1 << 18)
#define WORDS_MOST (1 << 14) /* of a record */
#define EXIT_BAD 2

/* Argument i is the word at `offset[i]` of a record, or, where bit i of `pointers` is set,
 * the address of that word. */
typedef struct {
    uint32_t function, words, count, pointers, offset[ARGUMENTS];
} batch;

typedef uint32_t (*called)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);

static uint32_t records[WORDS];
/* Where each of them is while the function works on it: a known address, for those that hold
 * one. */
static uint32_t record[WORDS_MOST] __attribute__((section(".bss.record")));

#if defined(__arm__)
enum { CALL_EXIT = 1, CALL_READ = 3, CALL_WRITE = 4 };

static int32_t kernel(uint32_t call, uint32_t a, uint32_t b, uint32_t c)
{
    register uint32_t r0 __asm__("r0") = a;
    register uint32_t r1 __asm__("r1") = b;
    register uint32_t r2 __asm__("r2") = c;
    register uint32_t r7 __asm__("r7") = call;
    __asm__ volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
    return (int32_t)r0;
}
#else
enum { CALL_EXIT = 93, CALL_READ = 63, CALL_WRITE = 64 };

static int32_t kernel(uint32_t call, uint32_t a, uint32_t b, uint32_t c)
{
    register uint32_t a0 __asm__("a0") = a;
    register uint32_t a1 __asm__("a1") = b;
    register uint32_t a2 __asm__("a2") = c;
    register uint32_t a7 __asm__("a7") = call;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return (int32_t)a0;
}
#endif

static void leave(uint32_t code)
{
    for (;;) {
        kernel(CALL_EXIT, code, 0, 0);
    }
}

/* All bytes, or the program ends: with 0 where nothing more comes in. */
static void transfer(uint32_t call, uint32_t file, void *at, size_t size)
{
    uint32_t next = (uint32_t)(uintptr_t)at;
    while (size > 0) {
        int32_t done = kernel(call, file, next, (uint32_t)size);
        if (done <= 0) {
            leave(done == 0 && call == CALL_READ ? 0 : EXIT_BAD);
        }
        next += (uint32_t)done;
        size -= (size_t)done;
    }
}

static void run(const batch *b)
{
    called function = (called)(uintptr_t)b->function;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t *from = records + i * b->words, given[ARGUMENTS];
        for (uint32_t k = 0; k < b->words; k++) {
            record[k] = from[k];
        }
        for (int k = 0; k < ARGUMENTS; k++) {
            uint32_t *word = record + b->offset[k];
            given[k] = b->pointers >> k & 1 ? (uint32_t)(uintptr_t)word : *word;
        }
        record[b->words - 1] = function(given[0], given[1], given[2], given[3], given[4], given[5]);
        for (uint32_t k = 0; k < b->words; k++) {
            from[k] = record[k];
        }
    }
}

void _start(void)
{
    batch b;
    for (;;) {
        transfer(CALL_READ, 0, &b, sizeof b);
        if (b.words == 0 || b.words > WORDS_MOST || b.count > WORDS / b.words) {
            leave(EXIT_BAD);
        }
        transfer(CALL_READ, 0, records, (size_t)b.count * b.words * sizeof records[0]);
        run(&b);
        transfer(CALL_WRITE, 1, records, (size_t)b.count * b.words * sizeof records[0]);
    }
}
