/* bench_main.c - the harness: what the host finds in an image.
 *
 * bench_arena   input of an operation at offset 0, output at BENCH_OUT or, where the input
 *               is longer, behind it
 * bench_pool    random bytes for bench_random(), bench_pool_used of them already handed out
 * bench_heap    of what bench_calloc() has given out: bytes now and at most, and the bytes
 *               of RAM taken for it from image_stack_limit up; only in images that use it.
 *               The host clears it before each call
 * bench_return  the return address of a call: stop number 1 ends it; number 3 is the end of a
 *               library that has no memory left (bench_out_of_memory)
 *
 * After reset the host sees stop number 0, then writes the input,
 * calls bench_<op>(out, in) and reads the result. The build defines BENCH_OPS, the operations
 * of this image: "bench_ecdh, bench_sign". */
#include "bench_op.h"
#include "bench_stop.h" /* of the architecture */

#define BENCH_OUT 256
#define BENCH_POOL 512
#ifdef BENCH_S /* ML-DSA: a signature is written behind key and message */
#define BENCH_ARENA (BENCH_N + 32 + BENCH_S)
#elif defined(BENCH_P) /* a KEM: its keygen writes both keys, which no other operation exceeds */
#define BENCH_ARENA (BENCH_OUT + BENCH_N + BENCH_P)
#else
#define BENCH_ARENA (2 * BENCH_OUT)
#endif

uint8_t bench_arena[BENCH_ARENA] __attribute__((aligned(8)));
uint8_t bench_pool[BENCH_POOL] __attribute__((aligned(8)));
uint32_t bench_pool_used;

void bench_main(void);
void bench_return(void);

/* Roots for the linker: it keeps these, and drops each operation that nobody names. */
typedef int (*bench_op)(uint8_t *, const uint8_t *);
__attribute__((section(".bench.root"), used)) const bench_op bench_roots[] = {BENCH_OPS};
__attribute__((section(".bench.root"), used))
const void *const bench_buffers[] = {bench_arena, bench_pool, &bench_pool_used};

__attribute__((naked, used, section(".bench.root.code"))) void bench_return(void)
{
    BENCH_STOP(1);
}

__attribute__((naked)) void bench_main(void)
{
    BENCH_STOP(0);
}

void bench_public(const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}

int bench_random(uint8_t *out, size_t size)
{
    if (size > BENCH_POOL - bench_pool_used)
        return -1;
    const uint8_t *next = bench_pool + bench_pool_used;
    bench_pool_used += (uint32_t)size;
    while (size-- > 0)
        *out++ = *next++;
    return 0;
}

/* The heap: blocks one behind the other, first fit. It grows towards the stack and leaves a margin
 * below what the stack takes at that moment; the host checks that the two have not met. */
#define HEAP_MARGIN 256

struct block {
    uint32_t size; /* of what follows, a multiple of 8 */
    uint32_t used;
};

struct {
    uint32_t now;
    uint32_t most;
    uint32_t extent;
} bench_heap;

extern uint8_t image_stack_limit[]; /* from the linker script */

void bench_out_of_memory(int code)
{
    (void)code;
    BENCH_STOP(3); /* 2 is an exception */
    for (;;) {
    }
}

static struct block *behind(struct block *block)
{
    return (struct block *)((uint8_t *)(block + 1) + block->size);
}

/* A free block of at least `size` bytes, joined with the free ones behind it, or NULL. */
static struct block *first_fit(struct block *block, const struct block *end, uint32_t size)
{
    for (; block < end; block = behind(block)) {
        if (block->used)
            continue;
        for (struct block *next = behind(block); next < end && !next->used; next = behind(block))
            block->size += (uint32_t)sizeof *next + next->size;
        if (block->size >= size)
            return block;
    }
    return NULL;
}

/* Gives the rest of a block back, where one fits into it. */
static void split(struct block *block, uint32_t size)
{
    if (block->size < size + 2 * sizeof *block)
        return;
    struct block *rest = (struct block *)((uint8_t *)(block + 1) + size);
    rest->size = block->size - size - (uint32_t)sizeof *block;
    rest->used = 0;
    block->size = size;
}

void *bench_calloc(size_t count, size_t size)
{
    struct block *start = (struct block *)(((uintptr_t)image_stack_limit + 7) & ~(uintptr_t)7);
    struct block *end = (struct block *)((uint8_t *)start + bench_heap.extent);
    const uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    if (size != 0 && count > 0x10000000 / size)
        return NULL;
    const uint32_t need = ((uint32_t)(count * size) + 7) & ~(uint32_t)7;
    struct block *block = first_fit(start, end, need);
    if (block == NULL) {
        if ((uintptr_t)end + sizeof *end + need + HEAP_MARGIN > stack)
            return NULL;
        block = end;
        block->size = need;
        bench_heap.extent += (uint32_t)sizeof *block + need;
    }
    split(block, need);
    block->used = 1;
    bench_heap.now += block->size;
    if (bench_heap.now > bench_heap.most)
        bench_heap.most = bench_heap.now;
    uint32_t *word = (uint32_t *)(block + 1);
    for (uint32_t i = 0; i < block->size / 4; i++)
        word[i] = 0;
    return word;
}

void bench_free(void *block)
{
    if (block == NULL)
        return;
    struct block *mine = (struct block *)block - 1;
    mine->used = 0;
    bench_heap.now -= mine->size;
}
