/* kernels.S - loops over one class of instructions each:
 * void kernel(uint32_t count, void *data, const void *flash), count >= 1.
 *
 * r0 = passes left, r1 = data (1 KiB), r6 = a table in flash, r2..r7 free inside. A pass is
 * `per_pass` instructions and the loop's own two, which the kernel `empty` times alone. Everything
 * between start and end is position-independent. */
    .syntax unified
    .thumb

#if defined(__ARM_ARCH_6M__)
#define MAIN 0 /* ARMv6-M: 16-bit instructions only */
#else
#define MAIN 1
#endif
#if defined(__ARM_FEATURE_DSP)
#define DSP 1
#else
#define DSP 0
#endif

/* Begins a kernel and its line of the table. Ends with AGAIN. */
.macro KERNEL name, per_pass, writes=0
    .section .rodata.kernel_names, "aMS", %progbits, 1
.Lname_\name:
    .asciz "\name"
    .section .rodata.kernels, "a"
    .balign 4
    .word .Lname_\name, kernel_\name, .Lend_\name, \per_pass, \writes
    .section .text.kernels, "ax"
    .balign 16
    .global kernel_\name
    .type kernel_\name, %function
    .thumb_func
kernel_\name:
    push    {r4-r7, lr}
    mov     r6, r2
    ldr     r2, =0x12345678
    ldr     r3, =0x89ABCDEF
    movs    r4, #3
.endm

.macro AGAIN name
    subs    r0, #1
    bne     1b
    pop     {r4-r7, pc}
    .ltorg
    .balign 4
.Lend_\name:
    .size kernel_\name, . - kernel_\name
.endm

    .section .rodata.kernels, "a"
    .balign 4
    .global kernels
kernels:

    KERNEL empty, 0
    .balign 16
1:
    AGAIN empty

    KERNEL alu, 64
    .balign 16
1:
    .rept 64
    adds    r2, r2, r3
    .endr
    AGAIN alu

    KERNEL multiply, 64
    .balign 16
1:
    .rept 64
    muls    r2, r3, r2
    .endr
    AGAIN multiply

    KERNEL load, 64
    .balign 16
1:
    .rept 64
    ldr     r2, [r1]
    .endr
    AGAIN load

    KERNEL load_then_use, 64
    .balign 16
1:
    .rept 32
    ldr     r2, [r1]
    adds    r5, r2, #1
    .endr
    AGAIN load_then_use

    /* In a bank of RAM with latency each of these loads waits, and of `load` only the first. */
    KERNEL load_apart, 48
    .balign 16
1:
    .rept 16
    ldr     r5, [r1]
    eors    r2, r3
    eors    r2, r3
    .endr
    AGAIN load_apart

    KERNEL load_byte, 64
    .balign 16
1:
    .rept 64
    ldrb    r2, [r1]
    .endr
    AGAIN load_byte

    KERNEL load_literal, 64
    .balign 16
1:
    .rept 64
    ldr     r5, 2f
    .endr
    subs    r0, #1
    bne     1b
    pop     {r4-r7, pc}
    .balign 4
2:  .word   0x5A5A5A5A
    .ltorg
    .balign 4
.Lend_load_literal:
    .size kernel_load_literal, . - kernel_load_literal

    KERNEL store, 64, 1
    .balign 16
1:
    .rept 64
    str     r2, [r1]
    .endr
    AGAIN store

    KERNEL load_multiple_4, 32
    .balign 16
1:
    .rept 32
    ldmia   r1!, {r4-r7}
    .endr
    subs    r1, #255
    subs    r1, #255
    subs    r1, #2
    AGAIN load_multiple_4

    KERNEL store_multiple_4, 32, 1
    .balign 16
1:
    .rept 32
    stmia   r1!, {r4-r7}
    .endr
    subs    r1, #255
    subs    r1, #255
    subs    r1, #2
    AGAIN store_multiple_4

    KERNEL push_pop_4, 32
    .balign 16
1:
    .rept 16
    push    {r4-r7}
    pop     {r4-r7}
    .endr
    AGAIN push_pop_4

    KERNEL branch_taken, 64
    .balign 16
1:
    .rept 64
    b       2f
2:
    .endr
    AGAIN branch_taken

    KERNEL branch_not_taken, 64
    .balign 16
1:
    cmp     r0, r0
    .rept 63
    bne     2f
    .endr
2:
    AGAIN branch_not_taken

    KERNEL call_return, 64
    .balign 16
1:
    .rept 32
    bl      2f
    .endr
    subs    r0, #1
    bne     1b
    pop     {r4-r7, pc}
    .balign 4
2:
    bx      lr
    .ltorg
    .balign 4
.Lend_call_return:
    .size kernel_call_return, . - kernel_call_return

#if MAIN
    KERNEL alu_wide, 48
    .balign 16
1:
    .rept 48
    add.w   r2, r2, r3
    .endr
    AGAIN alu_wide

    KERNEL alu_wide_odd, 49
    .balign 16
1:
    adds    r2, r2, r3
    .rept 48
    add.w   r2, r2, r3
    .endr
    AGAIN alu_wide_odd

    KERNEL multiply_add, 48
    .balign 16
1:
    .rept 48
    mla     r2, r3, r4, r2
    .endr
    AGAIN multiply_add

    KERNEL long_multiply_large, 48
    .balign 16
