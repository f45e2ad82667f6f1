/* field/op.h - instructions of the formula interpreters
 *
 * An instruction is op << 12 | d << 8 | a << 4 | b on 16 field registers: d = a op b.
 */
#ifndef ECFIT_OP_H
#define ECFIT_OP_H

#define OP_MUL 0
#define OP_ADD 1
#define OP_SUB 2
#define OP_SMALL 3 /* a product, b below 2^32 */
#define OP_END 0   /* the code of a square into register 0, which no formula has */
#define OP(op, d, a, b) ((op) << 12 | (d) << 8 | (a) << 4 | (b))

#define MUL(d, a, b) OP(OP_MUL, d, a, b)
#define ADD(d, a, b) OP(OP_ADD, d, a, b)
#define SUB(d, a, b) OP(OP_SUB, d, a, b)
#define SMALL(d, a, b) OP(OP_SMALL, d, a, b)

#endif
