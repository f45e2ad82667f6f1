/* void ecfit_mp_cmov(mp_word *r, const mp_word *a, mp_word mask, size_t n)
 * r = a where mask is all ones, else unchanged.   in: n > 0 words
 * CT: all but n   Clobbers: a0-a7, t0-t6   Stack: 0 bytes
 * Cost: 2 + 14 n (ibex), 2 + 14 n (ibex-single), 2 + 11 n (esp32-c3)
 */
    function ecfit_mp_cmov
    slli    a3, a3, 2
    add     a3, a3, a1              /* where a ends */
1:
    lw      a4, 0(a1)
    lw      a5, 0(a0)
    addi    a1, a1, 4
    xor     a4, a4, a5
    and     a4, a4, a2
    xor     a4, a4, a5
    sw      a4, 0(a0)
    addi    a0, a0, 4
    bne     a1, a3, 1b
    ret
    endfunction ecfit_mp_cmov
