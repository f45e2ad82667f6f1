/* void ecfit_mp_cmov(mp_word *r, const mp_word *a, mp_word mask, size_t n)
 * r = a where mask is all ones, else unchanged.   in: n > 0 words
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 8 bytes
 * Cost: 9 + 10 n (cortex-m4), 6 + 8 n (cortex-m33)
 *
 * The bytes that SEL takes from its first operand are those where an addition of bytes carried.
 */
    function ecfit_mp_cmov, 4
    push    {r4, lr}
    uadd8   r2, r2, r2
1:
    ldm     r1!, {r2}
    ldr     r4, [r0]
    sel     r2, r2, r4
    stm     r0!, {r2}
    subs    r3, #1
    bne     1b
    pop     {r4, pc}
    endfunction ecfit_mp_cmov
