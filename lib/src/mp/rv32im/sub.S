/* mp_word ecfit_mp_sub(mp_word *r, const mp_word *a, const mp_word *b, size_t n)
 * r = a - b; returns the borrow.   in: n > 0 words; r may be a or b
 * CT: all but n   Clobbers: a0-a7, t0-t6   Stack: 0 bytes
 * Cost: 4 + 17 n (ibex), 4 + 17 n (ibex-single), 4 + 14 n (esp32-c3)
 */
    function ecfit_mp_sub
    slli    a3, a3, 2
    add     a3, a3, a1              /* where a ends */
    li      a7, 0
1:
    lw      a4, 0(a1)
    lw      a5, 0(a2)
    addi    a1, a1, 4
    sltu    a6, a4, a5
    sub     a4, a4, a5
    sltu    a5, a4, a7
    sub     a4, a4, a7
    add     a7, a6, a5
    sw      a4, 0(a0)
    addi    a2, a2, 4
    addi    a0, a0, 4
    bne     a1, a3, 1b
    mv      a0, a7
    ret
    endfunction ecfit_mp_sub
