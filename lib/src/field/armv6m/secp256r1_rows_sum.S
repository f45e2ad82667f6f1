/* ecfit_secp256r1_rows_sum: r0 = r1 + r2 mod p for r3 = OP_ADD, r1 - r2 mod p for OP_SUB,
 * 8 words below p = 2^256 - 2^224 + 2^192 + 2^96 - 1 each, of which r0 may be one
 * For the functions of this backend alone: r0 to r7 and r12 are lost.
 * 153 (cortex-m0plus), 158 (cortex-m0) cycles from entry to return for a sum.
 *
 * A difference is the sum with the complement; p comes back where that is negative.
 * In the entry ecfit_secp256r1_rows_once r0 becomes r7 2^256 and 8 words at r1, below 2p,
 * modulo p: less p, which comes back likewise.
 */
    inner   ecfit_secp256r1_rows_sum
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
    subs    r0, #32
    cmp     r3, #0
    bne     2f
    adds    r7, #1
    movs    r1, r0
    entry   ecfit_secp256r1_rows_once
    movs    r6, #0
    mvns    r5, r6
    ldm     r1!, {r2-r4}
    subs    r2, r2, r5
    sbcs    r3, r5
    sbcs    r4, r5
    stm     r0!, {r2-r4}
    ldm     r1!, {r2-r4}
    sbcs    r2, r6
    sbcs    r3, r6
    sbcs    r4, r6
    stm     r0!, {r2-r4}
    ldm     r1!, {r2, r3}
    movs    r4, #1
    sbcs    r2, r4
    sbcs    r3, r5
    stm     r0!, {r2, r3}
    sbcs    r7, r6                  /* all ones where that is negative */
    subs    r0, #32
2:
    movs    r1, r0
    movs    r6, #0
    lsrs    r5, r7, #31
    ldm     r1!, {r2-r4}
    adds    r2, r2, r7
    adcs    r3, r7
    adcs    r4, r7
    stm     r0!, {r2-r4}
    ldm     r1!, {r2-r4}
    adcs    r2, r6
    adcs    r3, r6
    adcs    r4, r6
    stm     r0!, {r2-r4}
    ldm     r1!, {r2, r3}
    adcs    r2, r5
    adcs    r3, r7
    stm     r0!, {r2, r3}
    bx      lr
    endfunction ecfit_secp256r1_rows_once
    endfunction ecfit_secp256r1_rows_sum
