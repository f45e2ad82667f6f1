/* bench_ct.h - included before each source of an image that `ecfit ct` follows secrets in; in no other build.
 *
 * ECFIT_DECLASSIFY(x), of the library's ct.h: x, which was computed from secrets, may be known from here on. It adds no
 * instruction, but a note that no memory holds: the address behind it and the register with x. The simulator takes the
 * taint from that register there. The note's section counts as debugging information, which the linker keeps without
 * keeping the functions that it speaks of. */
#define ECFIT_DECLASSIFY(x) \
    __asm__ volatile(".pushsection .debug_ecfit_public,\"\",%%progbits\n\t" \
                     ".4byte 1f\n\t" \
                     ".asciz \"%0\"\n\t" \
                     ".popsection\n" \
                     "1:" \
                     : "+r"(x))
