/* void ecfit_mod_mul(mp_word *r, const mp_word *a, const mp_word *b, const mod *m, mp_word *t)
 * r = a b / R mod m, by rows.   in: m: odd, of n > 0 words; one of a, b below m; t: 2n words, lost
 * out: below m; r may be a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 64 bytes
 * Cost: 451 (cortex-m4, n = 4), 763 (cortex-m4, n = 6), 1163 (cortex-m4, n = 8),
 * 2227 (cortex-m4, n = 12), 3643 (cortex-m4, n = 16), 4483 (cortex-m4, n = 18),
 * 371 (cortex-m33, n = 4), 627 (cortex-m33, n = 6), 955 (cortex-m33, n = 8),
 * 1827 (cortex-m33, n = 12), 2987 (cortex-m33, n = 16), 3675 (cortex-m33, n = 18)
 *
 * For each word of b, t becomes t + a b[i] + q m with q such that its lowest word vanishes;
 * in one loop, so that words of t are read and written once. What is above t: one bit.
 */
    function ecfit_mod_mul, 4
    push.w  {r0, r4, r5, r6, r7, r8, r9, r10, r11, lr}
    ldr     r5, [sp, #40]           /* t */
    ldm     r3!, {r4, r6}           /* m, and R^2, which is not needed */
    ldm     r3!, {r6, r7}           /* -1/m, length */
    lsls    r7, #2                  /* in bytes */
    adds    r0, r2, r7              /* where b ends */
    push    {r0, r6}
    mov     lr, r2
    adds    r1, r7                  /* where a, m and the lower half of t end */
    adds    r4, r7
    adds    r5, r7
    movs    r3, #0
    mov     r8, r3                  /* what is above t */
    negs    r0, r7
1:
    str     r3, [r5, r0]
    adds    r0, #4
    bne     1b
2:
    negs    r0, r7
    ldr     r3, [r1, r0]
    ldr     r6, [r5, r0]
    ldr     r2, [sp, #4]
    ldr.w   r9, [lr], #4
    mla     r10, r3, r9, r6
    mul     r10, r10, r2            /* q */
    mov.w   r11, #0
    mov     r12, r11
3:
    ldr     r3, [r1, r0]
    ldr     r2, [r4, r0]
    ldr     r6, [r5, r0]
    umaal   r6, r11, r3, r9
    umaal   r6, r12, r2, r10
    str     r6, [r5, r0]
    adds    r0, #4
    bne     3b
    movs    r3, #1
    umaal   r11, r12, r8, r3        /* both carries and the bit */
    mov     r8, r12
    str.w   r11, [r5], #4
    ldr     r2, [sp]
    cmp     lr, r2
    bne     2b
    lsrs    r3, r7, #2
    str     r3, [sp]                /* for mp_add */
    ldr     r0, [sp, #8]
    subs    r1, r5, r7
    subs    r2, r4, r7
    bl      ecfit_mp_sub
    sub.w   r3, r8, r0
    ldr     r0, [sp, #8]
    mov     r1, r0
    subs    r2, r4, r7
    bl      ecfit_mp_add
    add     sp, #12
    pop.w   {r4, r5, r6, r7, r8, r9, r10, r11, pc}
    endfunction ecfit_mod_mul
