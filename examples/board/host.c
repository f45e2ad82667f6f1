/* host.c - this machine: the system's generator, standard output, and as watchdog a timer that
 * ends the process (SIGPROF) when it has computed for 20 ms. */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>

void board_start(void) {}

int board_random(void *context, uint8_t *out, size_t size)
{
    (void)context;
    while (size > 0) {
        const ssize_t got = getrandom(out, size, 0);
        if (got <= 0)
            return -1;
        out += got;
        size -= (size_t)got;
    }
    return 0;
}

void board_say(const char *text)
{
    (void)fputs(text, stdout);
}

void board_watchdog_start(void)
{
    board_watchdog_feed();
}

void board_watchdog_feed(void)
{
    const struct itimerval limit = {.it_value = {.tv_usec = 20000}};
    (void)setitimer(ITIMER_PROF, &limit, NULL);
}

void board_end(int code)
{
    exit(fflush(stdout) == 0 ? code : 1);
}
