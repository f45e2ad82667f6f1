/* port_linux.c - the client as a program: reads what it is given from standard input, connects to
 * a server on loopback, writes what became of it to standard output.
 *
 * in:   port (4 bytes), milliseconds to wait (4), the time (8), seed (8), then a port_given
 * out:  a port_result, then nanoseconds from connect to the end of the handshake, most bytes of
 *       heap at one time, bytes sent, bytes received, most resident memory: 8 bytes each
 *
 * The time is what it is given: certificates are judged by it. Random bytes are the kernel's. */
#define _GNU_SOURCE
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "port.h"

static struct port_given given; /* its stack_size is the kernel's affair */
static struct {
    uint32_t port, wait_ms;
    int64_t time;
    uint64_t seed;
} orders;
static struct {
    uint64_t handshake_ns, heap, sent, received, rss;
} seen;
static int connection = -1;
static uint64_t began;
static uint64_t heap_now;

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const struct port_given *port_given(void)
{
    return &given;
}

static int connected(void)
{
    const struct timeval wait = {orders.wait_ms / 1000, orders.wait_ms % 1000 * 1000};
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)orders.port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int yes = 1;
    connection = socket(AF_INET, SOCK_STREAM, 0);
    return connection >= 0 &&
           setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0 &&
           setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0 &&
           connect(connection, (const struct sockaddr *)&address, sizeof address) == 0;
}

void port_leave(void)
{
    close(connection);
    connection = -1;
    seen.sent = seen.received = 0;
}

int port_send(const uint8_t *bytes, size_t size)
{
    if (connection < 0 && !connected())
        return PORT_GONE;
    const ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);
    if (sent < 0)
        return PORT_GONE;
    seen.sent += (uint64_t)sent;
    return (int)sent;
}

int port_receive(uint8_t *bytes, size_t size)
{
    const ssize_t got = recv(connection, bytes, size, 0);
    if (got < 0)
        return PORT_LATE;
    seen.received += (uint64_t)got;
    return (int)got;
}

int port_random(uint8_t *out, size_t size)
{
    return getrandom(out, size, 0) == (ssize_t)size ? 0 : -1;
}

int64_t port_time(void)
{
    return orders.time;
}

void port_mark(enum port_stage stage)
{
    if (stage == STAGE_READY) {
        began = nanoseconds();
        if (!connected() && connection >= 0)
            shutdown(connection, SHUT_RDWR); /* which the first byte will notice */
    }
    if (stage == STAGE_CONNECTED)
        seen.handshake_ns = nanoseconds() - began;
}

void *port_calloc(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (block != NULL)
        heap_now += malloc_usable_size(block);
    if (heap_now > seen.heap)
        seen.heap = heap_now;
    return block;
}

void port_free(void *block)
{
    if (block != NULL)
        heap_now -= malloc_usable_size(block);
    free(block);
}

/* The most resident memory that this program had, in bytes; 0 where the kernel does not say.
 * (getrusage would count the process that started it.) */
static uint64_t peak_resident(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[128];
    unsigned long kilobytes = 0;
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtoul(line + 6, NULL, 10);
    }
    if (status != NULL)
        fclose(status);
    return 1024u * (uint64_t)kilobytes;
}

int main(void)
{
    struct port_result result;
    if (fread(&orders, sizeof orders, 1, stdin) != 1 || fread(&given, sizeof given, 1, stdin) != 1)
        return 2;
    client(&result);
    if (connection >= 0)
        close(connection);
    seen.rss = peak_resident();
    return fwrite(&result, sizeof result, 1, stdout) == 1 &&
                   fwrite(&seen, sizeof seen, 1, stdout) == 1
               ? 0
               : 3;
}
