/* void ecfit_mp_lookup(mp_word *r, const mp_word *table, mp_word index, size_t count, size_t n)
 * r = table[index], of count entries of n words; all are read.   in: index < count <= 2^14, n >= 8 even
 * CT: all but count, n   Clobbers: r0-r3, r12, flags   Stack: 52 bytes
 * Cost: 37 + 262 n/8 (cortex-m4), 30 + 226 n/8 (cortex-m33), with 8 entries, n a multiple of 8
 *
 * Eight words at a time, the last eight perhaps once more: the sum of all entries, each times 1 where it is the one and times 0
 * where not. The two halves of r2 count what is left, and say how far the one is, 2^14 at it.
 */
    function ecfit_mp_lookup, 4
    push.w  {r4-r11, lr}
    ldr.w   lr, [sp, #36]
    add.w   r2, r2, #0x4000
    sub.w   r3, r3, #1
    orr.w   r2, r2, r3, lsl #16
    sub.w   r12, lr, #8             /* words that are left after these */
    lsl.w   lr, lr, #2
    sub.w   sp, sp, #16
    strd    r1, r2, [sp]
    str.w   r0, [sp, #8]
1:
    str.w   r12, [sp, #12]
    mov.w   r4, #0
    mov.w   r5, #0
    mov.w   r6, #0
    mov.w   r7, #0
    mov.w   r8, #0
    mov.w   r9, #0
    mov.w   r10, #0
    mov.w   r11, #0
2:
    uxth.w  r3, r2
    sub.w   r3, r3, #0x4000
    clz     r3, r3
    lsr.w   r3, r3, #5
    ldr.w   r0, [r1]
    ldr.w   r12, [r1, #4]
    mla     r4, r0, r3, r4
    mla     r5, r12, r3, r5
    ldr.w   r0, [r1, #8]
    ldr.w   r12, [r1, #12]
    mla     r6, r0, r3, r6
    mla     r7, r12, r3, r7
    ldr.w   r0, [r1, #16]
    ldr.w   r12, [r1, #20]
    mla     r8, r0, r3, r8
    mla     r9, r12, r3, r9
    ldr.w   r0, [r1, #24]
    ldr.w   r12, [r1, #28]
    mla     r10, r0, r3, r10
    mla     r11, r12, r3, r11
    add.w   r1, r1, lr
    subs.w  r2, r2, #0x10001
    bpl.w   2b
    ldrd    r1, r2, [sp]
    ldr.w   r0, [sp, #8]
    ldr.w   r12, [sp, #12]
    stm.w   r0, {r4-r11}
    cmp.w   r12, #8
    it      hi
    movhi.w r3, #8                  /* how far to the next eight */
    it      ls
    movls.w r3, r12
    sub.w   r12, r12, r3
    add.w   r0, r0, r3, lsl #2
    add.w   r1, r1, r3, lsl #2
    strd    r1, r2, [sp]
    str.w   r0, [sp, #8]
    cmp.w   r3, #0
    bne.w   1b
    add.w   sp, sp, #16
    pop.w   {r4-r11, pc}
    endfunction ecfit_mp_lookup
