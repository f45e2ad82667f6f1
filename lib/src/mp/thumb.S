/* mp/thumb.S - how every assembly function for Thumb starts and ends
 *
 * A function keeps r4 to r11 and the stack as the procedure call standard asks,
 * does not touch r9 even for a while, and reads nothing by an absolute address.
 * An inner function, for others of the backend alone, says itself what it keeps.
 */
    .syntax unified
    .thumb

    .macro inner name
    .section .text.\name, "ax", %progbits
    .balign 2
    .global \name
    .hidden \name
    .type   \name, %function
    .thumb_func
\name:
    .endm

    .macro function name, align=2
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
