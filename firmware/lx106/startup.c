/* startup.c - reset of an image for the core LX106 in QEMU, and the loop that does what the host
 * has put at image_orders: a number of orders, then each of them with its input and its random
 * bytes, both filled up to words. For each order the host gets a struct answer and the output, on
 * the standard output of QEMU. The program ends behind the last order, or behind the first that
 * does not return.
 *
 * Nothing here calls the C library, so that an empty image holds none of it and whatever an image
 * links of it is charged to the library under test. */
#include "bench_op.h"
#include "bench_stop.h"

#define BENCH_POOL 512 /* bench_main.c */
#define PAINT 0xa5a5a5a5u

enum { EXIT = 1, WRITE = 4 }; /* calls of the host */
enum { RETURNED = 1, TRAP = 2, LIMIT = 4 };

typedef int (*bench_op)(uint8_t *, const uint8_t *);

/* What to do: `prepare`, if it is not 0, is called before `op`, with `in` or without. The output
 * is expected at `out`; `limit`, of each call, is in ticks of CCOUNT. */
struct order {
    bench_op prepare;
    uint32_t prepare_has_input;
    uint32_t refusable; /* prepare may refuse its input */
    bench_op op;
    uint8_t *out;
    uint32_t out_size;
    uint32_t limit;
    uint32_t in_size;
    uint32_t pool_size;
};

/* How it went: the number of the stop, the result, instructions of the operation, the lowest
 * address of the stack that was written, the heap (bench_main.c); what the core says of an
 * exception. */
static struct {
    uint32_t stop;
    uint32_t result;
    uint32_t instructions;
    uint32_t stack_low;
    uint32_t heap_most;
    uint32_t heap_extent;
    uint32_t pc;
    uint32_t cause;
    uint32_t address;
} answer;

extern uint32_t image_orders[]; /* from the linker script */
extern uint32_t image_data_source[];
extern uint32_t image_data_start[];
extern uint32_t image_data_end[];
extern uint32_t image_bench_source[];
extern uint32_t image_bench_start[];
extern uint32_t image_bench_end[];
extern uint32_t image_bss_start[];
extern uint32_t image_bss_end[];
extern uint32_t image_stack_limit[];
extern uint32_t image_stack_top[];
extern uint8_t bench_arena[];
extern uint8_t bench_pool[];
extern uint32_t bench_pool_used;
extern struct {
    uint32_t now;
    uint32_t most;
    uint32_t extent;
} bench_heap;

void bench_start(void);
void bench_trapped(uint32_t cause, uint32_t pc, uint32_t address);
int bench_timed(bench_op op, uint8_t *out, const uint8_t *in, uint32_t *stack, uint32_t limit,
                uint32_t *instructions);

/* Reset. The vectors lead to bench_trap, which takes the stack of the harness. */
__asm__(".pushsection .reset, \"ax\"\n"
        "bench_reset:\n\t"
        "j 1f\n\t"
        ".align 4\n"
        "2: .word image_harness_top\n"
        "3: .word bench_start\n"
        "1: movi a2, 0x20\n\t" /* interrupts and exceptions allowed, in the user's vector */
        "wsr a2, ps\n\t"
        "rsync\n\t"
        "l32r a1, 2b\n\t"
        "l32r a2, 3b\n\t"
        "jx a2\n\t"
        ".popsection\n\t"
        ".global bench_reset\n\t"
        ".pushsection .vectors, \"ax\"\n"
        "4: .word image_harness_top\n"
        "5: .word bench_trapped\n\t"
        ".org 0x20\n\t"
        "j 6f\n\t"
        ".org 0x30\n\t"
        "j 6f\n\t"
        ".org 0x50\n\t"
        "j 6f\n\t"
        ".org 0x70\n\t"
        "j 6f\n"
        ".org 0x80\n"
        "6: l32r a1, 4b\n\t"
        "l32r a0, 5b\n\t"
        "rsr a2, exccause\n\t"
        "rsr a3, epc1\n\t"
        "rsr a4, excvaddr\n\t"
        "jx a0\n\t"
        ".popsection");

/* Calls an operation on that stack, and counts its instructions, from its first one to its return.
 *
 * CCOUNT runs at 40 MHz and the emulated core at 1 GHz: it is the number of instructions since
 * reset over 25, rounded down. So the sum of 25 readings, one every two instructions, is that
 * number plus a constant, because their remainders are all different (Hermite's identity). */
