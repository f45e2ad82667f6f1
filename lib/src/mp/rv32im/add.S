/* mp_word ecfit_mp_add(mp_word *r, const mp_word *a, const mp_word *b, mp_word keep, size_t n)
 * r = a + (b & keep); returns the carry.   in: n > 0 words; r may be a or b
 * CT: all but n   Clobbers: a0-a7, t0-t6   Stack: 0 bytes
 * Cost: 4 + 18 n (ibex), 4 + 18 n (ibex-single), 4 + 15 n (esp32-c3)
 */
    function ecfit_mp_add
    slli    a4, a4, 2
    add     a4, a4, a1              /* where a ends */
    li      a7, 0
1:
    lw      a5, 0(a1)
    lw      a6, 0(a2)
    addi    a1, a1, 4
    and     a6, a6, a3
    add     a6, a6, a7              /* carries only where it is 0 then, and a + 0 does not */
    sltu    a7, a6, a7
    add     a5, a5, a6
    sltu    a6, a5, a6
    add     a7, a7, a6
    sw      a5, 0(a0)
    addi    a2, a2, 4
    addi    a0, a0, 4
    bne     a1, a4, 1b
    mv      a0, a7
    ret
    endfunction ecfit_mp_add
