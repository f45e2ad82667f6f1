/* void ecfit_p25519_edwards_look_up_digits(mp_word *r, const mp_word *table, const mp_word *s,
 *                                          mp_word shift)
 * r = an entry of a table of 8, of 24 words (y - x)/2, (y + x)/2, dxy, all of which are read: the
 * one whose number stands in bit `shift` of s[0], s[2] and s[4], the lowest first. Where that bit
 * of s[6] is 0, the opposite of the entry of the number's complement, 7 less it: the first two
 * exchanged, and 2^256 - 38 less the third.
 * in: s 7 words; shift < 32; dxy below 2^256 - 37
 * CT: all but shift   Clobbers: r0-r3, r12, flags   Stack: 48 bytes
 * Cost: 575 (cortex-m4), 509 (cortex-m33)
 *
 * Eight words at a time, the third coordinate first: those of entry 0, and SEL takes others where
 * halves of lr, added to themselves, both carry: of the 16 places in each, from the top, one has a
 * bit, the one before that of the number; none for entry 0.
 */
    function ecfit_p25519_edwards_look_up_digits, 4
    push.w  {r0, r3-r11, lr}
    ldr.w   r4, [r2]
    ldr.w   r5, [r2, #8]
    ldr.w   r6, [r2, #16]
    ldr.w   r7, [r2, #24]
    lsr.w   r4, r4, r3
    lsr.w   r5, r5, r3
    lsr.w   r6, r6, r3
    lsr.w   r7, r7, r3
    bfi     r5, r6, #1, #31
    bfi     r4, r5, #1, #31
    and.w   r7, r7, #1
    sub.w   r7, r7, #1              /* all ones: negative */
    eor.w   r4, r4, r7
    and.w   r4, r4, #7
    mov.w   r0, #0x10000
    lsr.w   r0, r0, r4
    uxth.w  r0, r0
    orr.w   lr, r0, r0, lsl #16
    str.w   r7, [sp, #4]
    str.w   lr, [sp, #-4]!
    add.w   r0, r1, #64
    ldm.w   r0, {r4-r11}
    .irp    at, 96, 192, 288, 384, 480, 576, 672
    uadd16  lr, lr, lr
    ldr.w   r0, [r1, #\at + 64]
    ldr.w   r2, [r1, #\at + 68]
    ldr.w   r3, [r1, #\at + 72]
    ldr.w   r12, [r1, #\at + 76]
    sel     r4, r0, r4
    sel     r5, r2, r5
    sel     r6, r3, r6
    sel     r7, r12, r7
    ldr.w   r0, [r1, #\at + 80]
    ldr.w   r2, [r1, #\at + 84]
    ldr.w   r3, [r1, #\at + 88]
    ldr.w   r12, [r1, #\at + 92]
    sel     r8, r0, r8
    sel     r9, r2, r9
    sel     r10, r3, r10
    sel     r11, r12, r11
    .endr
    ldrd    r0, r3, [sp, #4]
    eor.w   r4, r4, r3
    eor.w   r5, r5, r3
    eor.w   r6, r6, r3
    eor.w   r7, r7, r3
    eor.w   r8, r8, r3
    eor.w   r9, r9, r3
    eor.w   r10, r10, r3
    eor.w   r11, r11, r3
    and.w   r3, r3, #37
    subs.w  r4, r4, r3
    sbcs    r5, r5, #0
    sbcs    r6, r6, #0
    sbcs    r7, r7, #0
    sbcs    r8, r8, #0
    sbcs    r9, r9, #0
    sbcs    r10, r10, #0
    sbc     r11, r11, #0
    add.w   r0, r0, #64
    stm.w   r0, {r4-r11}
    ldr.w   lr, [sp]
    ldm.w   r1, {r4-r11}
    .irp    at, 96, 192, 288, 384, 480, 576, 672
    uadd16  lr, lr, lr
    ldr.w   r0, [r1, #\at]
    ldr.w   r2, [r1, #\at + 4]
    ldr.w   r3, [r1, #\at + 8]
    ldr.w   r12, [r1, #\at + 12]
    sel     r4, r0, r4
    sel     r5, r2, r5
    sel     r6, r3, r6
    sel     r7, r12, r7
    ldr.w   r0, [r1, #\at + 16]
    ldr.w   r2, [r1, #\at + 20]
    ldr.w   r3, [r1, #\at + 24]
    ldr.w   r12, [r1, #\at + 28]
    sel     r8, r0, r8
    sel     r9, r2, r9
    sel     r10, r3, r10
    sel     r11, r12, r11
    .endr
    pop     {lr}
    ldr.w   r0, [sp]
    stm.w   r0, {r4-r11}
    add.w   r0, r1, #32
    ldm.w   r0, {r4-r11}
    .irp    at, 96, 192, 288, 384, 480, 576, 672
    uadd16  lr, lr, lr
    ldr.w   r0, [r1, #\at + 32]
    ldr.w   r2, [r1, #\at + 36]
    ldr.w   r3, [r1, #\at + 40]
    ldr.w   r12, [r1, #\at + 44]
    sel     r4, r0, r4
    sel     r5, r2, r5
    sel     r6, r3, r6
    sel     r7, r12, r7
    ldr.w   r0, [r1, #\at + 48]
    ldr.w   r2, [r1, #\at + 52]
    ldr.w   r3, [r1, #\at + 56]
    ldr.w   r12, [r1, #\at + 60]
    sel     r8, r0, r8
    sel     r9, r2, r9
    sel     r10, r3, r10
    sel     r11, r12, r11
    .endr
    pop     {r2, r3}
    uadd8   r3, r3, r3              /* negative: four carries */
    ldm.w   r2, {r1, r3, r12, lr}
    sel     r0, r4, r1
    sel     r4, r1, r4
    sel     r1, r5, r3
    sel     r5, r3, r5
    sel     r3, r6, r12
    sel     r6, r12, r6
    sel     r12, r7, lr
    sel     r7, lr, r7
    stm.w   r2!, {r0, r1, r3, r12}
    ldm.w   r2, {r1, r3, r12, lr}
    sel     r0, r8, r1
    sel     r8, r1, r8
    sel     r1, r9, r3
    sel     r9, r3, r9
    sel     r3, r10, r12
    sel     r10, r12, r10
    sel     r12, r11, lr
    sel     r11, lr, r11
    stm.w   r2!, {r0, r1, r3, r12}
    stm.w   r2, {r4-r11}
    pop.w   {r4-r11, pc}
    endfunction ecfit_p25519_edwards_look_up_digits
