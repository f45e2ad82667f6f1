/* mp/avr.S - how every assembly function for AVR starts and ends
 *
 * A function keeps r2 to r17, r28 and r29, and leaves r1 zero, as the calling convention asks;
 * it reads nothing by an absolute address. Products are of secrets: MUL takes two cycles, whatever
 * it multiplies.
 * An inner function, for others of the backend alone, says itself what it keeps.
 */
    .macro inner name
    .section .text.\name, "ax", @progbits
    .global \name
    .hidden \name
    .type   \name, @function
\name:
    .endm

    .macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .hidden \name
    .type   \name, @function
\name:
    .endm

    .macro endfunction name
    .size   \name, . - \name
    .endm

/* a call of any distance; cores of at most 8 KiB of flash have RCALL alone, which reaches all */
    .macro xcall name
#if defined(__AVR_HAVE_JMP_CALL__)
    call    \name
#else
    rcall   \name
#endif
    .endm
