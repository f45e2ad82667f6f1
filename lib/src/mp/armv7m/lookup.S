/* void ecfit_mp_lookup(mp_word *r, const mp_word *table, mp_word index, size_t count, size_t n)
 * r = table[index], of count entries of n words; all are read.
 * in: index < count <= 2^14, count even, 8 <= n < 2^14 even
 * CT: all but count, n   Clobbers: r0-r3, r12, flags   Stack: 56 bytes
 * Cost: 37 + 305 n/8 (cortex-m3), with 8 entries, n a multiple of 8
 *
 * Eight words at a time, the last eight perhaps once more: all entries, each under a mask that
 * is all ones for the one alone, two entries a turn. r12 says how far that is; the
 * halves of lr are how many entries are left, and the bytes of one.
 */
    function ecfit_mp_lookup, 8
    push.w  {r4-r11, lr}
    ldr.w   r12, [sp, #36]
    sub.w   r3, r3, #2
    lsl.w   lr, r12, #2
    orr.w   lr, lr, r3, lsl #16
    sub.w   r12, r12, #8            /* words that are left after these */
    sub.w   sp, sp, #20
    strd    r1, r2, [sp]
    str.w   lr, [sp, #8]
    str.w   r0, [sp, #12]
1:
    str.w   r12, [sp, #16]
    mov.w   r12, r2
    movs    r4, #0
    movs    r5, #0
    movs    r6, #0
    movs    r7, #0
    mov.w   r8, #0
    mov.w   r9, #0
    mov.w   r10, #0
    mov.w   r11, #0
2:
    .rept 2
    subs.w  r12, r12, #1            /* r3: all ones where it was 0, so that an entry is taken */
    sbc.w   r3, r3, r3
    ldr     r0, [r1]
    ldr     r2, [r1, #4]
    and.w   r0, r0, r3
    and.w   r2, r2, r3
    orr.w   r4, r4, r0
    orr.w   r5, r5, r2
    ldr     r0, [r1, #8]
    ldr     r2, [r1, #12]
    and.w   r0, r0, r3
    and.w   r2, r2, r3
    orr.w   r6, r6, r0
    orr.w   r7, r7, r2
    ldr     r0, [r1, #16]
    ldr     r2, [r1, #20]
    and.w   r0, r0, r3
    and.w   r2, r2, r3
    orr.w   r8, r8, r0
    orr.w   r9, r9, r2
    ldr     r0, [r1, #24]
    ldr     r2, [r1, #28]
    and.w   r0, r0, r3
    and.w   r2, r2, r3
    orr.w   r10, r10, r0
    orr.w   r11, r11, r2
    uxth    r0, lr
    add     r1, r1, r0
    .endr
    subs.w  lr, lr, #0x20000
    bpl.w   2b
    ldrd    r1, r2, [sp]
    ldr.w   lr, [sp, #8]
    ldr.w   r0, [sp, #12]
    ldr.w   r12, [sp, #16]
    stm.w   r0, {r4-r11}
    movs    r3, #8                  /* how far to the next eight */
    cmp.w   r12, #8
    it      ls
    movls.w r3, r12
    sub.w   r12, r12, r3
    add.w   r0, r0, r3, lsl #2
    add.w   r1, r1, r3, lsl #2
    str.w   r1, [sp]
    str.w   r0, [sp, #12]
    cmp.w   r3, #0
    bne.w   1b
    add.w   sp, sp, #20
    pop.w   {r4-r11, pc}
    endfunction ecfit_mp_lookup
