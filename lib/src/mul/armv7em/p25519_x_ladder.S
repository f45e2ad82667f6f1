/* void ecfit_p25519_x_ladder(mp_word *x, const mp_word *k, const mp_word *u)
 * x = the u coordinate of k times a point with u coordinate u, modulo 2^255 - 19 (RFC 7748, 5);
 * 0 for the neutral element
 * in: 8 words each, u below 2^255; x may be k or u; out: below 2^255 + 2^230
 * Of an odd k it is k + 1 times, bit 255 does not count.
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 336 bytes
 * Cost: 575017 (cortex-m4), 530237 (cortex-m33)
 *
 * Elements stand in sp[0] to sp[6], 32 bytes each. Before a step one of the points P = (0 : 1) and
 * Q = (2 : 3) is doubled; afterwards Q is that one, and P their sum. sp[4] is u. With what is
 * doubled chosen, not exchanged, a step is (a, b) = sum and difference of P, (c, d) of Q,
 * P = ((b c + a d)^2 : u (b c - a d)^2), Q = (e f : (e - f) (e + 121665 (e - f))), where e and f
 * are the squares of a and b or of c and d.
 */
    function ecfit_p25519_x_ladder, 4
    push.w  {r0, r1, r4, r5, r6, r7, r8, r9, r10, r11, lr}
    sub     sp, sp, #232
    ldm     r2, {r4, r5, r6, r7, r8, r9, r10, r11}
    add     r0, sp, #128
    stm     r0, {r4, r5, r6, r7, r8, r9, r10, r11}
    mov     r0, sp
    stm     r0!, {r4, r5, r6, r7, r8, r9, r10, r11}
    movs    r4, #1
    movs    r5, #0
    mov     r6, r5
    mov     r7, r5
    mov     r8, r5
    mov     r9, r5
    mov     r10, r5
    mov     r11, r5
    stm     r0!, {r4, r5, r6, r7, r8, r9, r10, r11}
    stm     r0!, {r4, r5, r6, r7, r8, r9, r10, r11}
    movs    r4, #0
    stm     r0!, {r4, r5, r6, r7, r8, r9, r10, r11}
    str     r4, [sp, #228]
    movs    r4, #254
1:  /* P is doubled where bit r4 of k is not the one before, [sp, #228]; then the bytes of GE are 1,
     * which nothing below changes before they choose */
    str     r4, [sp, #224]
    ldr     r1, [sp, #236]
    lsrs    r0, r4, #5
    ldr     r1, [r1, r0, lsl #2]
    rors    r1, r1, r4
    lsls    r1, r1, #31
    asrs    r1, r1, #31
    ldr     r2, [sp, #228]
    str     r1, [sp, #228]
    eors    r1, r1, r2
    uadd8   r1, r1, r1
    add     r0, sp, #160
    mov     r1, sp
    add     r2, sp, #32
    bl      ecfit_p25519_x_add
    add     r0, sp, #192
    mov     r1, sp
    add     r2, sp, #32
    bl      ecfit_p25519_x_sub
    mov     r0, sp
    add     r1, sp, #64
    add     r2, sp, #96
    bl      ecfit_p25519_x_add
    add     r0, sp, #32
    add     r1, sp, #64
    add     r2, sp, #96
    bl      ecfit_p25519_x_sub
    add     r0, sp, #64
    add     r1, sp, #160
    mov     r2, sp
    movs    r3, #4
2:  ldm     r1!, {r4, r5, r6, r7}
    ldm     r2!, {r8, r9, r10, r11}
    sel     r4, r4, r8
    sel     r5, r5, r9
    sel     r6, r6, r10
    sel     r7, r7, r11
    stm     r0!, {r4, r5, r6, r7}
    subs    r3, r3, #1
    bne     2b
    add     r0, sp, #160
    add     r1, sp, #160
    add     r2, sp, #32
    bl      ecfit_p25519_x_mul
    add     r0, sp, #192
    add     r1, sp, #192
    mov     r2, sp
    bl      ecfit_p25519_x_mul
    mov     r0, sp
    add     r1, sp, #160
    add     r2, sp, #192
    bl      ecfit_p25519_x_add
    add     r0, sp, #32
    add     r1, sp, #160
    add     r2, sp, #192
    bl      ecfit_p25519_x_sub
    mov     r0, sp
    mov     r1, sp
    bl      ecfit_p25519_x_sqr
    add     r0, sp, #32
    add     r1, sp, #32
    bl      ecfit_p25519_x_sqr
    add     r0, sp, #32
    add     r1, sp, #32
    add     r2, sp, #128
    bl      ecfit_p25519_x_mul
    add     r0, sp, #160
    add     r1, sp, #64
    bl      ecfit_p25519_x_sqr
    add     r0, sp, #192
    add     r1, sp, #96
    bl      ecfit_p25519_x_sqr
    add     r0, sp, #64
    add     r1, sp, #160
    add     r2, sp, #192
    bl      ecfit_p25519_x_mul
    add     r0, sp, #192
    add     r1, sp, #160
    add     r2, sp, #192
    bl      ecfit_p25519_x_sub
    add     r0, sp, #96
    add     r1, sp, #192
    add     r2, sp, #160
    movw    r11, #(121665 & 0xffff)
    movt    r11, #(121665 >> 16)
    bl      ecfit_p25519_x_linear
    add     r0, sp, #96
    add     r1, sp, #96
    add     r2, sp, #192
    bl      ecfit_p25519_x_mul
    ldr     r4, [sp, #224]
    subs    r4, r4, #1
    bpl.w   1b
    /* sp[0] = 1/a of a = sp[3], by an addition chain; [sp, #224] is where in the table, [sp, #228]
     * what is left of an entry; sp[4] is what there was before an entry */
    add     r1, sp, #96
    adr     r3, 5f
3:  str     r3, [sp, #224]
    add     r0, sp, #128
    ldm     r1, {r4, r5, r6, r7, r8, r9, r10, r11}
    stm     r0, {r4, r5, r6, r7, r8, r9, r10, r11}
    ldrb    r3, [r3]
    mov     r1, r0
4:  str     r3, [sp, #228]
    mov     r0, sp
    bl      ecfit_p25519_x_sqr
    mov     r1, sp
    ldr     r3, [sp, #228]
    subs    r3, r3, #2
    cmp     r3, #1
    bhi     4b
    add     r2, sp, #96
    add     r2, r2, r3, lsl #5
    mov     r0, sp
    bl      ecfit_p25519_x_mul
    mov     r1, sp
    ldr     r3, [sp, #224]
    adds    r3, r3, #1
    ldrb    r2, [r3]
    cmp     r2, #0
    bne     3b
    ldr     r0, [sp, #232]
    add     r2, sp, #64
    bl      ecfit_p25519_x_mul
    add     sp, sp, #240
    pop.w   {r4, r5, r6, r7, r8, r9, r10, r11, pc}
    .balign 4
5:  /* entries: twice how many squares, and 1 where what there was before them is multiplied, else
     * a: a^(2^k - 1) becomes a^(2^2k - 1), so that after 12 entries k is 250 */
    .byte   2 * 1 + 1, 2 * 1, 2 * 3 + 1, 2 * 1, 2 * 7 + 1, 2 * 1, 2 * 15 + 1, 2 * 1
    .byte   2 * 31 + 1, 2 * 62 + 1, 2 * 1, 2 * 125 + 1, 2 * 2, 2 * 2, 2 * 1, 0
    endfunction ecfit_p25519_x_ladder
