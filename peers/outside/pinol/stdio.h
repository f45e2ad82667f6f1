/* stdio.h (pinol) - in place of libc's: nothing is printed. */
#include <stddef.h>

#define printf(...) ((void)0)
