/* void ecfit_p25519_least_mul(mp_word *r, const mp_word *a, const mp_word *b)
 * r = a b mod 2^255 - 19, below 2^255 + 2^11.   in: 8 words of any value; r may be an operand
 * The entry ecfit_p25519_least_product is for the interpreter: with a3 = 8 it is the same, with 0
 * a times the lowest word of b, below 2^26, which leaves less than 2^255 + 2^32.
 * CT: all   Clobbers: a0-a7, t0-t6   Stack: 80 bytes
 * Cost: 2095 (ibex), 1805 (ibex-single), 1760 (esp32-c3)
 */
    function ecfit_p25519_least_mul
    li      a3, 8
    entry   ecfit_p25519_least_product
    addi    sp, sp, -80
    sw      ra, 64(sp)
    mv      t0, a0
    mv      t1, a1
    mv      t2, a2
    mv      t3, a3
    sw      zero, 0(sp)             /* where the product will be, 16 words */
    sw      zero, 4(sp)
    sw      zero, 8(sp)
    sw      zero, 12(sp)
    sw      zero, 16(sp)
    sw      zero, 20(sp)
    sw      zero, 24(sp)
    sw      zero, 28(sp)
    mv      t4, sp
1:
    lw      a2, 0(t2)
    addi    t2, t2, 4
2:
    mv      a0, t4
    mv      a1, t1
    li      a3, 8
    jal     ecfit_mp_mac_row        /* keeps t0 to t6 */
    sw      a0, 32(t4)
    addi    t4, t4, 4
    addi    t3, t3, -1
    bgtz    t3, 1b
    bltz    t3, 3f
    addi    t1, sp, 32              /* 38 times the upper half, to the lower one */
    mv      t4, sp
    li      a2, 38
    j       2b
3:
    lw      a4, 28(sp)              /* what lies above bit 255 comes down as 19 each */
    slli    a0, a0, 1
    srli    a1, a4, 31
    add     a0, a0, a1
    slli    a4, a4, 1
    srli    a4, a4, 1
    sw      a4, 28(sp)
    li      a1, 19
    mul     a0, a0, a1
    mv      a2, sp
    addi    a3, sp, 32
4:
    lw      a4, 0(a2)
    addi    a2, a2, 4
    add     a4, a4, a0
    sltu    a0, a4, a0
    sw      a4, 0(t0)
    addi    t0, t0, 4
    bne     a2, a3, 4b
    lw      ra, 64(sp)
    addi    sp, sp, 80
    ret
    endfunction ecfit_p25519_least_product
    endfunction ecfit_p25519_least_mul
