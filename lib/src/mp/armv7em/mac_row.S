/* mp_word ecfit_mp_mac_row(mp_word *r, const mp_word *a, mp_word b, size_t n)
 * r += a * b; returns the carry word.   in: r, a: n > 0 words; b: one word
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 16 bytes
 * Cost: 14 + 10 n (cortex-m4), 12 + 6 n (cortex-m33)
 */
    function ecfit_mp_mac_row, 4
    push    {r4, r5, r6, lr}
    movs    r4, #0
1:
    ldm     r1!, {r5}
    ldr     r6, [r0]
    subs    r3, #1
    umaal   r6, r4, r5, r2
    stm     r0!, {r6}
    bne     1b
    mov     r0, r4
    pop     {r4, r5, r6, pc}
    endfunction ecfit_mp_mac_row
