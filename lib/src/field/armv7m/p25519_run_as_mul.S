/* void ecfit_p25519_run_as_mul(mp_word *reg, const uint16_t *code)
 * ecfit_p25519_run, squares by the function of products, sums by one for both: theirs are not
 * linked.
 * CT: register contents   Clobbers: r0-r3, r12, flags   Stack: 200 bytes
 * Cost: 11020 (cortex-m3, n = 0)
 * n = 0 stands for the addition of Edwards curves.
 */
    function ecfit_p25519_run_as_mul
    run_begin
    bl      ecfit_p25519_rows_sum
    run_next
    cmp     r0, r4                  /* the square of register 0 to itself: the end */
    bne     6f
    cmp     r1, r4
    bne     6f
    cmp     r2, r4
    beq     7f
6:
    bl      ecfit_p25519_mul
    b       3b
7:
    run_end
    endfunction ecfit_p25519_run_as_mul
