/* writer.h - bytes into a bounded buffer, for what writes messages */
#ifndef ECFIT_MSG_WRITER_H
#define ECFIT_MSG_WRITER_H

#include "ecfit_msg.h"

/* What is written so far. Behind the end nothing is written, and `full` remembers it. */
typedef struct writer {
    uint8_t *out;
    size_t capacity;
    size_t size;
    int full;
} writer;

void ecfit_msg_byte(writer *w, uint8_t byte);
void ecfit_msg_bytes(writer *w, const void *bytes, size_t size);

/* Of a text that ends with 0. */
size_t ecfit_msg_length(const char *text);

/* A gap of `size` bytes at `at`: what stands behind it moves up. */
void ecfit_msg_open(writer *w, size_t at, size_t size);

/* `size` bytes of 0; the volatile write stays, for what is secret. */
void ecfit_msg_zero(void *bytes, size_t size);

/* The order in which members are written: below 0 where a stands before b, 0 for the same key. */
typedef int (*member_order)(const ecfit_msg_member *a, const ecfit_msg_member *b);

/* The member behind `last` in that order, the first for NULL; NULL behind the last one. */
const ecfit_msg_member *ecfit_msg_next(const ecfit_msg_member *members, size_t count,
                                       const ecfit_msg_member *last, member_order order);

/* Whether names, labels and values can be written, each key once; `named`: every member
 * must have a name. */
int ecfit_msg_members_ok(const ecfit_msg_member *members, size_t count, member_order order,
                         int named);

/* How writing ended: `status`, or that it was full. Sets *size, and clears all where it failed. */
ecfit_msg_status ecfit_msg_end(writer *w, size_t *size, ecfit_msg_status status);

#endif
