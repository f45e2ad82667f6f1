/* void ecfit_mp_lookup(mp_word *r, const mp_word *table, mp_word index, size_t count, size_t n)
 * r = table[index], of count entries of n words; all are read.
 * in: index < count; n >= 4 even; less than 2^32 bytes in all
 * CT: all but count, n   Clobbers: r0-r3, r12, flags   Stack: 40 bytes
 * Cost: 16 + 212 n/4 (cortex-m0plus), 16 + 221 n/4 (cortex-m0), with 8 entries, n a multiple of 4
 *
 * Four words at a time, the last two perhaps with two once more: the sum of all entries, each
 * times all ones where it is the one. r2 says how far that is: where it was 0, taking 1 borrows.
 */
    function ecfit_mp_lookup
    push    {r4-r7, lr}
    ldr     r4, [sp, #20]
    lsls    r5, r4, #2
    mov     lr, r5                  /* bytes of an entry */
    muls    r3, r5, r3
    push    {r0-r4}                 /* where to, where from, index, bytes of all, words left */
1:
    ldr     r1, [sp, #4]
    ldr     r2, [sp, #8]
    ldr     r3, [sp, #12]
    adds    r3, r3, r1
    mov     r12, r3                 /* where these words would stand in one entry more */
    movs    r4, #0
    movs    r5, #0
    movs    r6, #0
    movs    r7, #0
2:
    subs    r2, r2, #1
    sbcs    r3, r3
    ldr     r0, [r1]
    ands    r0, r3
    orrs    r4, r0
    ldr     r0, [r1, #4]
    ands    r0, r3
    orrs    r5, r0
    ldr     r0, [r1, #8]
    ands    r0, r3
    orrs    r6, r0
    ldr     r0, [r1, #12]
    ands    r0, r3
    orrs    r7, r0
    add     r1, lr
    cmp     r1, r12
    bne     2b
    ldr     r0, [sp]
    stm     r0!, {r4-r7}
    ldr     r1, [sp, #4]
    ldr     r2, [sp, #16]
    adds    r1, r1, #16
    subs    r2, r2, #4
    beq     4f
    cmp     r2, #2
    bne     3f
    subs    r0, r0, #8
    subs    r1, r1, #8
    adds    r2, r2, #2
3:
    str     r0, [sp]
    str     r1, [sp, #4]
    str     r2, [sp, #16]
    b       1b
4:
    add     sp, #20
    pop     {r4-r7, pc}
    endfunction ecfit_mp_lookup
