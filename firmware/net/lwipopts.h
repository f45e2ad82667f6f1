/* lwipopts.h - lwIP as firmware here has it: no system, raw interface, IPv4 with a fixed address */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0 /* nothing happens beside the program */
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0

#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_ARP 1
#define LWIP_ICMP 1
#define LWIP_RAW 0
#define LWIP_UDP (!NET_TCP) /* a program has one or the other */
#define LWIP_TCP NET_TCP
#define LWIP_DHCP 0
#define LWIP_ACD 0
#define LWIP_AUTOIP 0
#define LWIP_IGMP 0
#define LWIP_DNS 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0

#define MEM_ALIGNMENT 4
#define MEMP_NUM_UDP_PCB 4
#define PBUF_POOL_BUFSIZE 1600
#define TCP_MSS 1460
#define TCP_WND (4 * TCP_MSS)
#define TCP_SND_BUF (2 * TCP_MSS)
#if NET_TCP /* one connection: what the window lets come, what waits for its acknowledgement */
#define MEM_SIZE (6 * 1024)
#define PBUF_POOL_SIZE 6
#define MEMP_NUM_TCP_PCB 2
#else
#define MEM_SIZE (16 * 1024)
#define PBUF_POOL_SIZE 12
#endif

#define LWIP_STATS 0
#define LWIP_NETIF_API 0
#define LWIP_PROVIDE_ERRNO 1
#define LWIP_SINGLE_NETIF 1

#endif
