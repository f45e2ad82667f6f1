/* open_eth.c - the Ethernet controller of OpenCores at LAN_BASE, with the interface of lan9118.h;
 * the names of registers are those of its specification (Ethernet IP Core, rev. 1.19, chapter 3)
 *
 * The controller reads and writes frames in RAM, where its descriptors say: one for sending, and
 * RECEIVING for what comes in. It makes the checksum, and pads short frames. */
#include "lan9118.h"

#define REG(offset) (*(volatile uint32_t *)(uintptr_t)(LAN_BASE + (offset)))

#define MODER REG(0x00)
#define TX_BD_NUM REG(0x20)
#define MAC_ADDR0 REG(0x40)
#define MAC_ADDR1 REG(0x44)
#define STATE(descriptor) REG(0x400 + 8 * (descriptor))
#define POINTER(descriptor) REG(0x404 + 8 * (descriptor))

#define ON 0x3u            /* of MODER: send and receive */
#define FULL_DUPLEX 0x400u /* and checksum, long frames, padding */
#define RESET 0x800u
#define MODE (ON | FULL_DUPLEX | 0x2000u | 0x4000u | 0x8000u)
#define READY 0x8000u    /* of a descriptor: the controller may use it */
#define LAST 0x2000u     /* the first comes behind it */
#define COMPLETE 0x1800u /* padding and checksum */
#define CHECKSUM 4
#define TRIES 100000u

#define RECEIVING 6
#define WORDS ((LAN_FRAME_MAX + CHECKSUM + 3) / 4 + 1)

static uint32_t outgoing[WORDS] __attribute__((aligned(8)));
static uint32_t incoming[RECEIVING][WORDS] __attribute__((aligned(8)));
static unsigned next;

int lan_waits(void);

static void take_more(unsigned number)
{
    STATE(1 + number) = READY | (number == RECEIVING - 1 ? LAST : 0);
}

int lan_start(const uint8_t address[6])
{
    MODER = RESET;
    MODER = 0;
    TX_BD_NUM = 1;
    if (TX_BD_NUM != 1)
        return -1;
    MAC_ADDR0 = (uint32_t)address[2] << 24 | (uint32_t)address[3] << 16 |
                (uint32_t)address[4] << 8 | address[5];
    MAC_ADDR1 = (uint32_t)address[0] << 8 | address[1];
    POINTER(0) = (uint32_t)(uintptr_t)outgoing;
    STATE(0) = LAST;
    for (unsigned i = 0; i < RECEIVING; i++) {
        POINTER(1 + i) = (uint32_t)(uintptr_t)incoming[i];
        take_more(i);
    }
    MODER = MODE;
    return 0;
}

int lan_send(const uint32_t *frame, size_t size)
{
    if (size == 0 || size > LAN_FRAME_MAX || (STATE(0) & READY))
        return -1;
    for (size_t i = 0; i < (size + 3) / 4; i++)
        outgoing[i] = frame[i];
    STATE(0) = (uint32_t)size << 16 | READY | LAST | COMPLETE;
    for (uint32_t tries = TRIES; (STATE(0) & READY) && tries > 0; tries--) {
    }
    return 0;
}

int lan_waits(void)
{
    return !(STATE(1 + next) & READY);
}

size_t lan_receive(uint32_t *frame)
{
    while (lan_waits()) {
        const unsigned number = next;
        const uint32_t size = STATE(1 + number) >> 16; /* with the checksum */
        const int fits = size > CHECKSUM && size - CHECKSUM <= LAN_FRAME_MAX;
        for (size_t i = 0; fits && i < (size - CHECKSUM + 3) / 4; i++)
            frame[i] = incoming[number][i];
        take_more(number);
        next = (number + 1) % RECEIVING;
        if (fits)
            return size - CHECKSUM;
    }
    return 0;
}

uint32_t lan_clock(void)
{
    uint32_t ticks;
    __asm__ volatile("rsr %0, ccount" : "=r"(ticks));
    return ticks;
}
