/* ct_valgrind.h - included before the library when it runs under valgrind:
 * secrets are undefined memory there
 *
 * What the library declares public (an answer such as "the key is in range") is made defined again
 * where it says so. */
#ifndef CT_VALGRIND_H
#define CT_VALGRIND_H

#include <valgrind/memcheck.h>

#define ECFIT_DECLASSIFY(x) ((void)VALGRIND_MAKE_MEM_DEFINED(&(x), sizeof(x)))

#endif
