/* void ecfit_mp_mul_blocks(mp_word *t, const mp_word *a, const mp_word *b, size_t n)
 * t = a b.   in: n words each, n > 0 even; out: 2n words, not a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 56 bytes
 * Cost: 286 (cortex-m4, n = 8), 525 (cortex-m4, n = 12),
 * 840 (cortex-m4, n = 16), 1129 (cortex-m4, n = 18),
 * 245 (cortex-m33, n = 8), 454 (cortex-m33, n = 12),
 * 731 (cortex-m33, n = 16), 987 (cortex-m33, n = 18)
 *
 * Four words of a at a time, a0 to a3 in r4 to r7, times all words of b, one by one. With a word of
 * b goes a word of t, and the four words above it stand in r8 to r11: UMAAL takes them two by two,
 * and each low word is one column lower, so that they are in their places for the next word of b.
 * Behind the last two words of a, if n is not a multiple of 4, zeros make up four.
 */
    function ecfit_mp_mul_blocks, 4
    push.w  {r2-r11, lr}
    sub.w   sp, sp, #4
    mov.w   r4, #0
    mov.w   r5, #0
    mov.w   r12, r0
1:
    strd    r4, r5, [r12], #8
    subs.w  r3, r3, #2
    bne.w   1b
    ldr.w   r3, [sp, #8]
    add.w   lr, r1, r3, lsl #2      /* where a ends */
    str.w   lr, [sp]
2:
    ldr.w   r4, [r1]
    ldr.w   r5, [r1, #4]
    add.w   r12, r1, #8
    cmp.w   r12, lr
    beq.w   5f
    ldr.w   r6, [r1, #8]
    ldr.w   r7, [r1, #12]
    add.w   r12, r1, #16
3:
    push.w  {r0, r12}
    mov.w   r8, #0
    mov.w   r9, #0
    mov.w   r10, #0
    mov.w   r11, #0
4:
    ldr.w   r12, [r2, #4]
    ldr.w   r1, [r2], #8
    ldr.w   lr, [r0]
    subs.w  r3, r3, #2
    umaal   lr, r8, r4, r1
    umaal   r8, r9, r5, r1
    umaal   r9, r10, r6, r1
    umaal   r10, r11, r7, r1
    ldr.w   r1, [r0, #4]
    umaal   r1, r8, r4, r12
    umaal   r8, r9, r5, r12
    umaal   r9, r10, r6, r12
    umaal   r10, r11, r7, r12
    str.w   lr, [r0], #4
    str.w   r1, [r0], #4
    bne.w   4b
    strd    r8, r9, [r0], #8
    pop.w   {r4, r12}               /* t and a of this turn; a of the next */
    ldr.w   lr, [sp]
    ldrd    r2, r3, [sp, #4]
    mov.w   r1, r12
    cmp.w   r1, lr
    add.w   r4, r4, #16
    beq.w   6f
    strd    r10, r11, [r0]
    mov.w   r0, r4
    b.w     2b
5:
    mov.w   r6, #0
    mov.w   r7, #0
    b.w     3b
6:
    tst.w   r3, #2                  /* the others of the last four, unless there are only two */
    bne.w   7f
    strd    r10, r11, [r0]
7:
    add.w   sp, sp, #12
    pop.w   {r4-r11, pc}
    endfunction ecfit_mp_mul_blocks
