/* void ecfit_mp_lookup(mp_word *r, const mp_word *table, mp_word index, size_t count, size_t n)
 * r = table[index], of count entries of n words; all are read.
 * in: index < count, n >= 8 even
 * CT: all but count, n   Clobbers: a0-a7, t0-t6   Stack: 32 bytes
 * Cost: 22 + 363 n/8 (ibex), 22 + 363 n/8 (ibex-single), 10 + 291 n/8 (esp32-c3)
 * with 8 entries, n a multiple of 8
 *
 * Eight words at a time, the last eight perhaps once more: entries are masked where they are not
 * the one, and put together. The last entry's distance is 0, the wanted one's counts down to -1.
 */
    function ecfit_mp_lookup
    addi    sp, sp, -32
    sw      s0, 0(sp)
    sw      s1, 4(sp)
    sw      s2, 8(sp)
    sw      s3, 12(sp)
    sw      s4, 16(sp)
    sw      s5, 20(sp)
    slli    s5, a4, 2               /* bytes of an entry */
    addi    a4, a4, -8              /* words that are left after these */
1:
    mv      s4, a1
    mv      t6, a2
    mv      s3, a3
    li      a5, 0
    li      a6, 0
    li      a7, 0
    li      t0, 0
    li      t1, 0
    li      t2, 0
    li      t3, 0
    li      t4, 0
2:
    seqz    t5, t6                  /* all ones where it is the one */
    neg     t5, t5
    addi    t6, t6, -1
    addi    s3, s3, -1
    lw      s0, 0(s4)
    lw      s1, 4(s4)
    lw      s2, 8(s4)
    and     s0, s0, t5
    and     s1, s1, t5
    and     s2, s2, t5
    or      a5, a5, s0
    or      a6, a6, s1
    or      a7, a7, s2
    lw      s0, 12(s4)
    lw      s1, 16(s4)
    lw      s2, 20(s4)
    and     s0, s0, t5
    and     s1, s1, t5
    and     s2, s2, t5
    or      t0, t0, s0
    or      t1, t1, s1
    or      t2, t2, s2
    lw      s0, 24(s4)
    lw      s1, 28(s4)
    add     s4, s4, s5
    and     s0, s0, t5
    and     s1, s1, t5
    or      t3, t3, s0
    or      t4, t4, s1
    bnez    s3, 2b
    sw      a5, 0(a0)
    sw      a6, 4(a0)
    sw      a7, 8(a0)
    sw      t0, 12(a0)
    sw      t1, 16(a0)
    sw      t2, 20(a0)
    sw      t3, 24(a0)
    sw      t4, 28(a0)
    beqz    a4, 4f
    li      a5, 8                   /* how far to the next eight */
    bge     a4, a5, 3f
    mv      a5, a4
3:
    sub     a4, a4, a5
    slli    a5, a5, 2
    add     a0, a0, a5
    add     a1, a1, a5
    j       1b
4:
    lw      s0, 0(sp)
    lw      s1, 4(sp)
    lw      s2, 8(sp)
    lw      s3, 12(sp)
    lw      s4, 16(sp)
    lw      s5, 20(sp)
    addi    sp, sp, 32
    ret
    endfunction ecfit_mp_lookup
