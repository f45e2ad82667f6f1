/* cc.h - what lwIP needs to know of the compiler; the order of bytes it finds out itself */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#include <stdint.h>

void net_stop(const char *why);
uint32_t net_random(void);

#define LWIP_RAND() net_random()
#define LWIP_PLATFORM_DIAG(arguments) \
    do { \
    } while (0)
#define LWIP_PLATFORM_ASSERT(text) net_stop(text)
#define LWIP_NO_UNISTD_H 1

#endif
