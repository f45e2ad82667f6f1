/* void ecfit_inv_follow_15(int16_t *dem, const int32_t *t, size_t n, mp_word inv)
 * (d, e) = T (d, e)/2^15 modulo m, n > 1 limbs of 15 bits of d, e, m in turn, T of 4 words,
 * inv = -1/m mod 2^32: mod_inv_follow of field/inverse/rows.inc.
 * in: m odd, below 2^(15 n - 1); d, e from -m to m, limbs not negative but for the highest;
 * absolute values in a row of T sum up to 2^15 at most   out: likewise
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 36 bytes
 * Cost: 94 + 41 n (cortex-m0plus), 93 + 42 n (cortex-m0)
 *
 * u, v, q, r in r8, r10, r11, r12, the factors of m in lr and r4, what is carried in r6 and r7; on
 * the stack where the highest limb is. The lowest limb, all zeros, is shifted out.
 */
    .macro factor_15 x, u, v
    mov     r5, \u
    muls    r5, r6, r5              /* which is near */
    mov     \x, \v
    muls    \x, r7, \x
    adds    \x, \x, r5
    adds    \x, \x, #1
    asrs    \x, \x, #1
    ldrh    r5, [r0]
    sxth    r5, r5
    mov     r2, \u
    muls    r5, r2, r5
    ldrh    r1, [r0, #2]
    sxth    r1, r1
    mov     r2, \v
    muls    r1, r2, r1
    adds    r5, r5, r1
    muls    r5, r3, r5
    subs    r5, r5, \x
    lsls    r5, r5, #17
    asrs    r5, r5, #17
    adds    \x, \x, r5
    .endm

    .macro follow_limb_15 at
    ldrh    r1, [r0, #\at]
    ldrh    r2, [r0, #\at + 2]
    ldrh    r3, [r0, #\at + 4]
    sxth    r1, r1
    sxth    r2, r2
    mov     r5, r8
    muls    r5, r1, r5
    adds    r6, r6, r5
    mov     r5, r10
    muls    r5, r2, r5
    adds    r6, r6, r5
    mov     r5, lr
    muls    r5, r3, r5
    adds    r6, r6, r5
    mov     r5, r11
    muls    r1, r5, r1
    adds    r7, r7, r1
    mov     r5, r12
    muls    r2, r5, r2
    adds    r7, r7, r2
    muls    r3, r4, r3
    adds    r7, r7, r3
    .endm

    function ecfit_inv_follow_15
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r10
    mov     r6, r11
    push    {r4-r6}
    subs    r2, r2, #1
    movs    r4, #6
    muls    r2, r4, r2
    adds    r2, r2, r0              /* the highest limb */
    push    {r2}
    ldm     r1!, {r4, r5, r6, r7}
    mov     r8, r4
    mov     r10, r5
    mov     r11, r6
    mov     r12, r7
    ldrh    r6, [r2]                /* d and e by their signs: 1 where negative, else -1 */
    ldrh    r7, [r2, #2]
    sxth    r6, r6
    sxth    r7, r7
    asrs    r6, r6, #31
    asrs    r7, r7, #31
    lsls    r6, r6, #1
    lsls    r7, r7, #1
    mvns    r6, r6
    mvns    r7, r7
    factor_15 r4, r8, r10
    mov     lr, r4
    factor_15 r4, r11, r12
    movs    r6, #0
    movs    r7, #0
    follow_limb_15 0
1:
    asrs    r6, r6, #15
    asrs    r7, r7, #15
    follow_limb_15 6
    lsls    r1, r6, #17
    lsls    r2, r7, #17
    lsrs    r1, r1, #17
    lsrs    r2, r2, #17
    strh    r1, [r0]
    strh    r2, [r0, #2]
    adds    r0, #6
    ldr     r1, [sp]
    cmp     r0, r1
    bne     1b
    asrs    r6, r6, #15
    asrs    r7, r7, #15
    strh    r6, [r0]
    strh    r7, [r0, #2]
    pop     {r2, r4-r6}
    mov     r8, r4
    mov     r10, r5
    mov     r11, r6
    pop     {r4-r7, pc}
    endfunction ecfit_inv_follow_15

/* void ecfit_inv_reduce_15(int16_t *fg, const int32_t *t, size_t n)
 * (f, g) = T (f, g)/2^15, rounded down, n > 1 pairs of limbs of 15 bits, T of 4 words:
 * mod_inv_reduce of field/inverse/rows.inc.
 * in: absolute values of f, g below 2^(15 n - 1), limbs not negative but for the highest;
 * absolute values in a row of T sum up to 2^15 at most   out: likewise
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 32 bytes
 * Cost: 35 + 32 n (cortex-m0plus), 34 + 33 n (cortex-m0)
 *
 * u, v, q, r in r8, r10, r11, r12, what is carried in r6 and r7. The lowest limb, all zeros, is
 * shifted out.
 */
    .macro reduce_limb_15 at
    ldrh    r1, [r0, #\at]
    ldrh    r2, [r0, #\at + 2]
    sxth    r1, r1
    sxth    r2, r2
    mov     r3, r8
    muls    r3, r1, r3
    adds    r6, r6, r3
    mov     r3, r10
    muls    r3, r2, r3
    adds    r6, r6, r3
    mov     r3, r11
    muls    r1, r3, r1
    adds    r7, r7, r1
    mov     r3, r12
    muls    r2, r3, r2
    adds    r7, r7, r2
    .endm

    function ecfit_inv_reduce_15
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r10
    mov     r6, r11
    push    {r4-r6}
    lsls    r4, r2, #2
    adds    r4, r4, r0
    subs    r4, #4                  /* the highest limb */
    ldm     r1!, {r2, r3, r5, r6}
    mov     r8, r2
    mov     r10, r3
    mov     r11, r5
    mov     r12, r6
    movs    r6, #0
    movs    r7, #0
    reduce_limb_15 0
    ldr     r5, =0x7fff
1:
    asrs    r6, r6, #15
    asrs    r7, r7, #15
    reduce_limb_15 4
    movs    r1, r6
    ands    r1, r5
    movs    r2, r7
    ands    r2, r5
    strh    r1, [r0]
    strh    r2, [r0, #2]
    adds    r0, #4
    cmp     r0, r4
    bne     1b
    asrs    r6, r6, #15
    asrs    r7, r7, #15
    strh    r6, [r0]
    strh    r7, [r0, #2]
    pop     {r4-r6}
    mov     r8, r4
    mov     r10, r5
    mov     r11, r6
    pop     {r4-r7, pc}
    .pool
    endfunction ecfit_inv_reduce_15

/* mp_word ecfit_inv_steps_15(int32_t *t, mp_word f, mp_word g, mp_word zeta)
 * t = the matrix of 15 divsteps from the low limbs f and g, 4 words; returns zeta after them:
 * mod_inv_steps of field/inverse/steps_pairs.inc.
 * in: f odd; zeta from -2^30 to 2^30
 * out: rows of absolute values that sum up to 2^15 at most
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 24 bytes
 * Cost: 365 (cortex-m0plus), 369 (cortex-m0)
 *
 * The rows in r4 and r5. r7 is all ones where g is odd and f and g change places; r0 is -1 where f
 * is added to g, 1 where it is subtracted.
 */
    .macro entries_of row
    adds    r6, \row, r7
    uxth    r6, r6
    subs    r6, r6, r7
    subs    \row, \row, r6
    lsrs    \row, \row, #16
    adds    \row, \row, r7
    uxth    \row, \row
    subs    \row, \row, r7
    stm     r0!, {r6}
    stm     r0!, {\row}
    .endm

    function ecfit_inv_steps_15
    push    {r0, r4-r7, lr}
    movs    r4, #1
    lsls    r5, r4, #16
    movs    r6, #3
1:
    mov     r12, r6
    .rept 5
    lsls    r0, r2, #31
    asrs    r0, r0, #31
    asrs    r7, r3, #31
    ands    r7, r0
    lsls    r6, r7, #1
    subs    r0, r0, r6
    movs    r6, r1
    muls    r6, r0, r6
    subs    r2, r2, r6
    muls    r0, r4, r0
    subs    r5, r5, r0
    eors    r3, r7
    subs    r3, r3, #1
    movs    r6, r2
    muls    r6, r7, r6
    subs    r1, r1, r6
    muls    r7, r5, r7
    subs    r4, r4, r7
    lsrs    r2, r2, #1
    lsls    r4, r4, #1
    .endr
    mov     r6, r12
    subs    r6, r6, #1
    beq     2f
    b       1b
2:
    pop     {r0}
    movs    r7, #1
    lsls    r7, r7, #15
    subs    r7, r7, #1
    entries_of r4
    entries_of r5
    movs    r0, r3
    pop     {r4-r7, pc}
    endfunction ecfit_inv_steps_15
