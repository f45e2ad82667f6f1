/* machines.c - vectors through the public interface, on a machine that can do no more than print
 *
 * machines_vectors.inc is made by tests/lib/test_machines.py: machines_run() calls check() for each
 * vector. Prints "FAIL name" for each that is wrong, and at the end "checked N, wrong M". */
#include "ecfit.h"

static void put(char c);

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static void put(char c)
{
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    UDR0 = (uint8_t)c;
}

static void end(void)
{
    cli(); /* asleep without interrupts: the simulator ends */
    sleep_enable();
    sleep_cpu();
}
#else
#include <stdio.h>

static void put(char c)
{
    putchar(c);
}

static void end(void) {}
#endif

static unsigned checked, wrong;

static void print(const char *text)
{
    while (*text) {
        put(*text++);
    }
}

static void print_number(unsigned value)
{
    if (value >= 10) {
        print_number(value / 10);
    }
    put((char)('0' + value % 10));
}

/* One vector: the status, and what stands in the output. */
static void check(const char *name, int status, int wanted_status, const uint8_t *found,
                  const uint8_t *wanted, size_t size)
{
    int differ = status != wanted_status;
    for (size_t i = 0; i < size; i++) {
        differ |= found[i] ^ wanted[i];
    }
    checked++;
    if (differ) {
        wrong++;
        print("FAIL ");
        print(name);
        put('\n');
    }
}

#include "machines_vectors.inc"

int main(void)
{
    machines_run();
    print("checked ");
    print_number(checked);
    print(", wrong ");
    print_number(wrong);
    put('\n');
    end();
    return wrong != 0;
}
