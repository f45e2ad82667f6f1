/* group/points.h - words and registers of points, the same in every system of coordinates */
#ifndef ECFIT_POINTS_H
#define ECFIT_POINTS_H

#define PT_WORDS (3 * LIMBS) /* of X, Y, Z */
#define ED_WORDS (4 * LIMBS) /* of X, Y, Z, T on an Edwards curve */

#define REG(point, i) ((point)->reg + (size_t)(i)*LIMBS) /* register i, as formulas number them */

#endif
