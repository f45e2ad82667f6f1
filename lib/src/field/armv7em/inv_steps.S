/* mp_word ecfit_inv_steps(int32_t *t, mp_word f, mp_word g, mp_word zeta)
 * t = the matrix of 30 divsteps from the low limbs f and g, 4 words; returns zeta after them:
 * mod_inv_steps of field/inverse/steps_words.inc.   in: any words
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 28 bytes
 * Cost: 539 (cortex-m4), 566 (cortex-m33)
 *
 * u, v, q, r in r4 to r7. r8 is all ones where g is odd; r12 is all ones where, besides, f and g
 * change places; lr is -1 where f is added to g, 1 where it is subtracted.
 */
    function ecfit_inv_steps, 4
    push.w  {r4-r8, r10, lr}
    movs    r4, #1
    movs    r5, #0
    movs    r6, #0
    movs    r7, #1
    mov.w   r10, #30
1:
    sbfx    r8, r2, #0, #1
    and.w   r12, r8, r3, asr #31
    sub.w   lr, r8, r12, lsl #1
    eor.w   r3, r3, r12
    mls     r2, lr, r1, r2
    mls     r6, lr, r4, r6
    mls     r7, lr, r5, r7
    mls     r1, r12, r2, r1
    mls     r4, r12, r6, r4
    mls     r5, r12, r7, r5
    subs    r3, #1
    lsrs    r2, r2, #1
    lsls    r4, r4, #1
    lsls    r5, r5, #1
    subs.w  r10, r10, #1
    bne.w   1b
    stmia   r0!, {r4, r5, r6, r7}
    mov     r0, r3
    pop.w   {r4-r8, r10, pc}
    endfunction ecfit_inv_steps
