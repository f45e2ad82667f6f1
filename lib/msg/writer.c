/* writer.c - bytes into a bounded buffer, and members in their order */
#include "writer.h"

void ecfit_msg_byte(writer *w, uint8_t byte)
{
    if (w->size < w->capacity) {
        w->out[w->size++] = byte;
    } else {
        w->full = 1;
    }
}

void ecfit_msg_bytes(writer *w, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size-- > 0) {
        ecfit_msg_byte(w, *from++);
    }
}

size_t ecfit_msg_length(const char *text)
{
    size_t size = 0;
    while (text[size] != 0) {
        size++;
    }
    return size;
}

void ecfit_msg_open(writer *w, size_t at, size_t size)
{
    if (w->full || size > w->capacity - w->size) {
        w->full = 1;
        return;
    }
    for (size_t i = w->size; i > at; i--) {
        w->out[i - 1 + size] = w->out[i - 1];
    }
    w->size += size;
}

void ecfit_msg_zero(void *bytes, size_t size)
{
    volatile uint8_t *to = bytes;
    while (size-- > 0) {
        *to++ = 0;
    }
}

const ecfit_msg_member *ecfit_msg_next(const ecfit_msg_member *members, size_t count,
                                       const ecfit_msg_member *last, member_order order)
{
    const ecfit_msg_member *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if ((last == NULL || order(&members[i], last) > 0) &&
            (found == NULL || order(&members[i], found) < 0)) {
            found = &members[i];
        }
    }
    return found;
}

/* Printable ASCII that needs no escape, so that bytes, characters and UTF-16 units are the same. */
static int name_ok(const char *name)
{
    if (name[0] == 'j' && name[1] == 's' && name[2] == 's' && name[3] == '.') {
        return 0;
    }
    for (size_t i = 0; name[i] != 0; i++) {
        if (name[i] < 0x20 || name[i] > 0x7e || name[i] == '"' || name[i] == '\\') {
            return 0;
        }
    }
    return name[0] != 0;
}

int ecfit_msg_members_ok(const ecfit_msg_member *members, size_t count, member_order order,
                         int named)
{
    for (size_t i = 0; i < count; i++) {
        const ecfit_msg_member *one = &members[i];
        if (one->name == NULL ? named : !name_ok(one->name)) {
            return 0;
        }
        if (one->value > ECFIT_MSG_VALUE_MAX || one->value < -ECFIT_MSG_VALUE_MAX) {
            return 0;
        }
        for (size_t j = 0; j < i; j++) {
            if (order(one, &members[j]) == 0) {
                return 0;
            }
        }
    }
    return count > 0;
}

ecfit_msg_status ecfit_msg_end(writer *w, size_t *size, ecfit_msg_status status)
{
    if (status == ECFIT_MSG_OK && w->full) {
        status = ECFIT_MSG_FULL;
    }
    *size = status == ECFIT_MSG_OK ? w->size : 0;
    if (status != ECFIT_MSG_OK) {
        ecfit_msg_zero(w->out, w->capacity);
    }
    return status;
}