__asm__(".pushsection .bench.timed, \"ax\"\n\t"
        ".align 4\n\t"
        ".global bench_timed\n\t"
        ".type bench_timed, @function\n"
        "bench_timed:\n\t"
        "addi sp, sp, -32\n\t"
        "s32i a0, sp, 0\n\t"
        "s32i a12, sp, 4\n\t"
        "s32i a13, sp, 8\n\t"
        "s32i a14, sp, 12\n\t"
        "s32i a15, sp, 16\n\t"
        "mov a12, sp\n\t"
        "mov a13, a7\n\t"
        "mov a0, a2\n\t"
        "mov a2, a3\n\t"
        "mov a3, a4\n\t"
        "mov sp, a5\n\t"
        "rsr a4, ccount\n\t"
        "add a4, a4, a6\n\t"
        "wsr a4, ccompare0\n\t"
        "rsync\n\t"
        "movi a4, 1 << 6\n\t" /* the timer's interrupt */
        "wsr a4, intenable\n\t"
        "rsync\n\t"
        "movi a15, 0\n\t"
        ".rept 25\n\t"
        "rsr a4, ccount\n\t"
        "add a15, a15, a4\n\t"
        ".endr\n\t"
        "callx0 a0\n\t"
        "movi a4, 0\n\t"
        ".rept 25\n\t"
        "rsr a5, ccount\n\t"
        "add a4, a4, a5\n\t"
        ".endr\n\t"
        "sub a4, a4, a15\n\t"
        "addi a4, a4, -52\n\t" /* those of the first sum, callx0, movi */
        "s32i a4, a13, 0\n\t"
        "movi a4, 0\n\t"
        "wsr a4, intenable\n\t"
        "mov sp, a12\n\t"
        "l32i a0, sp, 0\n\t"
        "l32i a12, sp, 4\n\t"
        "l32i a13, sp, 8\n\t"
        "l32i a14, sp, 12\n\t"
        "l32i a15, sp, 16\n\t"
        "addi sp, sp, 32\n\t"
        "ret\n\t"
        ".size bench_timed, .-bench_timed\n\t"
        ".popsection");

static void host(uint32_t call, uint32_t one, const void *two, uint32_t three)
{
    register uint32_t a2 __asm__("a2") = call;
    register uint32_t a3 __asm__("a3") = one;
    register const void *a4 __asm__("a4") = two;
    register uint32_t a5 __asm__("a5") = three;
    __asm__ volatile("simcall" : "+r"(a2), "+r"(a3) : "r"(a4), "r"(a5) : "memory");
}

static void say(const struct order *order)
{
    const uintptr_t heap = ((uintptr_t)image_stack_limit + 7) & ~(uintptr_t)7; /* bench_main.c */
    const uint32_t *low = (const uint32_t *)(heap + bench_heap.extent);
    while (low < image_stack_top && *low == PAINT)
        low++;
    answer.stack_low = (uint32_t)low;
    answer.heap_most = bench_heap.most;
    answer.heap_extent = bench_heap.extent;
    host(WRITE, 1, &answer, sizeof answer);
    host(WRITE, 1, order->out, order->out_size);
}

static const struct order *current;

void bench_end(unsigned number)
{
    answer.stop = number;
    say(current);
    for (;;)
        host(EXIT, 0, NULL, 0);
}

void bench_trapped(uint32_t cause, uint32_t pc, uint32_t address)
{
    answer.pc = pc;
    answer.cause = cause;
    answer.address = address;
    bench_end(cause == 4 ? LIMIT : TRAP); /* 4: an interrupt; there is the timer's alone */
}

static const void *words(uint32_t *to, const uint32_t *from, const uint32_t *end)
{
    while (to < end)
        *to++ = *from++;
    return from;
}

/* Input and random bytes: the last ones of the pool, which may be few. */
static const struct order *hand_over(const struct order *order)
{
    const uint32_t used = BENCH_POOL - order->pool_size;
    const uint8_t *from = (const uint8_t *)(order + 1);
    for (uint32_t i = 0; i < order->in_size; i++)
        bench_arena[i] = from[i];
    from += (order->in_size + 3) & ~(uint32_t)3;
    for (uint32_t i = 0; i < order->pool_size; i++)
        bench_pool[used + i] = from[i];
    bench_pool_used = used;
    return (const struct order *)(from + ((order->pool_size + 3) & ~(uint32_t)3));
}

/* Everything as after reset: data, and RAM that nobody has written to. */
static void restart(void)
{
    uint32_t *word = image_bss_start;
    (void)words(image_data_start, image_data_source, image_data_end);
    while (word < image_bss_end)
        *word++ = 0;
    while (word < image_stack_top)
        *word++ = PAINT;
    bench_heap.now = bench_heap.most = bench_heap.extent = 0;
}

static void run(const struct order *order)
{
    if (order->prepare != NULL) {
        const uint8_t *in = order->prepare_has_input ? bench_arena : NULL;
        int (*prepare)(uint8_t *, const uint8_t *) = order->prepare;
        uint8_t *first = (uint8_t *)in; /* its one argument */
        answer.result = (uint32_t)bench_timed(prepare, first, in, image_stack_top, order->limit,
                                              &answer.instructions);
        if (answer.result != 0 && order->refusable)
            return;
        (void)hand_over(order);
    }
    answer.result = (uint32_t)bench_timed(order->op, order->out, bench_arena, image_stack_top,
                                          order->limit, &answer.instructions);
}

void bench_start(void)
{
    uint32_t left = image_orders[0];
    const struct order *next = (const struct order *)(image_orders + 1);
    (void)words(image_bench_start, image_bench_source, image_bench_end);
    while (left-- > 0) {
        current = next;
        restart();
        next = hand_over(current);
        run(current);
        answer.stop = RETURNED;
        say(current);
    }
    for (;;)
        host(EXIT, 0, NULL, 0);
}
