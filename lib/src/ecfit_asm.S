/* ecfit_asm.S - what the configured backend has in assembly; empty where it is in C
 *
 * cc -c -Ilib/include -Ilib/src lib/src/ecfit_asm.S gives a second object, beside that of ecfit.c.
 * Each function has a section of its own: with --gc-sections, what nothing calls takes no flash.
 */
#include "ecfit_config.h"
#include ECFIT_ASM
