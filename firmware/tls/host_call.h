/* host_call.h - how code on the simulator asks the host for something: BKPT #3, the question and
 * its arguments in the registers of a call, the answer in the first of them (sim/ecsim.h). */
#ifndef HOST_CALL_H
#define HOST_CALL_H

#include <stddef.h>
#include <stdint.h>

enum host_question {
    HOST_SEND = 1, /* bytes, size: how many were sent; -1: the connection is gone */
    HOST_RECEIVE,  /* buffer, size: how many came; 0: closed, -1: gone, -2: none came in time */
    HOST_RANDOM,   /* buffer, size: 0 when it was filled */
    HOST_TIME,     /* buffer, 8: milliseconds since 1970, little-endian; 0 */
    HOST_MARK,     /* NULL, number: the run has come so far */
    HOST_LEAVE,    /* NULL, 0: what comes next is of a new connection */
};

static inline int32_t host_call(enum host_question question, const void *bytes, size_t size)
{
#if defined(__riscv)
    register uintptr_t first __asm__("a0") = question;
    register uintptr_t second __asm__("a1") = (uintptr_t)bytes;
    register uintptr_t third __asm__("a2") = size;
    __asm__ volatile("ebreak\n\tsrai zero, zero, 3"
                     : "+r"(first)
                     : "r"(second), "r"(third)
                     : "memory");
#else
    register uintptr_t first __asm__("r0") = question;
    register uintptr_t second __asm__("r1") = (uintptr_t)bytes;
    register uintptr_t third __asm__("r2") = size;
    __asm__ volatile("bkpt #3" : "+r"(first) : "r"(second), "r"(third) : "memory");
#endif
    return (int32_t)first;
}

#endif
