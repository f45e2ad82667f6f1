/* void ecfit_p25519_edwards_take_var(mp_word *r, const mp_word *entry, mp_word minus)
 * r = entry, 24 words (y - x)/2, (y + x)/2, dxy; where minus is 1, the first two exchanged, and
 * 2^256 - 38 less the third.
 * in: minus 0 or 1; dxy below 2^256 - 37
 * CT: no, public data   Clobbers: a0-a7, t0-t6   Stack: 0 bytes
 * Cost: 102 + 36 n (ibex), 102 + 36 n (ibex-single), 62 + 36 n (esp32-c3), with n = minus
 */
    function ecfit_p25519_edwards_take_var
    slli    a2, a2, 5
    add     a3, a0, a2              /* where the first goes */
    sub     a4, a0, a2              /* 32 bytes before where the second goes */
    .set    at, 0
    .rept 8
    lw      a5, at(a1)
    lw      a6, 32+at(a1)
    sw      a5, at(a3)
    sw      a6, 32+at(a4)
    .set    at, at + 4
    .endr
    bnez    a2, 1f
    .set    at, 64
    .rept 8
    lw      a5, at(a1)
    sw      a5, at(a0)
    .set    at, at + 4
    .endr
    ret
1:
    li      a7, 37                  /* what is borrowed */
    .set    at, 64
    .rept 8
    lw      a5, at(a1)
    not     a5, a5
    sltu    a6, a5, a7
    sub     a5, a5, a7
    sw      a5, at(a0)
    mv      a7, a6
    .set    at, at + 4
    .endr
    ret
    endfunction ecfit_p25519_edwards_take_var
