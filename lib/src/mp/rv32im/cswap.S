/* void ecfit_mp_cswap(mp_word *a, mp_word *b, mp_word mask, size_t n)
 * Exchanges a and b where mask is all ones.   in: n > 0 words
 * CT: all but n   Clobbers: a0-a7, t0-t6   Stack: 0 bytes
 * Cost: 2 + 17 n (ibex), 2 + 17 n (ibex-single), 2 + 13 n (esp32-c3)
 */
    function ecfit_mp_cswap
    slli    a3, a3, 2
    add     a3, a3, a1              /* where b ends */
1:
    lw      a4, 0(a0)
    lw      a5, 0(a1)
    addi    a0, a0, 4
    xor     a6, a4, a5
    and     a6, a6, a2
    xor     a4, a4, a6
    xor     a5, a5, a6
    sw      a4, -4(a0)
    sw      a5, 0(a1)
    addi    a1, a1, 4
    bne     a1, a3, 1b
    ret
    endfunction ecfit_mp_cswap
