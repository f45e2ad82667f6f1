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

/* void ecfit_p25519_rows_run(mp_word *reg, const uint16_t *code)
 * A formula modulo 2^255 - 19, as field/op.h has it, on registers of 8 words of any value:
 * products below 2^255 + 2^11, sums below 2^255 + 2^6, differences below 2^256.
 * CT: register contents   Clobbers: r0-r3, r12, flags   Stack: 136 bytes
 * Cost: 27954 (cortex-m0plus, n = 0), 28874 (cortex-m0, n = 0)
 * n = 0 stands for the step of X25519.
 */
    function ecfit_p25519_rows_run
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
    beq     4f
    lsrs    r3, r3, #12
    beq     2f
    cmp     r3, #3
    beq     2f
    bl      ecfit_p25519_rows_sum
    b       1b
2:
    bl      ecfit_p25519_rows_product
    b       1b
4:
    pop     {r0, r1, r4-r7, pc}
    endfunction ecfit_p25519_rows_run

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
