/* mul/tables.h - points in the tables of multiplications: odd multiples, by the width of a digit */
#ifndef ECFIT_TABLES_H
#define ECFIT_TABLES_H

#define WINDOW_POINTS (1 << (WINDOW - 1))
#define WNAF_POINTS (1 << (WNAF_A - 2))
#define COMB_POINTS (1 << (COMB_TEETH - 1)) /* of a block */

#endif
