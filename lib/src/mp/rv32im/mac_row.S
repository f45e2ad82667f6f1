/* mp_word ecfit_mp_mac_row(mp_word *r, const mp_word *a, mp_word b, size_t n)
 * r += a * b; returns the carry word.   in: r, a: n > 0 words; b: one word
 * CT: all but n   Clobbers: a0-a7, none of t0-t6, where p25519_least_mul.S has its own
 *   Stack: 0 bytes
 * Cost: 3 + 25 n (ibex), 3 + 21 n (ibex-single), 3 + 21 n (esp32-c3)
 */
    function ecfit_mp_mac_row
    slli    a3, a3, 2
    add     a3, a3, a1              /* where a ends */
    li      a4, 0
1:
    lw      a6, 0(a1)
    lw      a7, 0(a0)
    addi    a1, a1, 4
    mul     a5, a6, a2
    mulhu   a6, a6, a2              /* B - 2 at most: takes two carries, see tools/rv32im */
    add     a5, a5, a4
    sltu    a4, a5, a4
    add     a6, a6, a4
    add     a5, a5, a7
    sltu    a7, a5, a7
    add     a4, a6, a7
    sw      a5, 0(a0)
    addi    a0, a0, 4
    bne     a1, a3, 1b
    mv      a0, a4
    ret
    endfunction ecfit_mp_mac_row
