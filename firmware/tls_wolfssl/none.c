/* none.c - in the place of an adapter: the library is called by its users. */
