/* clocks_none.c - for a board whose clocks and pins are right after reset, as emulated ones are. */
#include "board.h"

void board_clocks(void) {}
