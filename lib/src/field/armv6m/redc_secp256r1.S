/* void ecfit_redc_secp256r1(mp_word *r, mp_word *t)
 * r = t/2^256 mod p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
 * in: t below p 2^256, lost; out: below p
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
 * Cost: 234 (cortex-m0plus), 235 (cortex-m0)
 *
 * The quotient m of Montgomery's reduction is, column by column, t[k] + m[k-3] + m[k-6] - m[k-7];
 * column k of the result is t[k+8] + m[k] + m[k+2] - m[k+1] + m[k+5].
 * m takes the place of t's lower half. [MONT85]
 */
    function ecfit_redc_secp256r1
    push    {r4-r7, lr}
    mov     r12, r0
    ldm     r1!, {r2-r7}
    subs    r1, r1, #24
    adds    r5, r5, r2              /* m[3], m[4], m[5] */
    adcs    r6, r3
    adcs    r7, r4
    str     r7, [r1, #20]
    ldr     r4, [r1, #24]
    adcs    r4, r5
    str     r5, [r1, #12]
    ldr     r0, [r1, #28]
    adcs    r0, r6
    str     r6, [r1, #16]
    movs    r5, #0
    movs    r7, #0
    adcs    r7, r7                  /* r7: carried into the next column, -1 to 2 */
    adds    r4, r4, r2              /* m[6] */
    adcs    r0, r3
    adcs    r7, r5
    subs    r0, r0, r2              /* m[7] */
    sbcs    r7, r5
    str     r4, [r1, #24]
    str     r0, [r1, #28]
    movs    r0, r1
    adds    r0, r0, #32
    ldm     r0!, {r3-r6}            /* columns 0 to 3 */
    asrs    r2, r7, #31
    adds    r3, r3, r7
    adcs    r4, r2
    adcs    r5, r2
    adcs    r6, r2
    movs    r7, #0
    adcs    r7, r2
    ldr     r2, [r1, #0]
    adds    r3, r3, r2
    ldr     r2, [r1, #4]
    adcs    r4, r2
    ldr     r2, [r1, #8]
    adcs    r5, r2
    ldr     r2, [r1, #12]
    adcs    r6, r2
    movs    r2, #0
    adcs    r7, r2
    ldr     r2, [r1, #8]
    adds    r3, r3, r2
    ldr     r2, [r1, #12]
    adcs    r4, r2
    ldr     r2, [r1, #16]
    adcs    r5, r2
    ldr     r2, [r1, #20]
    adcs    r6, r2
    movs    r2, #0
    adcs    r7, r2
    ldr     r2, [r1, #4]
    subs    r3, r3, r2
    ldr     r2, [r1, #8]
    sbcs    r4, r2
    ldr     r2, [r1, #12]
    sbcs    r5, r2
    ldr     r2, [r1, #16]
    sbcs    r6, r2
    movs    r2, #0
    sbcs    r7, r2
    ldr     r2, [r1, #20]
    adds    r3, r3, r2
    ldr     r2, [r1, #24]
    adcs    r4, r2
    ldr     r2, [r1, #28]
    adcs    r5, r2
    movs    r2, #0
    adcs    r6, r2
    adcs    r7, r2
    mov     r2, r12
    stm     r2!, {r3-r6}
    ldm     r0!, {r3-r6}            /* columns 4 to 7 */
    asrs    r2, r7, #31
    adds    r3, r3, r7
    adcs    r4, r2
    adcs    r5, r2
    adcs    r6, r2
    movs    r7, #0
    adcs    r7, r2
    ldr     r2, [r1, #16]
    adds    r3, r3, r2
    ldr     r2, [r1, #20]
    adcs    r4, r2
    ldr     r2, [r1, #24]
    adcs    r5, r2
    ldr     r2, [r1, #28]
    adcs    r6, r2
    movs    r2, #0
    adcs    r7, r2
    ldr     r2, [r1, #24]
    adds    r3, r3, r2
    ldr     r2, [r1, #28]
    adcs    r4, r2
    movs    r2, #0
    adcs    r5, r2
    adcs    r6, r2
    adcs    r7, r2
    ldr     r2, [r1, #20]
    subs    r3, r3, r2
    ldr     r2, [r1, #24]
    sbcs    r4, r2
    ldr     r2, [r1, #28]
    sbcs    r5, r2
    movs    r2, #0
    sbcs    r6, r2
    sbcs    r7, r2                  /* below 2p = p + p: once more p is to be subtracted? */
    mov     r0, r12
    movs    r2, #0
    mvns    r2, r2
    ldm     r0!, {r1}
    subs    r1, r1, r2
    ldm     r0!, {r1}
    sbcs    r1, r2
    ldm     r0!, {r1}
    sbcs    r1, r2
    movs    r2, #0
    ldm     r0!, {r1}
    sbcs    r1, r2
    movs    r1, r3
    sbcs    r1, r2
    movs    r1, r4
    sbcs    r1, r2
    movs    r1, r5
    movs    r2, #1
    sbcs    r1, r2
    movs    r2, #0
    mvns    r2, r2
    movs    r1, r6
    sbcs    r1, r2
    movs    r1, #0
    sbcs    r7, r1                  /* 0 where it is, else -1 */
    mvns    r7, r7
    mov     r0, r12
    ldr     r2, [r0]
    subs    r2, r2, r7
    stm     r0!, {r2}
    ldr     r2, [r0]
    sbcs    r2, r7
    stm     r0!, {r2}
    ldr     r2, [r0]
    sbcs    r2, r7
    stm     r0!, {r2}
    ldr     r2, [r0]
    sbcs    r2, r1
    stm     r0!, {r2}
    sbcs    r3, r1
    sbcs    r4, r1
    movs    r2, #1
    ands    r2, r7
    sbcs    r5, r2
    sbcs    r6, r7
    stm     r0!, {r3-r6}
    pop     {r4-r7, pc}
    endfunction ecfit_redc_secp256r1
