/* curve/least.h - the least code of P-256 with the ladder on a line: sums and products that serve
 * the interpreter of formulas alone, in assembly for Thumb (where: lib/leaves.toml) */
#define CURVE_IS_LEAST 1
