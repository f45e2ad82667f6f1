/* mp/riscv.S - how every assembly function for RISC-V starts and ends
 *
 * A function keeps s0 to s11, gp, tp and the stack as the calling convention asks, the stack at a
 * multiple of 16, and reads nothing by an absolute address.
 * An inner function, for others of the backend alone, says itself what it keeps;
 * an entry is another way into one.
 */
    .macro inner name
    .section .text.\name, "ax", %progbits
    .balign 4
    .global \name
    .hidden \name
    .type   \name, %function
\name:
    .endm

    .macro function name
    .section .text.\name, "ax", %progbits
    .balign 4
    .global \name
    .hidden \name
    .type   \name, %function
\name:
    .endm

    .macro entry name
    .global \name
    .hidden \name
    .type   \name, %function
\name:
    .endm

    .macro endfunction name
    .size   \name, . - \name
    .endm
