/* mp_word ecfit_mp_add(mp_word *r, const mp_word *a, const mp_word *b, mp_word keep, size_t n)
 * r = a + (b & keep); returns the carry.   in: n > 0 words; r may be a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
 * Cost: 23 + 7 n (cortex-m4), 20 + 7 n (cortex-m33)
 */
    function ecfit_mp_add, 4
    push.w  {r4-r7, lr}
    ldr.w   r12, [sp, #20]
    add.w   lr, r1, r12, lsl #2     /* where a ends */
    adds.w  r12, r12, #0            /* no carry; nothing below but ADCS touches it */
    tst.w   r12, #1
    beq.w   1f
    ldr.w   r4, [r1], #4
    ldr.w   r6, [r2], #4
    and.w   r6, r6, r3
    adcs.w  r4, r4, r6
    str.w   r4, [r0], #4
    teq.w   r1, lr
    beq.w   2f
1:
    ldr.w   r5, [r1, #4]
    ldr.w   r4, [r1], #8
    ldr.w   r7, [r2, #4]
    ldr.w   r6, [r2], #8
    and.w   r6, r6, r3
    and.w   r7, r7, r3
    adcs.w  r4, r4, r6
    adcs.w  r5, r5, r7
    str.w   r5, [r0, #4]
    str.w   r4, [r0], #8
    teq.w   r1, lr
    bne.w   1b
2:
    mov.w   r0, #0
    adc.w   r0, r0, r0
    pop.w   {r4-r7, pc}
    endfunction ecfit_mp_add
