    .macro p256_save
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r10
    mov     r6, r11
    push    {r4-r6}
    .endm

    .macro p256_formula product, plus, minus
    push    {r0, r1}
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
    lsrs    r3, r3, #13
    bne     2f                      /* OP_SUB */
    bcc     4f                      /* OP_MUL */
    bl      \plus
    b       1b
2:
    bl      \minus
    b       1b
4:
    bl      \product
    b       1b
3:
    add     sp, #8
    .endm

    .macro p256_leave
    pop     {r4-r6}
    mov     r8, r4
    mov     r10, r5
    mov     r11, r6
    pop     {r4-r7, pc}
    .endm

    .macro p256_sum minus           /* by differences */
    push    {r0, r1, lr}
    sub     sp, #32
    mov     r0, sp
    bl      \minus
    mov     r0, sp
    mov     r1, sp
    ldr     r2, [sp, #36]
    bl      \minus
    ldr     r0, [sp, #32]
    ldr     r1, [sp, #36]
    mov     r2, sp
    bl      \minus
    add     sp, #40
    pop     {pc}
    .endm

/* void ecfit_secp256r1_run(mp_word *reg, const uint16_t *code)
 * A formula modulo p of P-256, as field/op.h has it, on registers of 8 words below p, which
 * products divide by 2^256: without loops in the products, squares are products.
 * CT: register contents   Clobbers: r0-r3, r12, flags   Stack: 200 bytes
 * Cost: 26187 (cortex-m0plus, n = 0), 26893 (cortex-m0, n = 0), 17993 (cortex-m3, n = 0)
 * n = 0 stands for the complete addition.
 */
    function ecfit_secp256r1_run
    p256_save
    p256_formula ecfit_secp256r1_both, ecfit_secp256r1_plus, ecfit_secp256r1_minus
    entry   ecfit_secp256r1_leave   /* the end of the two below, too */
    p256_leave
    endfunction ecfit_secp256r1_leave
    endfunction ecfit_secp256r1_run
/* void ecfit_secp256r1_fe_both(mp_word *r, const mp_word *a, const mp_word *b)
 * r = a b/2^256 mod p, by squares where a is b.   in: 8 words below p; r may be an operand
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 192 bytes
 * Cost: 1651 (cortex-m0plus), 1693 (cortex-m0), 1068 (cortex-m3)
 */
    entry   ecfit_secp256r1_fe_both
    p256_save
    bl      ecfit_secp256r1_both
    b       ecfit_secp256r1_leave
    endfunction ecfit_secp256r1_fe_both
/* void ecfit_mp_both_8(mp_word *t, const mp_word *a, const mp_word *b)
 * t = a * b, by squares where a is b.   in: 8 words each; out: 16, not a or b
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 120 bytes
 * Cost: 1461 (cortex-m0plus), 1498 (cortex-m0), 955 (cortex-m3)
 */
    entry   ecfit_mp_both_8
    p256_save
    bl      ecfit_both256
    b       ecfit_secp256r1_leave
    endfunction ecfit_mp_both_8
/* void ecfit_secp256r1_least_run(mp_word *reg, const uint16_t *code)
 * A formula modulo p of P-256, as field/op.h has it, on registers of 8 words below p, which
 * products divide by 2^256: with sums in few bytes; squares are products.
 * CT: register contents   Clobbers: r0-r3, r12, flags   Stack: 200 bytes
 * Cost: 29007 (cortex-m0plus, n = 0), 29813 (cortex-m0, n = 0), 21865 (cortex-m3, n = 0)
 * n = 0 stands for the complete addition.
 */
    function ecfit_secp256r1_least_run
    p256_save
    p256_formula ecfit_secp256r1_least_both, ecfit_secp256r1_least_plus, ecfit_secp256r1_least_minus
    entry   ecfit_secp256r1_least_leave /* the end of the one below, too */
    p256_leave
    endfunction ecfit_secp256r1_least_leave
    endfunction ecfit_secp256r1_least_run
/* void ecfit_secp256r1_least_fe_mul(mp_word *r, const mp_word *a, const mp_word *b)
 * r = a b/2^256 mod p.   in: 8 words below p; r may be an operand
 * CT: values   Clobbers: r0-r3, r12, flags   Stack: 192 bytes
 * Cost: 1651 (cortex-m0plus), 1693 (cortex-m0), 1146 (cortex-m3)
 */
    entry   ecfit_secp256r1_least_fe_mul
    p256_save
    bl      ecfit_secp256r1_least_both
    b       ecfit_secp256r1_least_leave
    endfunction ecfit_secp256r1_least_fe_mul
/* ecfit_secp256r1_least_plus: r0 = r1 + r2 mod p, 8 words each, below p
 * For the functions of this backend alone: all registers are lost but r9 and sp.
 * a - ((a - b) - a)
 */
    entry   ecfit_secp256r1_least_plus
    p256_sum ecfit_secp256r1_least_minus
    endfunction ecfit_secp256r1_least_plus
/* ecfit_secp256r1_least_both: r0 = r1 r2/2^256 mod p, 8 words each, below p
 * For the functions of this backend alone: all registers are lost but r9 and sp.
 */
    entry   ecfit_secp256r1_least_both
    push    {r0, lr}
    sub     sp, #64
    mov     r0, sp
    bl      ecfit_both256
    ldr     r0, [sp, #64]
    bl      ecfit_secp256r1_least_reduce
    add     sp, #68
    pop     {pc}
    endfunction ecfit_secp256r1_least_both
