/* void ecfit_inv_reduce_15(int16_t *fg, const int32_t *t, size_t n)
 * (f, g) = T (f, g)/2^15, n > 1 pairs of limbs of 15 bits, T of 4 words: mod_inv_reduce of
 * field/inverse/rows.inc.   in: any values
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 32 bytes
 * Cost: 35 + 32 n (cortex-m0plus), 34 + 33 n (cortex-m0)
 *
 * u, v, q, r in r8, r10, r11, r12, what is carried in r6 and r7. The lowest limb, all zeros, is
 * shifted out.
 */
    .macro reduce_limb_15 at
    ldrh    r1, [r0, #\at]
    ldrh    r2, [r0, #\at + 2]
    sxth    r1, r1
    sxth    r2, r2
    mov     r3, r8
    muls    r3, r1, r3
    adds    r6, r6, r3
    mov     r3, r10
    muls    r3, r2, r3
    adds    r6, r6, r3
    mov     r3, r11
    muls    r1, r3, r1
    adds    r7, r7, r1
    mov     r3, r12
    muls    r2, r3, r2
    adds    r7, r7, r2
    .endm

    function ecfit_inv_reduce_15
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r10
    mov     r6, r11
    push    {r4-r6}
    lsls    r4, r2, #2
    adds    r4, r4, r0
    subs    r4, #4                  /* the highest limb */
    ldm     r1!, {r2, r3, r5, r6}
    mov     r8, r2
    mov     r10, r3
    mov     r11, r5
    mov     r12, r6
    movs    r6, #0
    movs    r7, #0
    reduce_limb_15 0
    ldr     r5, =0x7fff
1:
    asrs    r6, r6, #15
    asrs    r7, r7, #15
    reduce_limb_15 4
    movs    r1, r6
    ands    r1, r5
    movs    r2, r7
    ands    r2, r5
    strh    r1, [r0]
    strh    r2, [r0, #2]
    adds    r0, #4
    cmp     r0, r4
    bne     1b
    asrs    r6, r6, #15
    asrs    r7, r7, #15
    strh    r6, [r0]
    strh    r7, [r0, #2]
    pop     {r4-r6}
    mov     r8, r4
    mov     r10, r5
    mov     r11, r6
    pop     {r4-r7, pc}
    .pool
    endfunction ecfit_inv_reduce_15
