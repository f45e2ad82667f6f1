/* mp_word ecfit_mp_mac_row(mp_word *r, const mp_word *a, mp_word b, size_t n)
 * r += a * b; returns the carry word.   in: r, a: n > 0 words; b: one word
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 8 bytes
 * Cost: 10 + 8 n (cortex-m4), 7 + 7 n (cortex-m33)
 */
    function ecfit_mp_mac_row, 4
    push.w  {r4, lr}
    mov.w   r12, #0
1:
    ldr.w   r4, [r1], #4
    ldr.w   lr, [r0]
    subs.w  r3, r3, #1
    umaal   lr, r12, r4, r2
    str.w   lr, [r0], #4
    bne.w   1b
    mov.w   r0, r12
    pop.w   {r4, pc}
    endfunction ecfit_mp_mac_row
