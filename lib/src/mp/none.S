/* mp/none.S - the assembly of a backend in C */
