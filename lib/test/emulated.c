/* emulated.c - calls assembly functions on operands that come in, on a user-mode emulator of Linux
 *
 * In: batches, each a header and `count` records of `words` words. Out: the records as the function
 * left them, in the last word of each what it returned. Ends where the input does.
 * A header of no words changes the code: `count` halves of words of `offset` at `function`.
 * It stands alone: no C library, no start-up.
 */
#include <stddef.h>
#include <stdint.h>

#define ARGUMENTS 6
#define WORDS (1 << 18)
#define WORDS_MOST (1 << 14) /* of a record */
#define EXIT_BAD 2
#define EXIT_NOT_KEPT 3  /* a function has lost a register of its caller */
#define INNER (1u << 31) /* of `pointers`: a function that may */

/* Argument i is the word at `offset[i]` of a record, or, where bit i of `pointers` is set,
 * the address of that word. */
typedef struct {
    uint32_t function, words, count, pointers, offset[ARGUMENTS];
} batch;

static uint32_t records[WORDS];
/* Where each of them is while the function works on it: a known address, for those that hold
 * one. */
static uint32_t record[WORDS_MOST] __attribute__((section(".bss.record")));

/* function(given[0], .. given[5]); *lost: not 0 where it has not kept a register that is its
 * caller's, which an inner function need not. */
uint32_t through(uint32_t function, const uint32_t given[ARGUMENTS], uint32_t *lost);

#if defined(__arm__)
__asm__(".syntax unified\n"
        ".thumb\n"
        ".section .text.through, \"ax\", %progbits\n"
        ".balign 4\n"
        ".global through\n"
        ".type through, %function\n"
        ".thumb_func\n"
        "through:\n"
        "    push {r4-r7, lr}\n"
        "    mov r4, r8\n"
        "    mov r5, r9\n"
        "    mov r6, r10\n"
        "    mov r7, r11\n"
        "    push {r2, r4-r7}\n"
        "    sub sp, #8\n"
        "    mov r12, r0\n"
        "    ldr r4, [r1, #16]\n"
        "    ldr r5, [r1, #20]\n"
        "    str r4, [sp, #0]\n"
        "    str r5, [sp, #4]\n"
        "    ldr r0, [r1, #0]\n"
        "    ldr r2, [r1, #8]\n"
        "    ldr r3, [r1, #12]\n"
        "    ldr r1, [r1, #4]\n"
        "    movs r4, #0xA8\n"
        "    mov r8, r4\n"
        "    movs r4, #0xA9\n"
        "    mov r9, r4\n"
        "    movs r4, #0xAA\n"
        "    mov r10, r4\n"
        "    movs r4, #0xAB\n"
        "    mov r11, r4\n"
        "    movs r4, #0xA4\n"
        "    movs r5, #0xA5\n"
        "    movs r6, #0xA6\n"
        "    movs r7, #0xA7\n"
        "    blx r12\n"
        "    movs r1, #0xA4\n"
        "    subs r4, r4, r1\n"
        "    adds r1, #1\n"
        "    subs r5, r5, r1\n"
        "    orrs r4, r5\n"
        "    adds r1, #1\n"
        "    subs r6, r6, r1\n"
        "    orrs r4, r6\n"
        "    adds r1, #1\n"
        "    subs r7, r7, r1\n"
        "    orrs r4, r7\n"
        "    adds r1, #1\n"
        "    mov r5, r8\n"
        "    subs r5, r5, r1\n"
        "    orrs r4, r5\n"
        "    adds r1, #1\n"
        "    mov r5, r9\n"
        "    subs r5, r5, r1\n"
        "    orrs r4, r5\n"
        "    adds r1, #1\n"
        "    mov r5, r10\n"
        "    subs r5, r5, r1\n"
        "    orrs r4, r5\n"
        "    adds r1, #1\n"
        "    mov r5, r11\n"
        "    subs r5, r5, r1\n"
        "    orrs r4, r5\n"
        "    add sp, #8\n"
        "    ldr r1, [sp]\n"
        "    str r4, [r1]\n"
        "    pop {r2, r4-r7}\n"
        "    mov r8, r4\n"
        "    mov r9, r5\n"
        "    mov r10, r6\n"
        "    mov r11, r7\n"
        "    pop {r4-r7, pc}\n"
        ".size through, . - through\n");

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
#define EACH(what) \
    what("s0", 0) what("s1", 1) what("s2", 2) what("s3", 3) what("s4", 4) what("s5", 5) \
        what("s6", 6) what("s7", 7) what("s8", 8) what("s9", 9) what("s10", 10) what("s11", 11)
#define SAVE(name, i) "    sw " name ", 16 + 4 * " #i "(sp)\n"
#define FILL(name, i) "    li " name ", 0xA0 + " #i "\n"
#define LOOK(name, i) "    addi " name ", " name ", -0xA0 - " #i "\n    or a1, a1, " name "\n"
#define LOAD(name, i) "    lw " name ", 16 + 4 * " #i "(sp)\n"
/* clang-format off */
__asm__(".section .text.through, \"ax\", %progbits\n"
        ".balign 4\n"
        ".global through\n"
        ".type through, %function\n"
        "through:\n"
        "    addi sp, sp, -80\n" /* words 0 to 2 are free for an inner function */
        EACH(SAVE)
        "    sw ra, 64(sp)\n"
        "    sw a2, 68(sp)\n"
        "    mv t0, a0\n"
        "    lw a0, 0(a1)\n"
        "    lw a2, 8(a1)\n"
        "    lw a3, 12(a1)\n"
        "    lw a4, 16(a1)\n"
        "    lw a5, 20(a1)\n"
        "    lw a1, 4(a1)\n"
        EACH(FILL)
        "    jalr t0\n"
        "    li a1, 0\n"
        EACH(LOOK)
        "    lw a2, 68(sp)\n"
        "    sw a1, 0(a2)\n"
        EACH(LOAD)
        "    lw ra, 64(sp)\n"
        "    addi sp, sp, 80\n"
        "    ret\n"
        ".size through, . - through\n");
/* clang-format on */

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

/* The emulator notices what is written where code is. */
static void patch(const batch *b)
{
    uint16_t *code = (uint16_t *)(uintptr_t)b->function;
    for (uint32_t i = 0; i < b->count && i < ARGUMENTS; i++) {
        code[i] = (uint16_t)b->offset[i];
    }
}

static void run(const batch *b)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t *from = records + i * b->words, given[ARGUMENTS];
        for (uint32_t k = 0; k < b->words; k++) {
            record[k] = from[k];
        }
        for (int k = 0; k < ARGUMENTS; k++) {
            uint32_t *word = record + b->offset[k];
            given[k] = b->pointers >> k & 1 ? (uint32_t)(uintptr_t)word : *word;
        }
        record[b->words - 1] = through(b->function, given, &lost);
        if (lost != 0 && !(b->pointers & INNER)) {
            leave(EXIT_NOT_KEPT);
        }
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
        if (b.words == 0) {
            patch(&b);
            continue;
        }
        if (b.words > WORDS_MOST || b.count > WORDS / b.words) {
            leave(EXIT_BAD);
        }
        transfer(CALL_READ, 0, records, (size_t)b.count * b.words * sizeof records[0]);
        run(&b);
        transfer(CALL_WRITE, 1, records, (size_t)b.count * b.words * sizeof records[0]);
    }
}
