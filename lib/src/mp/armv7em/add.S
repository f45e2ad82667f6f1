/* mp_word ecfit_mp_add(mp_word *r, const mp_word *a, const mp_word *b, mp_word keep, size_t n)
 * r = a + (b & keep); returns the carry.   in: n > 0 words; r may be a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 16 bytes
 * Cost: 18 + 11 n (cortex-m4), 16 + 8 n (cortex-m33)
 */
    function ecfit_mp_add, 4
    push    {r4, r5, r6, lr}
    ldr     r6, [sp, #16]
    add.w   lr, r1, r6, lsl #2      /* where a ends */
    adds    r6, #0                  /* no carry; nothing below but ADCS touches it */
1:
    ldm     r1!, {r4}
    ldm     r2!, {r5}
    ands    r5, r3
    adcs    r4, r5
    stm     r0!, {r4}
    teq     r1, lr
    bne     1b
    movs    r0, #0
    adcs    r0, r0
    pop     {r4, r5, r6, pc}
    endfunction ecfit_mp_add
