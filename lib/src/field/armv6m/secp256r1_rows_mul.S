/* void ecfit_secp256r1_rows_mul(mp_word *r, const mp_word *a, const mp_word *b)
 * r = a b / 2^256 mod p = 2^256 - 2^224 + 2^192 + 2^96 - 1, below p.
 * in: 8 words each, one of a, b below p; r may be an operand
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 108 bytes
 * Cost: 2905 (cortex-m0plus), 2994 (cortex-m0)
 *
 * The product by rows, then Montgomery's reduction digit by digit [MONT85]: the digit m is the
 * lowest word itself, and m p clears it and adds m to the words 3, 6 and 8 above and takes it from
 * the word 7 above: -m there, m or m - 1 in the next.
 */
    function ecfit_secp256r1_rows_mul
    push    {r0, r4-r7, lr}
    movs    r5, r1
    movs    r6, r2
    movs    r7, #32
    adds    r7, r7, r2              /* where b ends */
    sub     sp, #32
    movs    r0, #0
    movs    r1, #0
    movs    r2, #0
    movs    r3, #0
    push    {r0-r3}
    push    {r0-r3}
    mov     r4, sp
1:
    movs    r0, r4
    movs    r1, r5
    ldm     r6!, {r2}
    movs    r3, #8
    bl      ecfit_mp_mac_row
    str     r0, [r4, #32]
    adds    r4, r4, #4
    cmp     r6, r7
    bne     1b
    mov     r12, r4                 /* behind the digits */
    mov     r1, sp
    movs    r5, #0
    movs    r7, #0                  /* what is carried into the next word 8 */
2:
    ldr     r2, [r1]
    negs    r3, r2
    movs    r4, r2
    sbcs    r4, r5
    adds    r4, r4, r7
    ldr     r6, [r1, #12]
    adds    r6, r6, r2
    str     r6, [r1, #12]
    ldr     r6, [r1, #16]
    adcs    r6, r5
    str     r6, [r1, #16]
    ldr     r6, [r1, #20]
    adcs    r6, r5
    str     r6, [r1, #20]
    ldr     r6, [r1, #24]
    adcs    r6, r2
    str     r6, [r1, #24]
    ldr     r6, [r1, #28]
    adcs    r6, r3
    str     r6, [r1, #28]
    ldr     r6, [r1, #32]
    adcs    r6, r4
    str     r6, [r1, #32]
    movs    r7, #0
    adcs    r7, r7
    adds    r1, r1, #4
    cmp     r1, r12
    bne     2b
    ldr     r0, [sp, #64]
    bl      ecfit_secp256r1_rows_once
    add     sp, #68
    pop     {r4-r7, pc}
    endfunction ecfit_secp256r1_rows_mul
