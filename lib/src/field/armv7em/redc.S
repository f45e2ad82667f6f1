/* mp_word ecfit_mod_redc(mp_word *t, const mp_word *m, mp_word inv, size_t n)
 * t = t + q m with the lowest n words 0, by Montgomery's reduction; returns the carry out.
 * in: t: 2n words, m: n words, odd, inv = -1/m mod 2^32, n > 2 even
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 60 bytes
 * Cost: 343 (cortex-m4, n = 8), 612 (cortex-m4, n = 12),
 * 957 (cortex-m4, n = 16), 1280 (cortex-m4, n = 18),
 * 299 (cortex-m33, n = 8), 536 (cortex-m33, n = 12),
 * 841 (cortex-m33, n = 16), 1128 (cortex-m33, n = 18)
 *
 * Four digits of q at a time: they follow from four words of t and of m. Then q m is added as in
 * ecfit_mp_mul_blocks.
 */
    function ecfit_mod_redc, 4
    push.w  {r0-r11, lr}            /* t, m, inv, n */
    mov.w   r4, #0
    push.w  {r3, r4}                /* digits that are left, carry */
1:
    ldr.w   r0, [sp, #8]
    ldr.w   r4, [sp, #12]
    ldr.w   r12, [sp, #16]
    ldm.w   r0, {r1, r2, r3, lr}
    ldm.w   r4, {r8, r9, r10, r11}
    mul     r4, r1, r12
    mov.w   r0, #0
    umaal   r1, r0, r4, r8
    umaal   r2, r0, r4, r9
    umaal   r3, r0, r4, r10
    umaal   lr, r0, r4, r11
    mul     r5, r2, r12
    mov.w   r0, #0
    umaal   r2, r0, r5, r8
    umaal   r3, r0, r5, r9
    umaal   lr, r0, r5, r10
    mul     r6, r3, r12
    mov.w   r0, #0
    umaal   r3, r0, r6, r8
    umaal   lr, r0, r6, r9
    mul     r7, lr, r12
    ldr.w   r12, [sp]
    ldr.w   r0, [sp, #8]
    ldrd    r2, r3, [sp, #12]
    ldr.w   r3, [sp, #20]
    cmp.w   r12, #2
    beq.w   4f
2:
    mov.w   r8, #0
    mov.w   r9, #0
    mov.w   r10, #0
    mov.w   r11, #0
3:
    ldr.w   r12, [r2, #4]
    ldr.w   r1, [r2], #8
    ldr.w   lr, [r0]
    subs.w  r3, r3, #2
    umaal   lr, r8, r4, r1
    umaal   r8, r9, r5, r1
    umaal   r9, r10, r6, r1
    umaal   r10, r11, r7, r1
    ldr.w   r1, [r0, #4]
    umaal   r1, r8, r4, r12
    umaal   r8, r9, r5, r12
    umaal   r9, r10, r6, r12
    umaal   r10, r11, r7, r12
    str.w   lr, [r0], #4
    str.w   r1, [r0], #4
    bne.w   3b
    ldrd    r2, r3, [sp]
    subs.w  r3, r3, #1              /* the carry */
    ldrd    r4, r5, [r0]
    adcs.w  r4, r4, r8
    adcs.w  r5, r5, r9
    strd    r4, r5, [r0]
    sub.w   r2, r2, #2
    teq.w   r2, #0
    beq.w   5f
    ldrd    r4, r5, [r0, #8]
    adcs.w  r4, r4, r10
    adcs.w  r5, r5, r11
    strd    r4, r5, [r0, #8]
    sub.w   r2, r2, #2
5:
    mov.w   r3, #0
    adc.w   r3, r3, r3
    ldr.w   r0, [sp, #8]
    strd    r2, r3, [sp]
    add.w   r0, r0, #16
    str.w   r0, [sp, #8]
    cmp.w   r2, #0
    bne.w   1b
    mov.w   r0, r3
    add.w   sp, sp, #24
    pop.w   {r4-r11, pc}
4:
    mov.w   r6, #0
    mov.w   r7, #0
    b.w     2b
    endfunction ecfit_mod_redc
