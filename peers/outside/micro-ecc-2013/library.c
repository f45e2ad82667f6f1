/* library.c (micro-ecc-2013) - the library with the optimisations that the build asks for: its
 * header defines them without asking. */
#if OUR_ASM && defined(__thumb2__)
#define ECC_ASM ecc_asm_thumb2
#elif OUR_ASM && defined(__thumb__)
#define ECC_ASM ecc_asm_thumb
#endif
#include "ecc.h"

#undef ECC_SQUARE_FUNC
#undef ECC_USE_NAF
#define ECC_SQUARE_FUNC OUR_SQUARE_FUNC
#define ECC_USE_NAF OUR_USE_NAF

#include "ecc.c"
