/* void ecfit_mp_cmov(mp_word *r, const mp_word *a, mp_word mask, size_t n)
 * r = a where mask is all ones, else unchanged.   in: mask all ones or 0; n > 0 and even
 * CT: all but n   Clobbers: r0-r3, flags   Stack: 20 bytes
 * Cost: 13 + 19 n/2 (cortex-m0plus), 13 + 20 n/2 (cortex-m0)
 */
    function ecfit_mp_cmov
    push    {r4-r7, lr}
1:
    ldm     r1!, {r4, r5}
    ldr     r6, [r0]
    ldr     r7, [r0, #4]
    eors    r4, r6
    eors    r5, r7
    ands    r4, r2
    ands    r5, r2
    eors    r4, r6
    eors    r5, r7
    stm     r0!, {r4, r5}
    subs    r3, r3, #2
    bne     1b
    pop     {r4-r7, pc}
    endfunction ecfit_mp_cmov

/* void ecfit_mp_cswap(mp_word *a, mp_word *b, mp_word mask, size_t n)
 * Exchanges a and b where mask is all ones.   in: mask all ones or 0; n > 0
 * CT: all but n   Clobbers: r0-r3, flags   Stack: 16 bytes
 * Cost: 11 + 16 n (cortex-m0plus), 11 + 17 n (cortex-m0)
 */
    function ecfit_mp_cswap
    push    {r4-r6, lr}
1:
    ldr     r4, [r0]
    ldr     r5, [r1]
    movs    r6, r4
    eors    r6, r5
    ands    r6, r2
    eors    r4, r6
    eors    r5, r6
    stm     r0!, {r4}
    stm     r1!, {r5}
    subs    r3, r3, #1
    bne     1b
    pop     {r4-r6, pc}
    endfunction ecfit_mp_cswap
