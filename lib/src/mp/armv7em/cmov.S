/* void ecfit_mp_cmov(mp_word *r, const mp_word *a, mp_word mask, size_t n)
 * r = a where mask is all ones, else unchanged.   in: n words, n > 0 even
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 8 bytes
 * Cost: 9 + 6 n (cortex-m4), 6 + 11 n/2 (cortex-m33)
 *
 * The bytes that SEL takes from its first operand are those where an addition of bytes carried.
 */
    function ecfit_mp_cmov, 4
    push.w  {r4, lr}
    uadd8   r2, r2, r2
1:
    ldr.w   r2, [r1], #4
    ldr.w   r4, [r0]
    ldr.w   r12, [r1], #4
    ldr.w   lr, [r0, #4]
    subs.w  r3, r3, #2
    sel     r2, r2, r4
    sel     r12, r12, lr
    str.w   r2, [r0], #4
    str.w   r12, [r0], #4
    bne.w   1b
    pop.w   {r4, pc}
    endfunction ecfit_mp_cmov
