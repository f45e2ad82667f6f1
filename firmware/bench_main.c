/* bench_main.c - the harness: what the host finds in an image.
 *
 * bench_arena   input of an operation at offset 0, output at BENCH_OUT
 * bench_pool    random bytes for bench_random(), bench_pool_used of them already handed out
 * bench_return  the return address of a call: stop number 1 ends it
 *
 * After reset the host sees stop number 0, then writes the input, calls bench_<op>(out, in) and reads the result. The build
 * defines BENCH_OPS, the operations of this image: "bench_ecdh, bench_sign". */
#include "bench_op.h"
#include "bench_stop.h" /* of the architecture */

#define BENCH_OUT 256
#define BENCH_POOL 512

uint8_t bench_arena[2 * BENCH_OUT] __attribute__((aligned(8)));
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
