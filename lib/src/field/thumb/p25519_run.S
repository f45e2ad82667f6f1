/* void ecfit_p25519_run(mp_word *reg, const uint16_t *code)
 * A formula modulo 2^255 - 19, as field/op.h has it, on registers of 8 words: products below
 * 2^255 + 2^231, sums below 2^255 + 2^6, differences of any value. No small products: the step of
 * X25519 has a function of its own.   in: registers of any value
 * CT: register contents   Clobbers: r0-r3, r12, flags   Stack: 188 bytes, 200 with armv7m
 * Cost: 14486 (cortex-m0plus, n = 0), 14607 (cortex-m0, n = 0), 10412 (cortex-m3, n = 0)
 * n = 0 stands for the addition of Edwards curves.
 */
    .macro run_begin
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r10
    mov     r6, r11
    push    {r4-r6}
    push    {r0, r1}
    b       3f
1:
    .endm

    .macro run_next
3:
    ldr     r4, [sp, #4]
    ldrh    r3, [r4]
    adds    r4, r4, #2
    str     r4, [sp, #4]
    ldr     r4, [sp]
    movs    r5, #15                 /* of a register's number, times its bytes */
    lsls    r5, r5, #5
    lsrs    r0, r3, #3
    ands    r0, r5
    adds    r0, r0, r4
    lsls    r1, r3, #1
    ands    r1, r5
    adds    r1, r1, r4
    lsls    r2, r3, #5
    ands    r2, r5
    adds    r2, r2, r4
    lsrs    r3, r3, #12
    bne     1b
    .endm

    .macro run_end
    add     sp, #8
    pop     {r4-r6}
    mov     r8, r4
    mov     r10, r5
    mov     r11, r6
    pop     {r4-r7, pc}
    .endm

    function ecfit_p25519_run
    run_begin
    cmp     r3, #2
    beq     2f
    bl      ecfit_p25519_add
    b       3f
2:
    bl      ecfit_p25519_sub
    run_next
    cmp     r1, r2
    beq     4f
    bl      ecfit_p25519_mul
    b       3b
4:
    cmp     r0, r4                  /* the square of register 0 to itself: the end */
    bne     6f
    cmp     r1, r4
    beq     7f
6:
    bl      ecfit_p25519_sqr
    b       3b
7:
    run_end
    endfunction ecfit_p25519_run
