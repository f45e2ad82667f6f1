/* void ecfit_p25519_least_run(mp_word *reg, const uint16_t *code)
 * A formula modulo 2^255 - 19, as field/op.inc has it, on registers of 8 words of any value:
 * products below 2^255 + 2^11, sums below 2^255 + 2^6, differences below 2^256; where b is small,
 * its lowest word, below 2^26, is what multiplies, to below 2^255 + 2^32.
 * not CT: code; n = 0 is the step of X25519
 * CT: all   Clobbers: a0-a7, t0-t6   Stack: 96 bytes
 * Cost: 21698 (ibex, n = 0), 19038 (ibex-single, n = 0), 18378 (esp32-c3, n = 0)
 */
    function ecfit_p25519_least_run
    addi    sp, sp, -16
    sw      ra, 12(sp)
    sw      s0, 8(sp)
    sw      s1, 4(sp)
    mv      s0, a0
    mv      s1, a1
1:
    lhu     a5, 0(s1)
    addi    s1, s1, 2
    beqz    a5, 4f
    srli    a0, a5, 3
    andi    a0, a0, 480             /* a register's number times its bytes */
    add     a0, a0, s0
    slli    a1, a5, 1
    andi    a1, a1, 480
    add     a1, a1, s0
    slli    a2, a5, 5
    andi    a2, a2, 480
    add     a2, a2, s0
    srli    a5, a5, 12
    li      a3, 8
    beqz    a5, 3f
    li      a3, 0
    addi    a5, a5, -3
    beqz    a5, 3f
    andi    a5, a5, 1               /* 1 is a sum, 2 a difference */
    sub     a3, a3, a5
    jal     ecfit_p25519_sum
    j       1b
3:
    jal     ecfit_p25519_least_product
    j       1b
4:
    lw      ra, 12(sp)
    lw      s0, 8(sp)
    lw      s1, 4(sp)
    addi    sp, sp, 16
    ret
    endfunction ecfit_p25519_least_run
