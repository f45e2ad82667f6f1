/* features.h - what PQClean's compat.h asks glibc for, where the C library is another one. */
#if defined(__has_include_next) && __has_include_next(<features.h>)
#include_next <features.h>
#endif
#ifndef __GNUC_PREREQ
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#endif
