/* mp_word ecfit_mp_add(mp_word *r, const mp_word *a, const mp_word *b, mp_word keep, size_t n)
 * r = a + (b & keep); returns the carry, 0 or 1.   in: keep a mask; n > 0; r may be a or b
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 16 bytes
 * Cost: 19 + 13 n (cortex-m0plus), 19 + 14 n (cortex-m0)
 *
 * Between two words the carry is a mask, 0 where there is one:
 * r4 less itself less the opposite of the flag C. 0 less the mask makes C again.
 */
    function ecfit_mp_add
    push    {r4-r6, lr}
    ldr     r4, [sp, #16]
    lsls    r4, r4, #2
    adds    r4, r4, r1
    mov     r12, r4                 /* where a ends */
    movs    r4, #0
    mvns    r4, r4
1:
    ldm     r1!, {r5}
    ldm     r2!, {r6}
    ands    r6, r3
    rsbs    r4, r4, #0
    adcs    r5, r6
    stm     r0!, {r5}
    sbcs    r4, r4
    cmp     r1, r12
    bne     1b
    adds    r0, r4, #1
    pop     {r4-r6, pc}
    endfunction ecfit_mp_add
