/* mp_word ecfit_mp_sub(mp_word *r, const mp_word *a, const mp_word *b, size_t n)
 * r = a - b; returns the borrow.   in: n > 0 words; r may be a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 8 bytes
 * Cost: 12 + 10 n (cortex-m4), 10 + 7 n (cortex-m33)
 */
    function ecfit_mp_sub, 4
    push    {r4, lr}
    add.w   lr, r1, r3, lsl #2      /* where a ends */
    cmp     r3, #0                  /* no borrow; nothing below but SBCS touches it */
1:
    ldm     r1!, {r3}
    ldm     r2!, {r4}
    sbcs    r3, r4
    stm     r0!, {r3}
    teq     r1, lr
    bne     1b
    sbcs    r0, r0
    negs    r0, r0
    pop     {r4, pc}
    endfunction ecfit_mp_sub
