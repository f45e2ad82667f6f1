/* mp_word ecfit_mp_sub(mp_word *r, const mp_word *a, const mp_word *b, size_t n)
 * r = a - b; returns the borrow, 0 or 1.   in: n > 0; r may be a or b
 * CT: all but n   Clobbers: r0-r3, flags   Stack: 16 bytes
 * Cost: 15 + 12 n (cortex-m0plus), 15 + 13 n (cortex-m0)
 *
 * Between two words the borrow is a mask, as the carry of ecfit_mp_add.
 */
    function ecfit_mp_sub
    push    {r4-r6, lr}
    lsls    r3, r3, #2
    adds    r3, r3, r1              /* where a ends */
    movs    r4, #0
1:
    ldm     r1!, {r5}
    ldm     r2!, {r6}
    rsbs    r4, r4, #0
    sbcs    r5, r6
    stm     r0!, {r5}
    sbcs    r4, r4
    cmp     r1, r3
    bne     1b
    rsbs    r0, r4, #0
    pop     {r4-r6, pc}
    endfunction ecfit_mp_sub
