/* mp_word ecfit_mp_sub(mp_word *r, const mp_word *a, const mp_word *b, size_t n)
 * r = a - b; returns the borrow.   in: n > 0 words; r may be a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 16 bytes
 * Cost: 19 + 6 n (cortex-m4), 16 + 6 n (cortex-m33)
 */
    function ecfit_mp_sub, 4
    push.w  {r4, r5, r6, lr}
    add.w   lr, r1, r3, lsl #2      /* where a ends */
    cmp.w   r3, #0                  /* no borrow; nothing below but SBCS touches it */
    tst.w   r3, #1
    beq.w   1f
    ldr.w   r4, [r1], #4
    ldr.w   r6, [r2], #4
    sbcs.w  r4, r4, r6
    str.w   r4, [r0], #4
    teq.w   r1, lr
    beq.w   2f
1:
    ldr.w   r5, [r1, #4]
    ldr.w   r4, [r1], #8
    ldr.w   r12, [r2, #4]
    ldr.w   r6, [r2], #8
    sbcs.w  r4, r4, r6
    sbcs.w  r5, r5, r12
    str.w   r5, [r0, #4]
    str.w   r4, [r0], #8
    teq.w   r1, lr
    bne.w   1b
2:
    sbc.w   r0, r0, r0
    and.w   r0, r0, #1
    pop.w   {r4, r5, r6, pc}
    endfunction ecfit_mp_sub
