/* void ecfit_inv_reduce(int32_t *fg, const int32_t *t, size_t n)
 * (f, g) = T (f, g)/2^30, n pairs of limbs of 30 bits, n above 1, T of 4 words:
 * mod_inv_reduce of field/inverse/rows.inc.   in: any words
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 36 bytes
 * Cost: 24 + 20 n (cortex-m4), 20 + 19 n (cortex-m33)
 *
 * u, v, q, r in r4 to r7, what is carried in r8, r9 and r10, r11. The lowest limb, all zeros, is
 * shifted out.
 */
    .macro reduce_carry
    lsr.w   r8, r8, #30
    orr.w   r8, r8, r9, lsl #2
    asr.w   r9, r9, #30
    lsr.w   r10, r10, #30
    orr.w   r10, r10, r11, lsl #2
    asr.w   r11, r11, #30
    .endm

    function ecfit_inv_reduce, 4
    push.w  {r4-r11, lr}
    ldm.w   r1, {r4, r5, r6, r7}
    add.w   r2, r0, r2, lsl #3
    ldm.w   r0!, {r1, r3}
    smull   r8, r9, r4, r1
    smlal   r8, r9, r5, r3
    smull   r10, r11, r6, r1
    smlal   r10, r11, r7, r3
    reduce_carry
1:
    ldm.w   r0!, {r1, r3}
    smlal   r8, r9, r4, r1
    smlal   r8, r9, r5, r3
    smlal   r10, r11, r6, r1
    smlal   r10, r11, r7, r3
    bic.w   r1, r8, #0xc0000000
    bic.w   r3, r10, #0xc0000000
    str     r1, [r0, #-16]
    str     r3, [r0, #-12]
    reduce_carry
    cmp.w   r0, r2
    bne.w   1b
    str     r8, [r0, #-8]
    str     r10, [r0, #-4]
    pop.w   {r4-r11, pc}
    endfunction ecfit_inv_reduce
