/* mp/thumb.S - how every assembly function for Thumb starts and ends
 *
 * A function keeps r4 to r11 and the stack as the procedure call standard asks, and reads nothing
 * by an absolute address. Those of ARMv6-M do not touch r9 even for a while; the longer ones of
 * ARMv7-M save it.
 * An inner function, for others of the backend alone, says itself what it keeps; an entry is
 * another way into one.
 */
    .syntax unified
    .thumb

    .ifndef FUNCTION_ALIGN          /* bytes; 4 where wide instructions wait in between */
    .set    FUNCTION_ALIGN, 2
    .endif

    .macro inner name, align=FUNCTION_ALIGN
    .section .text.\name, "ax", %progbits
    .balign \align
    .global \name
    .hidden \name
    .type   \name, %function
    .thumb_func
\name:
    .endm

    .macro entry name
    .global \name
    .hidden \name
    .type   \name, %function
    .thumb_func
\name:
    .endm

    .macro function name, align=FUNCTION_ALIGN
    .section .text.\name, "ax", %progbits
    .balign \align
    .global \name
    .hidden \name
    .type   \name, %function
    .thumb_func
\name:
    .endm

    .macro endfunction name
    .size   \name, . - \name
    .endm
