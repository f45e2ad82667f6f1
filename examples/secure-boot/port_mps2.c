/* port_mps2.c - an MPS2 board as QEMU emulates it: says in a line over the UART what happens,
 * and ends the emulator by semihosting, which a board without a debugger has not. */
#include "board.h"
#include "port.h"

#define SYS_EXIT_EXTENDED 0x20u /* Arm, Semihosting for AArch32 and AArch64 */
#define STOPPED_APPLICATION_EXIT 0x20026u

static void say(const char *text)
{
    while (*text != 0)
        board_put((uint8_t)*text++);
}

static void say_number(uint32_t number)
{
    if (number >= 10)
        say_number(number / 10);
    board_put((uint8_t)('0' + number % 10));
}

__attribute__((noreturn)) static void leave(uint32_t code)
{
    const uint32_t block[2] = {STOPPED_APPLICATION_EXIT, code};
    register uint32_t r0 __asm__("r0") = SYS_EXIT_EXTENDED;
    register const uint32_t *r1 __asm__("r1") = block;
    for (;;)
        __asm__ volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void port_start(void)
{
    board_clocks();
    board_start();
}

void port_refuse(uint32_t reason)
{
    say("boot: refused, reason ");
    say_number(reason);
    say("\n");
    leave(reason);
}

void port_runs(uint32_t version)
{
    board_start();
    say("application ");
    say_number(version >> 24);
    say(".");
    say_number(version >> 16 & 0xff);
    say(".");
    say_number(version & 0xffff);
    say(" runs\n");
    leave(0);
}
