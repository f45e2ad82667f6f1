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

void *bench_calloc(size_t count, size_t size)
{
    return calloc(count, size);
}

void bench_free(void *block)
{
    free(block);
}

typedef int (*bench_op)(uint8_t *, const uint8_t *);
const bench_op bench_roots[] = {BENCH_OPS};

/* Runs an operation `repeats` times, each with the whole pool before it. Writes the wall-clock time of the batch in
 * nanoseconds; returns the status of the first run that failed, or 0. */
int bench_batch(bench_op op, uint8_t *out, const uint8_t *in, const uint8_t *bytes, size_t size, unsigned repeats,
                uint64_t *nanoseconds)
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
    *nanoseconds = (uint64_t)((int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + (end.tv_nsec - start.tv_nsec));
    return status;
}
