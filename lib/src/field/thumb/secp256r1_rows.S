/* void ecfit_secp256r1_rows_linear(mp_word *r, const mp_word *a, const mp_word *b, int op)
 * r = a + b mod p for op OP_ADD, a - b mod p for OP_SUB.   in: 8 words below p of P-256 each;
 * r may be an operand
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
 * Cost: 169 (cortex-m0plus, n = 0), 175 (cortex-m0, n = 0)
 * n = 0 stands for a sum.
 */
    function ecfit_secp256r1_rows_linear
    push    {r4-r7, lr}
    bl      ecfit_secp256r1_rows_sum
    pop     {r4-r7, pc}
    endfunction ecfit_secp256r1_rows_linear

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

/* void ecfit_secp256r1_rows_run(mp_word *reg, const uint16_t *code)
 * A formula modulo p of P-256, as field/op.h has it, on registers of 8 words below p, which
 * products divide by 2^256.
 * CT: register contents   Clobbers: r0-r3, r12, flags   Stack: 136 bytes
 * Cost: 46056 (cortex-m0plus, n = 0), 47529 (cortex-m0, n = 0)
 * n = 0 stands for the complete addition.
 */
    function ecfit_secp256r1_rows_run
    push    {r0, r1, r4-r7, lr}
1:
    pop     {r4, r5}
    ldrh    r3, [r5]
    adds    r5, r5, #2
    push    {r4, r5}
    movs    r5, #15                 /* of a register's number, times its bytes */
    lsls    r5, r5, #5
    lsrs    r0, r3, #3
    ands    r0, r5
    adds    r0, r0, r4
    lsls    r1, r3, #1
    ands    r1, r5
    adds    r1, r1, r4
    lsls    r2, r3, #5
    ands    r2, r5
    adds    r2, r2, r4
    cmp     r3, #0
    beq     3f
    lsrs    r3, r3, #12
    beq     2f
    bl      ecfit_secp256r1_rows_sum
    b       1b
2:
    bl      ecfit_secp256r1_rows_mul
    b       1b
3:
    pop     {r0, r1, r4-r7, pc}
    endfunction ecfit_secp256r1_rows_run

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
