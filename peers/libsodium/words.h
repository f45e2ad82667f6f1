/* words.h (libsodium) - what its configure script finds out: whether there is a 128-bit integer. */
#ifdef __SIZEOF_INT128__
#define HAVE_TI_MODE 1
#endif
