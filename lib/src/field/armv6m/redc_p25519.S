/* void ecfit_redc_p25519(mp_word *r, const mp_word *t)
 * r = t mod 2^255 - 19, below 2^255 + 2^231.   in: t any 16 words
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
 * Cost: 161 (cortex-m0plus), 162 (cortex-m0)
 *
 * low + 38 high, word by word, with the carry in a register. The top word comes first: what it has
 * above bit 255 is known before word 0 is written, but for what word 6 carries, at most 39,
 * which stays there.
 */
    function ecfit_redc_p25519
    push    {r4-r7, lr}
    movs    r2, #0
    movs    r3, #38
    ldr     r4, [r1, #28]           /* word 7 without what will be carried into it */
    ldr     r5, [r1, #60]
    uxth    r6, r5
    lsrs    r5, r5, #16
    muls    r6, r3, r6
    muls    r5, r3, r5
    lsls    r7, r5, #16
    lsrs    r5, r5, #16
    adds    r4, r4, r6
    adcs    r5, r2
    adds    r4, r4, r7
    adcs    r5, r2
    lsls    r7, r5, #1              /* what lies above bit 255, 19 times, is carried into word 0 */
    lsrs    r6, r4, #31
    orrs    r7, r6
    movs    r6, #19
    muls    r7, r6, r7
    lsls    r4, r4, #1
    lsrs    r4, r4, #1
    mov     r12, r4
    ldm     r1!, {r4}
    ldr     r5, [r1, #28]
    uxth    r6, r5
    lsrs    r5, r5, #16
    muls    r6, r3, r6
    muls    r5, r3, r5
    adds    r6, r6, r7
    lsls    r7, r5, #16
    lsrs    r5, r5, #16
    adds    r4, r4, r6
    adcs    r5, r2
    adds    r4, r4, r7
    adcs    r5, r2
    stm     r0!, {r4}
    ldm     r1!, {r4}
    ldr     r7, [r1, #28]
    uxth    r6, r7
    lsrs    r7, r7, #16
    muls    r6, r3, r6
    muls    r7, r3, r7
    adds    r6, r6, r5
    lsls    r5, r7, #16
    lsrs    r7, r7, #16
    adds    r4, r4, r6
    adcs    r7, r2
    adds    r4, r4, r5
    adcs    r7, r2
    stm     r0!, {r4}
    ldm     r1!, {r4}
    ldr     r5, [r1, #28]
    uxth    r6, r5
    lsrs    r5, r5, #16
    muls    r6, r3, r6
    muls    r5, r3, r5
    adds    r6, r6, r7
    lsls    r7, r5, #16
    lsrs    r5, r5, #16
    adds    r4, r4, r6
    adcs    r5, r2
    adds    r4, r4, r7
    adcs    r5, r2
    stm     r0!, {r4}
    ldm     r1!, {r4}
    ldr     r7, [r1, #28]
    uxth    r6, r7
    lsrs    r7, r7, #16
    muls    r6, r3, r6
    muls    r7, r3, r7
    adds    r6, r6, r5
    lsls    r5, r7, #16
    lsrs    r7, r7, #16
    adds    r4, r4, r6
    adcs    r7, r2
    adds    r4, r4, r5
    adcs    r7, r2
    stm     r0!, {r4}
    ldm     r1!, {r4}
    ldr     r5, [r1, #28]
    uxth    r6, r5
    lsrs    r5, r5, #16
    muls    r6, r3, r6
    muls    r5, r3, r5
    adds    r6, r6, r7
    lsls    r7, r5, #16
    lsrs    r5, r5, #16
    adds    r4, r4, r6
    adcs    r5, r2
    adds    r4, r4, r7
    adcs    r5, r2
    stm     r0!, {r4}
    ldm     r1!, {r4}
    ldr     r7, [r1, #28]
    uxth    r6, r7
    lsrs    r7, r7, #16
    muls    r6, r3, r6
    muls    r7, r3, r7
    adds    r6, r6, r5
    lsls    r5, r7, #16
    lsrs    r7, r7, #16
    adds    r4, r4, r6
    adcs    r7, r2
    adds    r4, r4, r5
    adcs    r7, r2
    stm     r0!, {r4}
    ldm     r1!, {r4}
    ldr     r5, [r1, #28]
    uxth    r6, r5
    lsrs    r5, r5, #16
    muls    r6, r3, r6
    muls    r5, r3, r5
    adds    r6, r6, r7
    lsls    r7, r5, #16
    lsrs    r5, r5, #16
    adds    r4, r4, r6
    adcs    r5, r2
    adds    r4, r4, r7
    adcs    r5, r2
    stm     r0!, {r4}
    mov     r4, r12
    adds    r4, r4, r5
    stm     r0!, {r4}
    pop     {r4-r7, pc}
    endfunction ecfit_redc_p25519
