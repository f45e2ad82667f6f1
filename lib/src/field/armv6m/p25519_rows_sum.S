/* ecfit_p25519_rows_sum: r0 = r1 + r2 mod 2^255 - 19, below 2^255 + 2^6, for r3 = OP_ADD, or
 * r1 - r2, below 2^256, for OP_SUB; 8 words of any value each, of which r0 may be one
 * For the functions of this backend alone: r0 to r7 and r12 are lost.
 * 124 (cortex-m0plus), 128 (cortex-m0) cycles from entry to return.
 *
 * A difference is the sum with the complement. In: r1 the sum, r2 what it carries as a signed
 * number, the entry ecfit_p25519_rows_lower makes r0 of what the entry has above bit 255, v times
 * 2^255, for r3 = 0: 19 v comes down. For r3 = -1 that is 19 (v - 1), which may be negative, and
 * bit 255 is set.
 */
    inner   ecfit_p25519_rows_sum
    movs    r4, #32
    adds    r4, r4, r1
    mov     r12, r4
    movs    r4, #1
    subs    r3, r4, r3              /* what b is complemented by */
    mvns    r7, r3                  /* the carry less 1 */
1:
    negs    r7, r7
    ldm     r1!, {r4, r5}
    ldm     r2!, {r6, r7}
    eors    r6, r3
    eors    r7, r3
    adcs    r4, r6
    adcs    r5, r7
    stm     r0!, {r4, r5}
    sbcs    r7, r7
    cmp     r1, r12
    bne     1b
    adds    r2, r3, r7
    adds    r2, #1
    subs    r0, #32
    movs    r1, r0
    entry   ecfit_p25519_rows_lower
    ldr     r4, [r1, #28]
    lsls    r4, r4, #1
    adcs    r2, r2
    adds    r2, r2, r3
    lsrs    r4, r4, #1
    lsls    r5, r3, #31
    orrs    r4, r5
    str     r4, [r1, #28]
    movs    r3, #19
    muls    r2, r3, r2
    asrs    r3, r2, #31
    ldm     r1!, {r4-r7}
    adds    r4, r4, r2
    adcs    r5, r3
    adcs    r6, r3
    adcs    r7, r3
    stm     r0!, {r4-r7}
    ldm     r1!, {r4-r7}
    adcs    r4, r3
    adcs    r5, r3
    adcs    r6, r3
    adcs    r7, r3
    stm     r0!, {r4-r7}
    bx      lr
    endfunction ecfit_p25519_rows_lower
    endfunction ecfit_p25519_rows_sum
