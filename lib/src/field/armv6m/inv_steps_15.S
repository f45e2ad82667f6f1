/* mp_word ecfit_inv_steps_15(int32_t *t, mp_word f, mp_word g, mp_word zeta)
 * t = the matrix of 15 divsteps from the low limbs f and g, 4 words; returns zeta after them:
 * mod_inv_steps of field/inverse/steps_pairs.inc.   in: any words
 * CT: all   Clobbers: r0-r3, r12, flags   Stack: 24 bytes
 * Cost: 365 (cortex-m0plus), 369 (cortex-m0)
 *
 * The rows in r4 and r5. r7 is all ones where g is odd and f and g change places; r0 is -1 where f
 * is added to g, 1 where it is subtracted.
 */
    .macro entries_of row
    adds    r6, \row, r7
    uxth    r6, r6
    subs    r6, r6, r7
    subs    \row, \row, r6
    lsrs    \row, \row, #16
    adds    \row, \row, r7
    uxth    \row, \row
    subs    \row, \row, r7
    stm     r0!, {r6}
    stm     r0!, {\row}
    .endm

    function ecfit_inv_steps_15
    push    {r0, r4-r7, lr}
    movs    r4, #1
    lsls    r5, r4, #16
    movs    r6, #3
1:
    mov     r12, r6
    .rept 5
    lsls    r0, r2, #31
    asrs    r0, r0, #31
    asrs    r7, r3, #31
    ands    r7, r0
    lsls    r6, r7, #1
    subs    r0, r0, r6
    movs    r6, r1
    muls    r6, r0, r6
    subs    r2, r2, r6
    muls    r0, r4, r0
    subs    r5, r5, r0
    eors    r3, r7
    subs    r3, r3, #1
    movs    r6, r2
    muls    r6, r7, r6
    subs    r1, r1, r6
    muls    r7, r5, r7
    subs    r4, r4, r7
    lsrs    r2, r2, #1
    lsls    r4, r4, #1
    .endr
    mov     r6, r12
    subs    r6, r6, #1
    beq     2f
    b       1b
2:
    pop     {r0}
    movs    r7, #1
    lsls    r7, r7, #15
    subs    r7, r7, #1
    entries_of r4
    entries_of r5
    movs    r0, r3
    pop     {r4-r7, pc}
    endfunction ecfit_inv_steps_15
