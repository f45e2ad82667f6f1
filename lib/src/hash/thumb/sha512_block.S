/* void ecfit_sha512_block(mp_word *h, const mp_word *w, const mp_word *k)
 * h = compression of h and the block w: 16, 32 and 160 words, the lower one of 64 bits first
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 488 bytes
 * Cost: 9650 (cortex-m3), 9650 (cortex-m4), 9193 (cortex-m33)
 *
 * a, e and the exclusive or of b and c stay in r4 to r9, the lower word first; all variables
 * stand at sp, a first. A round puts e where d was and a below the others, and so moves sp down
 * over them. The schedule lies backwards 312 bytes behind, so that it moves along; a new word goes
 * below it and, for the next 16 rounds, where the oldest one was. After 16 rounds the variables
 * are copied back. lr: constants; r12: rounds that are left.
 */
    function ecfit_sha512_block, 4
    push.w  {r0, r4-r11, lr}
    sub.w   sp, sp, #320
    add.w   r3, sp, #320
    add.w   r12, sp, #192
1:
    ldm.w   r1!, {r4-r7}
    strd    r4, r5, [r3, #-8]!
    strd    r6, r7, [r3, #-8]!
    cmp.w   r3, r12
    bne.w   1b
    mov.w   lr, r2
    add.w   r1, r0, #32
    add.w   r12, sp, #32
    ldm.w   r1, {r4-r11}
    stm.w   r12, {r4-r11}
    mov.w   r2, r4
    mov.w   r3, r5
    ldm.w   r0, {r4-r11}
    stm.w   sp, {r4-r11}
    eor.w   r8, r8, r6
    eor.w   r9, r9, r7
    mov.w   r6, r2
    mov.w   r7, r3
    mov.w   r12, #80
2:
    ldr.w   r10, [sp, #40]
    ldr.w   r11, [sp, #44]
    ldr.w   r0, [sp, #48]
    ldr.w   r1, [sp, #52]
    ldr.w   r2, [sp, #56]
    ldr.w   r3, [sp, #60]
    eor.w   r10, r10, r0            /* h + Ch(e, f, g) */
    eor.w   r11, r11, r1
    and.w   r10, r10, r6
    and.w   r11, r11, r7
    eor.w   r10, r10, r0
    eor.w   r11, r11, r1
    adds.w  r2, r2, r10
    adc.w   r3, r3, r11
    ldm.w   lr!, {r0, r1}
    ldr.w   r10, [sp, #312]
    ldr.w   r11, [sp, #316]
    adds.w  r2, r2, r0              /* + constant + word of the schedule */
    adc.w   r3, r3, r1
    adds.w  r2, r2, r10
    adc.w   r3, r3, r11
    lsr.w   r0, r6, #14             /* + e turned by 14, 18, 41 */
    lsr.w   r1, r7, #14
    eor.w   r0, r0, r7, lsl #18
    eor.w   r1, r1, r6, lsl #18
    eor.w   r0, r0, r6, lsr #18
    eor.w   r1, r1, r7, lsr #18
    eor.w   r0, r0, r7, lsl #14
    eor.w   r1, r1, r6, lsl #14
    eor.w   r0, r0, r7, lsr #9
    eor.w   r1, r1, r6, lsr #9
    eor.w   r0, r0, r6, lsl #23
    eor.w   r1, r1, r7, lsl #23
    adds.w  r2, r2, r0
    adc.w   r3, r3, r1
    ldr.w   r0, [sp, #24]
    ldr.w   r1, [sp, #28]
    ldr.w   r10, [sp, #8]
    ldr.w   r11, [sp, #12]
    adds.w  r6, r2, r0              /* the next e */
    adc.w   r7, r3, r1
    str.w   r6, [sp, #24]
    str.w   r7, [sp, #28]
    eor.w   r0, r4, r10             /* + Maj(a, b, c) = b ^ (a ^ b) & (b ^ c) */
    eor.w   r1, r5, r11
    and.w   r8, r8, r0
    and.w   r9, r9, r1
    eor.w   r8, r8, r10
    eor.w   r9, r9, r11
    adds.w  r2, r2, r8
    adc.w   r3, r3, r9
    mov.w   r8, r0
    mov.w   r9, r1
    lsr.w   r0, r4, #28             /* + a turned by 28, 34, 39: the next a */
    lsr.w   r1, r5, #28
    eor.w   r0, r0, r5, lsl #4
    eor.w   r1, r1, r4, lsl #4
    eor.w   r0, r0, r5, lsr #2
    eor.w   r1, r1, r4, lsr #2
    eor.w   r0, r0, r4, lsl #30
    eor.w   r1, r1, r5, lsl #30
    eor.w   r0, r0, r5, lsr #7
    eor.w   r1, r1, r4, lsr #7
    eor.w   r0, r0, r4, lsl #25
    eor.w   r1, r1, r5, lsl #25
    adds.w  r4, r2, r0
    adc.w   r5, r3, r1
    push.w  {r4, r5}
    cmp.w   r12, #16
    ble.w   3f
    ldr.w   r0, [sp, #312]          /* the schedule's word 16 rounds on */
    ldr.w   r1, [sp, #316]
    ldr.w   r2, [sp, #320]
    ldr.w   r3, [sp, #324]
    lsr.w   r10, r0, #1
    lsr.w   r11, r1, #1
    eor.w   r10, r10, r1, lsl #31
    eor.w   r11, r11, r0, lsl #31
    eor.w   r10, r10, r0, lsr #8
    eor.w   r11, r11, r1, lsr #8
    eor.w   r10, r10, r1, lsl #24
    eor.w   r11, r11, r0, lsl #24
    eor.w   r10, r10, r0, lsr #7
    eor.w   r11, r11, r1, lsr #7
    eor.w   r10, r10, r1, lsl #25
    adds.w  r2, r2, r10
    adc.w   r3, r3, r11
    ldr.w   r0, [sp, #248]
    ldr.w   r1, [sp, #252]
    ldr.w   r10, [sp, #208]
    ldr.w   r11, [sp, #212]
    adds.w  r2, r2, r0
    adc.w   r3, r3, r1
    lsr.w   r0, r10, #19
    lsr.w   r1, r11, #19
    eor.w   r0, r0, r11, lsl #13
    eor.w   r1, r1, r10, lsl #13
    eor.w   r0, r0, r10, lsl #3
    eor.w   r1, r1, r11, lsl #3
    eor.w   r0, r0, r11, lsr #29
    eor.w   r1, r1, r10, lsr #29
    eor.w   r0, r0, r10, lsr #6
    eor.w   r1, r1, r11, lsr #6
    eor.w   r0, r0, r11, lsl #26
    adds.w  r2, r2, r0
    adc.w   r3, r3, r1
    str.w   r2, [sp, #192]
    str.w   r3, [sp, #196]
    str.w   r2, [sp, #320]
    str.w   r3, [sp, #324]
3:
    sub.w   r12, r12, #1
    tst.w   r12, #15
    bne.w   2b
    .irp    at, 0, 16, 32, 48
    ldr.w   r0, [sp, #\at]
    ldr.w   r1, [sp, #\at + 4]
    ldr.w   r2, [sp, #\at + 8]
    ldr.w   r3, [sp, #\at + 12]
    str.w   r0, [sp, #\at + 128]
    str.w   r1, [sp, #\at + 132]
    str.w   r2, [sp, #\at + 136]
    str.w   r3, [sp, #\at + 140]
    .endr
    add.w   sp, sp, #128
    cmp.w   r12, #0
    bne.w   2b
    ldr.w   r0, [sp, #320]
    mov.w   r12, #4
4:
    pop.w   {r4-r7}
    ldm.w   r0, {r8-r11}
    adds.w  r8, r8, r4
    adc.w   r9, r9, r5
    adds.w  r10, r10, r6
    adc.w   r11, r11, r7
    stm.w   r0!, {r8-r11}
    subs.w  r12, r12, #1
    bne.w   4b
    add.w   sp, sp, #256
    pop.w   {r0, r4-r11, pc}
    endfunction ecfit_sha512_block
