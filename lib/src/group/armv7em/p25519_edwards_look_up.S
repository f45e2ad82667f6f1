/* void ecfit_p25519_edwards_look_up(mp_word *r, const mp_word *table, mp_word index, mp_word count,
 *                                   mp_word negative)
 * r = table[index], of count entries of 24 words (y - x)/2, (y + x)/2, dxy, all of which are read;
 * where the mask `negative` is all ones, the first two exchanged, and 2^256 - 38 less the third.
 * in: index < count, count 4, 8, 12 or 16; dxy below 2^256 - 37
 * CT: all but count   Clobbers: r0-r3, r12, flags   Stack: 56 bytes
 * Cost: 187 + 255 n/4 (cortex-m4), 164 + 231 n/4 (cortex-m33), with n entries
 *
 * Eight words at a time: SEL takes those of an entry where halves of lr, added to themselves, both
 * carry: of the 16 places in each, from the top, one has a bit, the index-th.
 */
    function ecfit_p25519_edwards_look_up, 4
    push.w  {r4-r11, lr}
    sub.w   sp, sp, #20
    strd    r0, r1, [sp]
    add.w   r3, r3, r3, lsl #1
    add.w   r3, r1, r3, lsl #5
    str.w   r3, [sp, #8]            /* where the table ends */
    mov.w   r0, #0x8000
    lsr.w   r0, r0, r2
    orr.w   lr, r0, r0, lsl #16
    str.w   lr, [sp, #12]
    mov.w   r0, #3
1:
    str.w   r0, [sp, #16]           /* how often eight words are to come */
2:
    .rept 4
    uadd16  lr, lr, lr
    ldm.w   r1!, {r0, r2, r3, r12}
    sel     r4, r0, r4
    sel     r5, r2, r5
    sel     r6, r3, r6
    sel     r7, r12, r7
    ldm.w   r1!, {r0, r2, r3, r12}
    sel     r8, r0, r8
    sel     r9, r2, r9
    sel     r10, r3, r10
    sel     r11, r12, r11
    add.w   r1, r1, #64
    .endr
    ldr.w   r0, [sp, #8]
    cmp.w   r1, r0
    bne.w   2b
    ldrd    r2, r1, [sp]
    ldr.w   lr, [sp, #12]
    ldr.w   r3, [sp, #16]
    add.w   r1, r1, #32             /* eight words on */
    add.w   r0, r0, #32
    str.w   r0, [sp, #8]
    subs.w  r0, r3, #1
    beq.w   3f
    stm.w   r2!, {r4-r11}
    strd    r2, r1, [sp]
    b.w     1b
3:
    ldr.w   r3, [sp, #56]
    eor.w   r4, r4, r3
    eor.w   r5, r5, r3
    eor.w   r6, r6, r3
    eor.w   r7, r7, r3
    eor.w   r8, r8, r3
    eor.w   r9, r9, r3
    eor.w   r10, r10, r3
    eor.w   r11, r11, r3
    and.w   r1, r3, #37
    subs.w  r4, r4, r1
    sbcs    r5, r5, #0
    sbcs    r6, r6, #0
    sbcs    r7, r7, #0
    sbcs    r8, r8, #0
    sbcs    r9, r9, #0
    sbcs    r10, r10, #0
    sbc     r11, r11, #0
    stm.w   r2, {r4-r11}
    sub.w   r1, r2, #64
    sub.w   r2, r2, #32
    uadd8   r3, r3, r3
    .rept 2
    ldm.w   r1, {r4-r7}
    ldm.w   r2, {r8-r11}
    sel     r0, r8, r4
    sel     r3, r9, r5
    sel     r12, r10, r6
    sel     lr, r11, r7
    sel     r8, r4, r8
    sel     r9, r5, r9
    sel     r10, r6, r10
    sel     r11, r7, r11
    stm.w   r1!, {r0, r3, r12, lr}
    stm.w   r2!, {r8-r11}
    .endr
    add.w   sp, sp, #20
    pop.w   {r4-r11, pc}
    endfunction ecfit_p25519_edwards_look_up
