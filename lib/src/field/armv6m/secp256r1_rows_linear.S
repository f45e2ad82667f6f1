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
