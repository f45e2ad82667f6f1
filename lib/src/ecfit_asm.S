/* ecfit_asm.S - what the configured backend has in assembly; empty where it is in C
 *
 * cc -c -Ilib/include -Ilib/src lib/src/ecfit_asm.S gives a second object, beside that of ecfit.c.
 * Each function has a section of its own: with --gc-sections, what nothing calls takes no flash.
 */
#include "ecfit_config.h"
#include ECFIT_ASM

/* No stack of these functions need be executable. This is said where compilers say it of C: a
 * linker warns of objects that say nothing beside those that do. */
#if defined(__ELF__) && (defined(__clang__) || defined(__linux__))
    .section .note.GNU-stack, "", %progbits
#endif
