/* bench_host.c - the harness of a host build: the random pool, and a loop that times a batch. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_op.h"

static const uint8_t *pool;
static size_t pool_left;

int bench_random(uint8_t *out, size_t size)
{
    if (size > pool_left)
        return -1;
    memcpy(out, pool, size);
    pool += size;
    pool_left -= size;
    return 0;
}

void bench_public(const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}

/* Bytes that bench_calloc() has given out, now and at most, each block rounded up to 8 bytes
 * as on bare cores. */
struct {
    size_t now;
    size_t most;
} bench_heap;

/* The size of a block stands before it, in as many bytes as keep it aligned. */
#define HEAD 16

void *bench_calloc(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - 2 * HEAD) / size)
        return NULL;
    const size_t need = (count * size + 7) & ~(size_t)7;
    uint8_t *block = calloc(1, HEAD + need);
    if (block == NULL)
        return NULL;
    memcpy(block, &need, sizeof need);
    bench_heap.now += need;
    if (bench_heap.now > bench_heap.most)
        bench_heap.most = bench_heap.now;
    return block + HEAD;
}

void bench_free(void *block)
{
    if (block == NULL)
        return;
    uint8_t *whole = (uint8_t *)block - HEAD;
    size_t size;
    memcpy(&size, whole, sizeof size);
    bench_heap.now -= size;
    free(whole);
}

void bench_out_of_memory(int code)
{
    (void)code;
    abort();
}

typedef int (*bench_op)(uint8_t *, const uint8_t *);
const bench_op bench_roots[] = {BENCH_OPS};

/* What an adapter sets up once, before an operation: its status. */
int bench_set_up(int (*prepare)(const uint8_t *), const uint8_t *in, const uint8_t *bytes,
                 size_t size)
{
    pool = bytes;
    pool_left = size;
    return prepare(in);
}

/* Runs an operation `repeats` times, each with the whole pool before it. Writes the wall-clock time
 * of the batch in nanoseconds; returns the status of the first run that failed, or 0. */
int bench_batch(bench_op op, uint8_t *out, const uint8_t *in, const uint8_t *bytes, size_t size,
                unsigned repeats, uint64_t *nanoseconds)
{
    struct timespec start;
    struct timespec end;
    int status = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    for (unsigned i = 0; i < repeats && status == 0; i++) {
        pool = bytes;
        pool_left = size;
        status = op(out, in);
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    *nanoseconds = (uint64_t)((int64_t)(end.tv_sec - start.tv_sec) * 1000000000 +
                              (end.tv_nsec - start.tv_nsec));
    return status;
}
