/* void ecfit_sha512_roots(mp_word *out, size_t count, mp_word degree)
 * out = the first 64 bits behind the point of roots of the first primes, the lower word first:
 * the constants of SHA-512 (FIPS 180-4, 4.2.3, 5.3.4 and 5.3.5)
 * in: degree 3 with count 80 or less, 2 with 16 or less; nothing is said about others
 * CT: no, nothing here is secret   Clobbers: r0-r3, r12, flags   Stack: 100 bytes
 * Cost: 113281 (cortex-m0plus, n = 8), 230508 (cortex-m0plus, n = 16),
 * 1987332 (cortex-m0plus, n = 80), 120222 (cortex-m0, n = 8), 245854 (cortex-m0, n = 16),
 * 2218678 (cortex-m0, n = 80)
 *
 * A prime is a number that no lower one but 1 divides. Its root x is a product of factors
 * 1 + 2^-k, each taken while the same of its power c stay below the prime, for k = 0, 1, 2, ..
 * So there is one operation, 9: the three words at r1 = those at r0, times 1 + 2^-k, with k in r12.
 * Numbers have 84 bits behind the point, what is further is cut off, and above two words of zeros,
 * for shifts.
 * From k = 75 on, no factor changes a bit of the 96 constants: the least that is enough,
 * found by trying.
 *
 * At sp: c of the next step, a counter, c, x, and out, count, degree and prime.
 */
    function ecfit_sha512_roots
    movs    r3, #1
    push    {r4-r7, lr}
1:
    adds    r3, r3, #1
    movs    r5, #1
2:
    adds    r5, r5, #1
    movs    r4, r3
3:
    subs    r4, r4, r5
    bhi     3b
    bne     2b
    cmp     r5, r3
    bne     1b
    push    {r0-r3}
    mov     r12, r4
    movs    r3, #0
    movs    r5, #1
    lsls    r5, r5, #20
    movs    r6, #0
    movs    r7, #0
    push    {r3-r7}
    push    {r3-r7}
    push    {r3-r7, lr}
4:
    add     r0, sp, #24
    ldr     r2, [sp, #72]
5:
    str     r2, [sp, #20]
    mov     r1, sp
    bl      9f
    mov     r0, sp
    ldr     r2, [sp, #20]
    subs    r2, r2, #1
    bne     5b
    ldr     r1, [sp, #8]
    lsrs    r1, r1, #20
    ldr     r2, [sp, #76]
    cmp     r1, r2
    bhs     6f
    ldm     r0!, {r2-r4}
    add     r1, sp, #24
    stm     r1!, {r2-r4}
    add     r0, sp, #44
    movs    r1, r0
    bl      9f
    b       4b
6:
    mov     r0, r12
    adds    r0, r0, #1
    mov     r12, r0
    cmp     r0, #75
    bne     4b
    add     r0, sp, #44
    ldm     r0!, {r4-r6}
    lsrs    r4, r4, #20
    lsls    r7, r5, #12
    orrs    r4, r7
    lsrs    r5, r5, #20
    lsls    r6, r6, #12
    orrs    r5, r6
    add     sp, #64
    pop     {r0-r3}
    stm     r0!, {r4, r5}
    subs    r1, r1, #1
    bne     1b
    pop     {r4-r7, pc}
9:
    mov     r5, r12
    lsrs    r7, r5, #5
    lsls    r7, r7, #2
    adds    r7, r7, r0
    movs    r6, #31
    ands    r5, r6
    adds    r6, r6, #1
    subs    r6, r6, r5
    ldm     r7!, {r2-r4}
    lsrs    r2, r5
    movs    r7, r3
    lsls    r7, r6
    orrs    r2, r7
    lsrs    r3, r5
    movs    r7, r4
    lsls    r7, r6
    orrs    r3, r7
    lsrs    r4, r5
    ldm     r0!, {r5-r7}
    adds    r2, r2, r5
    adcs    r3, r6
    adcs    r4, r7
    stm     r1!, {r2-r4}
    bx      lr
    endfunction ecfit_sha512_roots
