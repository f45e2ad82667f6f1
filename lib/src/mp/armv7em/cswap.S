/* void ecfit_mp_cswap(mp_word *a, mp_word *b, mp_word mask, size_t n)
 * Exchanges a and b where mask is all ones.   in: n words, n > 0 even
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 16 bytes
 * Cost: 13 + 8 n (cortex-m4), 10 + 15 n/2 (cortex-m33)
 *
 * As ecfit_mp_cmov.
 */
    function ecfit_mp_cswap, 4
    push.w  {r4, r5, r6, lr}
    uadd8   r2, r2, r2
1:
    ldr.w   r2, [r0]
    ldr.w   r4, [r1]
    ldr.w   r12, [r0, #4]
    ldr.w   lr, [r1, #4]
    subs.w  r3, r3, #2
    sel     r5, r4, r2
    sel     r6, r2, r4
    sel     r2, lr, r12
    sel     r4, r12, lr
    str.w   r5, [r0], #4
    str.w   r6, [r1], #4
    str.w   r2, [r0], #4
    str.w   r4, [r1], #4
    bne.w   1b
    pop.w   {r4, r5, r6, pc}
    endfunction ecfit_mp_cswap