1:
    .rept 48
    umull   r5, r6, r2, r3
    .endr
    AGAIN long_multiply_large

    KERNEL long_multiply_small, 48
    .balign 16
1:
    .rept 48
    umull   r5, r6, r4, r4
    .endr
    AGAIN long_multiply_small

    KERNEL long_multiply_add_large, 48
    .balign 16
1:
    .rept 48
    umlal   r5, r6, r2, r3
    .endr
    AGAIN long_multiply_add_large

    KERNEL divide_large, 16
    .balign 16
1:
    .rept 16
    udiv    r5, r3, r4
    .endr
    AGAIN divide_large

    KERNEL divide_small, 16
    .balign 16
1:
    .rept 16
    udiv    r5, r4, r3
    .endr
    AGAIN divide_small

    KERNEL load_double, 48
    .balign 16
1:
    .rept 48
    ldrd    r5, r6, [r1]
    .endr
    AGAIN load_double

    KERNEL store_double, 48, 1
    .balign 16
1:
    .rept 48
    strd    r5, r6, [r1]
    .endr
    AGAIN store_double

    KERNEL load_then_store, 64, 1
    .balign 16
1:
    .rept 32
    ldr     r5, [r1]
    str     r2, [r1, #4]
    .endr
    AGAIN load_then_store

    /* The questions that the cycle models leave open (docs/cycle-model.md), each with the plain
     * case beside it. */
    KERNEL load_multiple_then_odd, 48
    .balign 16
1:
    .rept 8
    nop
    ldmia.w r1, {r4-r7}
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    nop
    .endr
    AGAIN load_multiple_then_odd

    KERNEL load_multiple_then_even, 48
    .balign 16
1:
    .rept 8
    ldmia.w r1, {r4-r7}
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    nop
    nop
    .endr
    AGAIN load_multiple_then_even

    KERNEL multiply_then_shift, 48
    .balign 16
1:
    .rept 24
    mul     r5, r2, r3
    add.w   r6, r4, r5, lsl #2
    .endr
    AGAIN multiply_then_shift

    KERNEL store_multiple_then_load, 64, 1
    .balign 16
1:
    .rept 32
    stmia   r1!, {r4, r5}
    ldr     r6, [r1]
    .endr
    subs    r1, #255
    subs    r1, #1
    AGAIN store_multiple_then_load

    KERNEL store_then_odd, 48, 1
    .balign 16
1:
    .rept 8
    nop
    str.w   r2, [r1]
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    nop
    .endr
    AGAIN store_then_odd

    KERNEL store_then_even, 48, 1
    .balign 16
1:
    .rept 8
    str.w   r2, [r1]
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    nop
    nop
    .endr
    AGAIN store_then_even

    KERNEL load_wide_odd, 48
    .balign 16
1:
    nop
    .rept 46
    ldr.w   r5, [r1]
    .endr
    nop
    AGAIN load_wide_odd

    KERNEL load_wide_even, 48
    .balign 16
1:
    .rept 46
    ldr.w   r5, [r1]
    .endr
    nop
    nop
    AGAIN load_wide_even

    KERNEL branch_not_taken_wide, 48
    .balign 16
1:
    .rept 12
    cmp.w   r4, r4
    bne.w   2f
    add.w   r2, r2, r3
    add.w   r2, r2, r3
    .endr
2:
    AGAIN branch_not_taken_wide

    KERNEL branch_not_taken_narrow, 48
    .balign 16
1:
    .rept 12
    cmp     r4, r4
    bne.w   2f
    adds    r2, r2, r3
    adds    r2, r2, r3
    .endr
2:
    AGAIN branch_not_taken_narrow

    KERNEL store_back_then_store, 48, 1
    .balign 16
1:
    .rept 24
    str     r2, [r1], #4
    str     r2, [r1, #4]
    .endr
    subs    r1, #96
    AGAIN store_back_then_store

    KERNEL store_then_store, 48, 1
    .balign 16
1:
    .rept 24
    str.w   r2, [r1]
    str     r2, [r1, #4]
    .endr
    subs    r5, r1, #0
    AGAIN store_then_store

    KERNEL load_flash_then_ram, 48
    .balign 16
1:
    .rept 24
    ldr     r5, [r6]
    ldr     r7, [r1]
    .endr
    AGAIN load_flash_then_ram

    KERNEL it_block, 64
    .balign 16
1:
    .rept 32
    it      eq
    moveq   r5, r4
    .endr
    AGAIN it_block
#endif

#if DSP
    KERNEL umaal, 48
    .balign 16
1:
    .rept 48
    umaal   r5, r6, r2, r3
    .endr
    AGAIN umaal

    KERNEL umaal_then_store, 48, 1
    .balign 16
1:
    .rept 24
    umaal   r5, r6, r2, r3
    str.w   r5, [r1]
    .endr
    AGAIN umaal_then_store

    KERNEL smlad_then_store, 48, 1
    .balign 16
1:
    .rept 24
    smlad   r5, r2, r3, r4
    str.w   r5, [r1]
    .endr
    AGAIN smlad_then_store

    KERNEL smlad_then_shift, 48
    .balign 16
1:
    .rept 24
    smlad   r5, r2, r3, r4
    add.w   r6, r4, r5, lsl #2
    .endr
    AGAIN smlad_then_shift
#endif

    .section .rodata.kernels, "a"
    .balign 4
    .global kernels_end
kernels_end:
