/* api/none.h - the operation is left out */
