/* void ecfit_inv_follow(int32_t *dem, const int32_t *t, size_t n, mp_word inv)
 * (d, e) = T (d, e)/2^30 modulo m; n limbs of d, e, m in turn, n above 1; T of 4 words;
 * inv = -1/m mod 2^32: mod_inv_follow of field/inverse/rows.inc.   in: any words
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 40 bytes
 * Cost: 55 + 24 n (cortex-m4), 57 + 23 n (cortex-m33)
 *
 * u, v, q, r in r4 to r7, the factors of m in r8 and r9, what is carried in r10, r11 and r12, lr.
 * The lowest limb, all zeros, is shifted out.
 */
    .macro follow_factor x, u, v
    mul     \x, \u, r12             /* which is near */
    mla     \x, \v, lr, \x
    add.w   \x, \x, #1
    asr.w   \x, \x, #1
    mul     r1, \u, r10
    mla     r1, \v, r11, r1
    mul     r1, r1, r3
    sub.w   r1, r1, \x
    sbfx    r1, r1, #0, #30
    add.w   \x, \x, r1
    .endm

    .macro follow_carry
    lsr.w   r10, r10, #30
    orr.w   r10, r10, r11, lsl #2
    asr.w   r11, r11, #30
    lsr.w   r12, r12, #30
    orr.w   r12, r12, lr, lsl #2
    asr.w   lr, lr, #30
    .endm

    function ecfit_inv_follow, 4
    add.w   r2, r2, r2, lsl #1
    add.w   r2, r0, r2, lsl #2      /* the end */
    push.w  {r2, r4-r11, lr}
    ldm.w   r1, {r4, r5, r6, r7}
    ldr     r12, [r2, #-12]         /* d and e by their signs: 1 where negative, else -1 */
    ldr     lr, [r2, #-8]
    ldr.w   r10, [r0]
    ldr.w   r11, [r0, #4]
    asr.w   r12, r12, #31
    asr.w   lr, lr, #31
    mvn     r12, r12, lsl #1
    mvn     lr, lr, lsl #1
    follow_factor r8, r4, r5
    follow_factor r9, r6, r7
    ldm.w   r0!, {r1, r2, r3}
    smull   r10, r11, r4, r1
    smlal   r10, r11, r5, r2
    smlal   r10, r11, r8, r3
    smull   r12, lr, r6, r1
    smlal   r12, lr, r7, r2
    smlal   r12, lr, r9, r3
    follow_carry
1:
    ldm.w   r0!, {r1, r2, r3}
    smlal   r10, r11, r4, r1
    smlal   r10, r11, r5, r2
    smlal   r10, r11, r8, r3
    smlal   r12, lr, r6, r1
    smlal   r12, lr, r7, r2
    smlal   r12, lr, r9, r3
    bic.w   r1, r10, #0xc0000000
    bic.w   r2, r12, #0xc0000000
    ldr.w   r3, [sp]
    str     r1, [r0, #-24]
    str     r2, [r0, #-20]
    follow_carry
    cmp.w   r0, r3
    bne.w   1b
    str     r10, [r0, #-12]
    str     r12, [r0, #-8]
    pop.w   {r2, r4-r11, pc}
    endfunction ecfit_inv_follow
