/* void ecfit_inv_follow(int32_t *dem, const int32_t *t, size_t n, mp_word inv)
 * (d, e) = T (d, e)/2^30 modulo m, n > 1 limbs of 30 bits of d, e, m in turn, T of 4 words,
 * inv = -1/m mod 2^32: mod_inv_follow of field/inverse/rows.inc.
 * in: m odd, below 2^(30 n - 1); d, e from -m to m, limbs not negative but for the highest;
 * absolute values in a row of T sum up to 2^30 at most   out: likewise
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

/* void ecfit_inv_reduce(int32_t *fg, const int32_t *t, size_t n)
 * (f, g) = T (f, g)/2^30, rounded down, n > 1 pairs of limbs of 30 bits, T of 4 words:
 * mod_inv_reduce of field/inverse/rows.inc.
 * in: absolute values of f, g below 2^(30 n - 1), limbs not negative but for the highest;
 * absolute values in a row of T sum up to 2^30 at most   out: likewise
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

/* mp_word ecfit_inv_steps(int32_t *t, mp_word f, mp_word g, mp_word zeta)
 * t = the matrix of 30 divsteps from the low limbs f and g, 4 words; returns zeta after them:
 * mod_inv_steps of field/inverse/steps_words.inc.
 * in: f odd; zeta from -2^30 to 2^30
 * out: rows of absolute values that sum up to 2^30 at most
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 28 bytes
 * Cost: 539 (cortex-m4), 566 (cortex-m33)
 *
 * u, v, q, r in r4 to r7. r8 is all ones where g is odd; r12 is all ones where, besides, f and g
 * change places; lr is -1 where f is added to g, 1 where it is subtracted.
 */
    function ecfit_inv_steps, 4
    push.w  {r4-r8, r10, lr}
    movs    r4, #1
    movs    r5, #0
    movs    r6, #0
    movs    r7, #1
    mov.w   r10, #30
1:
    sbfx    r8, r2, #0, #1
    and.w   r12, r8, r3, asr #31
    sub.w   lr, r8, r12, lsl #1
    eor.w   r3, r3, r12
    mls     r2, lr, r1, r2
    mls     r6, lr, r4, r6
    mls     r7, lr, r5, r7
    mls     r1, r12, r2, r1
    mls     r4, r12, r6, r4
    mls     r5, r12, r7, r5
    subs    r3, #1
    lsrs    r2, r2, #1
    lsls    r4, r4, #1
    lsls    r5, r5, #1
    subs.w  r10, r10, #1
    bne.w   1b
    stmia   r0!, {r4, r5, r6, r7}
    mov     r0, r3
    pop.w   {r4-r8, r10, pc}
    endfunction ecfit_inv_steps
