/* void ecfit_p25519_run_var(mp_word *reg, const uint16_t *code)
 * A formula of an Edwards curve modulo 2^255 - 19, as field/op.inc has it, on registers of 8 words
 * of any value, without products with constants; as ecfit_p25519_run, by long multiplies.
 * CT: no, public data   Clobbers: r0-r3, r12, flags   Stack: 120 bytes
 * Cost: 6777 (cortex-m3, n = 0), 5206 (cortex-m3, n = 1)
 * n = 0 stands for an addition, n = 1 for one of a table.
 */
    function ecfit_p25519_run_var, 4
    push.w  {r4-r11, lr}
    push.w  {r0, r1}
    b.w     4f
1:
    cmp     r3, #1
    bne     2f
    bl      ecfit_p25519_add
    b.w     4f
2:
    bl      ecfit_p25519_sub
    b.w     4f
3:
    bl      ecfit_p25519_mul_var
4:
    ldr.w   r4, [sp]
    ldr.w   r5, [sp, #4]
    ldrh    r3, [r5], #2
    str.w   r5, [sp, #4]
    ubfx    r0, r3, #8, #4
    ubfx    r1, r3, #4, #4
    and.w   r2, r3, #15
    add.w   r0, r4, r0, lsl #5
    add.w   r1, r4, r1, lsl #5
    add.w   r2, r4, r2, lsl #5
    lsrs.w  r3, r3, #12
    bne.w   1b
    cmp.w   r1, r2
    bne.w   3b
    cmp.w   r0, r4                  /* the square of register 0 to itself: the end */
    it      eq
    cmpeq   r1, r4
    beq.w   5f
    bl      ecfit_p25519_sqr_var
    b.w     4b
5:
    add     sp, #8
    pop.w   {r4-r11, pc}
    endfunction ecfit_p25519_run_var
