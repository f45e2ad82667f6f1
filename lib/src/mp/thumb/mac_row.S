/* mp_word ecfit_mp_mac_row(mp_word *r, const mp_word *a, mp_word b, size_t n)
 * r += a * b; returns the carry word.   in: r, a: n > 0 words; b: one word
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
 * Cost: 21 + 34 n (cortex-m0plus), 21 + 35 n (cortex-m0)
 *
 * A word of a times b is four products of halves: low, the two in the middle,
 * whose sum may carry into bit 48, and high. The carry of the word below and the word of r come
 * on top; nothing is carried beyond 64 bits, because (B - 1)^2 + 2 (B - 1) = B^2 - 1.
 */
    function ecfit_mp_mac_row
    push    {r4-r7, lr}
    lsls    r3, r3, #2
    adds    r3, r3, r1
    mov     r12, r3                 /* where a ends */
    lsrs    r3, r2, #16             /* b: high and low half */
    uxth    r2, r2
    movs    r4, #0
    mov     lr, r4                  /* the carry */
1:
    ldm     r1!, {r5}
    lsrs    r6, r5, #16
    uxth    r5, r5
    movs    r7, r5
    muls    r7, r2, r7              /* low */
    muls    r5, r3, r5
    movs    r4, r6
    muls    r4, r2, r4
    muls    r6, r3, r6              /* high */
    adds    r5, r5, r4              /* middle */
    movs    r4, #0
    adcs    r4, r4
    lsls    r4, r4, #16
    adds    r6, r6, r4
    lsls    r4, r5, #16
    lsrs    r5, r5, #16
    adds    r7, r7, r4
    adcs    r6, r5
    mov     r4, lr
    adds    r7, r7, r4
    movs    r4, #0
    adcs    r6, r4
    ldr     r4, [r0]
    adds    r7, r7, r4
    stm     r0!, {r7}
    movs    r4, #0
    adcs    r4, r6
    mov     lr, r4
    cmp     r1, r12
    bne     1b
    movs    r0, r4
    pop     {r4-r7, pc}
    endfunction ecfit_mp_mac_row
