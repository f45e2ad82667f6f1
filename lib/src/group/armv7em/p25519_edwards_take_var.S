/* void ecfit_p25519_edwards_take_var(mp_word *r, const mp_word *entry, mp_word minus)
 * r = entry, 24 words (y - x)/2, (y + x)/2, dxy; where minus is 1, the first two exchanged, and
 * 2^256 - 38 less the third.
 * in: minus 0 or 1; dxy below 2^256 - 37
 * CT: no, public data   Clobbers: r0-r3, r12, flags   Stack: 24 bytes
 * Cost: 78 + 15 n (cortex-m4), 70 + 15 n (cortex-m33), with n = minus
 */
    function ecfit_p25519_edwards_take_var, 4
    push    {r4-r9}
    add.w   r2, r0, r2, lsl #5      /* where the first goes */
    ldm.w   r1!, {r3-r9, r12}
    stm.w   r2, {r3-r9, r12}
    rsb.w   r2, r2, r0, lsl #1
    add.w   r2, r2, #32             /* where the second goes: the start where minus is 1 */
    ldm.w   r1!, {r3-r9, r12}
    stm.w   r2, {r3-r9, r12}
    ldm.w   r1, {r3-r9, r12}
    cmp.w   r2, r0
    bne.w   1f
    mvn.w   r3, r3
    mvn.w   r4, r4
    mvn.w   r5, r5
    mvn.w   r6, r6
    mvn.w   r7, r7
    mvn.w   r8, r8
    mvn.w   r9, r9
    mvn.w   r12, r12
    subs.w  r3, r3, #37
    sbcs    r4, r4, #0
    sbcs    r5, r5, #0
    sbcs    r6, r6, #0
    sbcs    r7, r7, #0
    sbcs    r8, r8, #0
    sbcs    r9, r9, #0
    sbc     r12, r12, #0
1:
    add.w   r0, r0, #64
    stm.w   r0, {r3-r9, r12}
    pop     {r4-r9}
    bx      lr
    endfunction ecfit_p25519_edwards_take_var
