/* net.c - see net.h */
#include "net.h"

#include "../board/board.h"
#include "lan9118.h"
#include "lwip/etharp.h"
#include "lwip/init.h"
#include "lwip/netif.h"
#include "lwip/timeouts.h"
#include "net_sleep.h" /* of the architecture */
#include "netif/ethernet.h"

static struct netif interface;
static uint32_t frame[(LAN_FRAME_MAX + 3) / 4 + 1];

void net_say(const char *text)
{
    while (*text != 0)
        board_put((uint8_t)*text++);
    board_put('\n');
}

void net_stop(const char *why)
{
    net_say(why);
    sleep_for_ever();
}

/* The controller's counter wraps after 107 s or more: it is read at least every WAIT_MS. */
uint32_t net_ms(void)
{
    static uint32_t last, rest, ms;
    uint32_t now = lan_clock();
    rest += now - last;
    last = now;
    ms += rest / CLOCKS_PER_MS;
    rest %= CLOCKS_PER_MS;
    return ms;
}

uint32_t sys_now(void)
{
    return net_ms();
}

/* For port numbers and the like; nothing secret. [Marsaglia, Xorshift RNGs, 2003] */
uint32_t net_random(void)
{
    static uint32_t state;
    if (state == 0)
        state = lan_clock() | 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static err_t output(struct netif *unused, struct pbuf *packet)
{
    (void)unused;
    uint16_t size = pbuf_copy_partial(packet, frame, LAN_FRAME_MAX, 0);
    return size == packet->tot_len && lan_send(frame, size) == 0 ? ERR_OK : ERR_IF;
}

static err_t start(struct netif *netif)
{
    static const uint8_t address[6] = {0x52, 0x54, 0x00, 0x12, 0x34, 0x56}; /* as QEMU has it */
    netif->name[0] = 'e';
    netif->name[1] = 'n';
    netif->output = etharp_output;
    netif->linkoutput = output;
    netif->mtu = 1500;
    netif->hwaddr_len = sizeof address;
    for (unsigned i = 0; i < sizeof address; i++)
        netif->hwaddr[i] = address[i];
    netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
    return lan_start(address) == 0 ? ERR_OK : ERR_IF;
}

void net_start(void)
{
    ip4_addr_t address, mask, gateway;
    sleep_never();
    board_clocks();
    board_start();
    IP4_ADDR(&address, 10, 0, 2, 15);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    IP4_ADDR(&gateway, 10, 0, 2, 2);
    lwip_init();
    if (netif_add(&interface, &address, &mask, &gateway, NULL, start, ethernet_input) == NULL)
        net_stop("fault: no controller answers");
    netif_set_default(&interface);
    netif_set_up(&interface);
    netif_set_link_up(&interface);
    sleep_start();
}

void net_poll(void)
{
    size_t size;
    while ((size = lan_receive(frame)) > 0) {
        struct pbuf *packet = pbuf_alloc(PBUF_RAW, (uint16_t)size, PBUF_POOL);
        if (packet == NULL)
            continue; /* lost, as frames are */
        (void)pbuf_take(packet, frame, (uint16_t)size);
        if (interface.input(packet, &interface) != ERR_OK)
            (void)pbuf_free(packet);
    }
    sys_check_timeouts();
}

void net_wait(void)
{
    sleep_now();
}
