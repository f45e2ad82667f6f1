/* none.h - what is left out: an operation, or the assembly of a back end in C */
