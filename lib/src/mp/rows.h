/* mp/rows.h - products and squares of every length by rows */
#ifndef ECFIT_ROWS_H
#define ECFIT_ROWS_H
#define mp_mul mp_mul_rows
#define mp_sqr_own mp_sqr_rows

#endif
