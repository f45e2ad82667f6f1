/* void ecfit_mp_lookup_words(mp_word *r, const mp_word *table, mp_word index, size_t count,
 *                            size_t n)
 * r = table[index], of count entries of n words; all are read: a word at a time, smaller than
 * ecfit_mp_lookup.   in: index < count; less than 2^32 bytes in all
 * CT: all but count, n   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
 * Cost: 19 + 94 n (cortex-m0plus), 19 + 102 n (cortex-m0), with 8 entries
 *
 * r6 says how far the entry is: where it was 0, taking 1 borrows.
 */
    function ecfit_mp_lookup_words
    push    {r4-r7, lr}
    ldr     r5, [sp, #20]
    lsls    r5, r5, #2
    mov     r12, r5                 /* bytes of an entry */
    muls    r3, r5, r3
    adds    r3, r3, r1              /* where the word would stand in one entry more */
1:
    mov     lr, r1
    movs    r5, #0
    movs    r6, r2
2:
    ldr     r4, [r1]
    subs    r6, r6, #1
    sbcs    r7, r7
    ands    r4, r7
    orrs    r5, r4
    add     r1, r12
    cmp     r1, r3
    bne     2b
    stm     r0!, {r5}
    mov     r1, lr
    adds    r1, r1, #4
    adds    r3, r3, #4
    ldr     r4, [sp, #20]
    subs    r4, r4, #1
    str     r4, [sp, #20]
    bne     1b
    pop     {r4-r7, pc}
    endfunction ecfit_mp_lookup_words
