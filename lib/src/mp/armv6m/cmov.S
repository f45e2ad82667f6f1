/* void ecfit_mp_cmov(mp_word *r, const mp_word *a, mp_word mask, size_t n)
 * r = a where mask is all ones, else unchanged.   in: mask all ones or 0; n > 0
 * CT: all but n   Clobbers: r0-r3, flags   Stack: 12 bytes
 * Cost: 9 + 12 n (cortex-m0plus), 9 + 13 n (cortex-m0)
 */
    function ecfit_mp_cmov
    push    {r4, r5, lr}
1:
    ldr     r4, [r0]
    ldm     r1!, {r5}
    eors    r5, r4
    ands    r5, r2
    eors    r4, r5
    stm     r0!, {r4}
    subs    r3, r3, #1
    bne     1b
    pop     {r4, r5, pc}
    endfunction ecfit_mp_cmov
