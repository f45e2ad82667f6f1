/* bench_ct.h - included before each source of an image that `ecfit ct` follows secrets in;
 * in no other build.
 *
 * ECFIT_DECLASSIFY(x), of the library's ct.h: x, which was computed from secrets,
 * may be known from here on. It adds no instruction, but a note that no memory holds:
 * the address behind it, the size of x, and the register with x, of a value of 64 bits the lower
 * one: the other is the next. The simulator takes the taint from them there.
 * The note's section counts as debugging information,
 * which the linker keeps without keeping the functions that it speaks of.
 *
 * A macro, because compilers take the statements of an assembler text for its length,
 * and place constants and branches by it: so this is one, as the blank line of ct.h is. */
#ifndef __ASSEMBLER__
#define ECFIT_DECLASSIFY(x) __asm__ volatile("ecfit_public %0, %c1" : "+r"(x) : "i"(sizeof(x)))
__asm__(".macro ecfit_public name, size\n\t"
        ".pushsection .debug_ecfit_public,\"\",%progbits\n\t"
        ".4byte 1f\n\t"
        ".byte \\size\n\t"
        ".asciz \"\\name\"\n\t"
        ".popsection\n"
        "1:\n\t"
        ".endm");
#endif
