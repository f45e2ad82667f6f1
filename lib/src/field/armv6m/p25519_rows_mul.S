/* void ecfit_p25519_rows_mul(mp_word *r, const mp_word *a, const mp_word *b)
 * r = a b mod 2^255 - 19, below 2^255 + 2^11.   in: 8 words of any value; r may be an operand
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 108 bytes
 * Cost: 2853 (cortex-m0plus), 2944 (cortex-m0)
 *
 * The entry ecfit_p25519_rows_product is for the interpreter: with r3 = OP_MUL it is the same, with
 * OP_SMALL the product with the lowest word of b alone.
 */
    function ecfit_p25519_rows_mul
    movs    r3, #0
    entry   ecfit_p25519_rows_product
    push    {r0, r4-r7, lr}
    movs    r5, r1
    movs    r6, r2
    movs    r7, #32                 /* 8 words, or one: OP_SMALL is 3 */
    lsrs    r7, r3
    adds    r7, r7, r2              /* where they end */
    movs    r0, #0
    movs    r1, #0
    movs    r2, #0
    movs    r3, #0
    push    {r0-r3}
    push    {r0-r3}
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
    mov     r0, sp                  /* the low half and 38 times the high one */
    add     r1, sp, #32
    movs    r2, #38
    movs    r3, #8
    bl      ecfit_mp_mac_row
    movs    r2, r0
    movs    r3, #0
    ldr     r0, [sp, #64]
    mov     r1, sp
    bl      ecfit_p25519_rows_lower
    add     sp, #68
    pop     {r4-r7, pc}
    endfunction ecfit_p25519_rows_product
    endfunction ecfit_p25519_rows_mul
