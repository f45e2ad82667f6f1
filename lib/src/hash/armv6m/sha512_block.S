/* void ecfit_sha512_block(mp_word *h, const mp_word *w, const mp_word *k)
 * h = compression of h and the block w: 16, 32 and 160 words, the lower one of 64 bits first
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 228 bytes
 * Cost: 47735 (cortex-m0plus), 51453 (cortex-m0)
 *
 * At sp stand h to a, the last one first, then 16 words of the schedule, then the one that a round
 * makes. A round puts the next a where the first word of the schedule was, and then all move down
 * by a place: so every place is one of sp. r12: constants; behind the places: h, rounds that are
 * left.
 *
 * What a round does twice or more is done by functions, which add to the place at r1:
 * 5: rotations of the third of three places from r0, and its choice of the other two, or, where
 *    bit 0 of r6 is set, the majority of the three: Maj(a, b, c) = Ch(a ^ c, b, c)
 * 6: the exclusive or of rotations of r2, r3 (the higher one) by the bytes of r6, each from the one
 *    before; 7: with r5 for its higher half. A shift is a rotation without the bits that come
 *    around. A rotation of two words by n is one of each, and the upper n bits of both change where
 *    they differ.
 * 8: r4, r5; 9: what stands at r0, which goes on.
 */
    function ecfit_sha512_block, 4
    movs    r3, #80
    push    {r0, r3-r7, lr}
    mov     r12, r2
    sub     sp, #136
    mov     r3, sp
    movs    r2, #8
1:
    ldm     r1!, {r4-r7}
    stm     r3!, {r4-r7}
    ldm     r0!, {r4, r5}
    push    {r4, r5}
    subs    r2, r2, #1
    bne     1b
2:
    add     r0, sp, #64
    ldm     r0!, {r4, r5}
    str     r4, [sp, #192]          /* the schedule's word 16 rounds on */
    str     r5, [sp, #196]
    add     r1, sp, #192
    ldm     r0!, {r2, r3}
    lsls    r5, r2, #25
    ldr     r6, 10f
    bl      7f
    add     r0, sp, #136
    bl      9f
    ldr     r3, [sp, #176]          /* halves changed: a rotation by 32 */
    ldr     r2, [sp, #180]
    lsls    r5, r3, #26
    ldr     r6, 11f
    bl      7f
    add     r1, sp, #64             /* its first word + constant + h + Ch + turned e */
    mov     r0, r12
    bl      9f
    mov     r12, r0
    mov     r0, sp
    bl      9f
    ldr     r6, 12f
    bl      5f
    add     r1, sp, #32             /* the next e */
    add     r0, sp, #64
    bl      9f
    add     r0, sp, #40             /* the next a */
    add     r1, sp, #64
    ldr     r6, 13f
    bl      5f
    mov     r1, sp
    add     r0, sp, #8
    movs    r2, #12
3:
    ldm     r0!, {r4-r7}
    stm     r1!, {r4-r7}
    subs    r2, r2, #1
    bne     3b
    ldr     r2, [sp, #204]
    subs    r2, r2, #1
    str     r2, [sp, #204]
    bne     2b
    ldr     r1, [sp, #200]
    add     r0, sp, #56
    movs    r6, #8
4:
    bl      9f
    adds    r1, r1, #8
    subs    r0, r0, #16
    subs    r6, r6, #1
    bne     4b
    add     sp, #208
    pop     {r4-r7, pc}
5:
    lsrs    r6, r6, #1
    ldm     r0!, {r4, r5}
    ldm     r0!, {r2, r3}
    eors    r2, r4
    eors    r3, r5
    ldr     r7, [r0]
    bcc     51f
    eors    r7, r4
51:
    ands    r2, r7
    eors    r4, r2
    ldr     r7, [r0, #4]
    bcc     52f
    eors    r7, r5
52:
    ands    r3, r7
    eors    r5, r3
    mov     r7, lr
    bl      8f
    mov     lr, r7
    ldm     r0!, {r2, r3}
6:
    movs    r5, #0
7:
    movs    r4, #0
71:
    movs    r7, #32
    subs    r7, r7, r6
    movs    r0, r2
    eors    r0, r3
    lsls    r0, r7
    rors    r2, r6
    rors    r3, r6
    eors    r2, r0
    eors    r3, r0
    eors    r4, r2
    eors    r5, r3
    lsrs    r6, r6, #8
    bne     71b
8:
    ldr     r2, [r1]
    ldr     r3, [r1, #4]
    adds    r2, r2, r4
    adcs    r3, r5
    str     r2, [r1]
    str     r3, [r1, #4]
    bx      lr
9:
    ldm     r0!, {r4, r5}
    b       8b
    .balign 4
10:
    .word   1 | 6 << 8 | 1 << 16            /* 1, 7 (a shift), 8 */
11:
    .word   29 | 9 << 8 | 13 << 16          /* 61, 6 (a shift), 19 */
12:
    .word   (14 | 4 << 8 | 23 << 16) << 1   /* 14, 18, 41, and Ch */
13:
    .word   (28 | 6 << 8 | 5 << 16) << 1 | 1 /* 28, 34, 39, and Maj */
    endfunction ecfit_sha512_block
