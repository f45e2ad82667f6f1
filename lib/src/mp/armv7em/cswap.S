/* void ecfit_mp_cswap(mp_word *a, mp_word *b, mp_word mask, size_t n)
 * Exchanges a and b where mask is all ones.   in: n > 0 words
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 8 bytes
 * Cost: 9 + 11 n (cortex-m4), 7 + 8 n (cortex-m33)
 *
 * As ecfit_mp_cmov.
 */
    function ecfit_mp_cswap, 4
    push    {r4, lr}
    uadd8   r2, r2, r2
1:
    ldr     r2, [r0]
    ldr     r4, [r1]
    subs    r3, #1
    sel     r12, r4, r2
    sel     r4, r2, r4
    str     r12, [r0], #4
    stm     r1!, {r4}
    bne     1b
    pop     {r4, pc}
    endfunction ecfit_mp_cswap
