/* ecfit_p25519_sum: [a0] = [a1] + [a2], below 2^255 + 2^6, or [a1] - [a2], of any value,
 * where the mask a3 is all ones.   in: pointers to 8 words of any value; a0 may be another
 * a + ~b is a - b + 2^256 - 1, and 2^256 is 38: -37 more, and p, as bit 255 and -19. What is left
 * of that is added with its sign.
 * CT: all   Clobbers: a0-a7
 */
    inner   ecfit_p25519_sum
    li      a6, 0
    addi    a7, a1, 32
1:
    lw      a4, 0(a1)
    lw      a5, 0(a2)
    xor     a5, a5, a3
    add     a4, a4, a6
    sltu    a6, a4, a6
    add     a4, a4, a5
    sltu    a5, a4, a5
    add     a6, a6, a5
    sw      a4, 0(a0)
    addi    a0, a0, 4
    addi    a1, a1, 4
    addi    a2, a2, 4
    bne     a1, a7, 1b
    slli    a6, a6, 1               /* 19 for each that lies above bit 255 */
    srli    a5, a4, 31
    add     a6, a6, a5
    li      a5, 19
    mul     a6, a6, a5
    andi    a5, a3, -56
    add     a6, a6, a5
    slli    a4, a4, 1
    srli    a4, a4, 1
    slli    a3, a3, 31
    or      a4, a4, a3
    mv      a7, a0
    addi    a0, a0, -32
    sw      a4, 28(a0)
2:
    lw      a4, 0(a0)
    add     a5, a4, a6
    sltu    a4, a5, a4
    srai    a6, a6, 31
    add     a6, a6, a4
    sw      a5, 0(a0)
    addi    a0, a0, 4
    bne     a0, a7, 2b
    ret
    endfunction ecfit_p25519_sum
