/* lan9118.c - see lan9118.h; the names of registers are those of the data sheet, chapter 5
 *
 * The interrupt line is asserted from reset on until IRQ_CFG says how it is wired:
 * that comes first, before anybody looks at the line. */
#include "lan9118.h"

#define REG(offset) (*(volatile uint32_t *)(uintptr_t)(LAN_BASE + (offset)))

#define RX_DATA_FIFO REG(0x00)
#define TX_DATA_FIFO REG(0x20)
#define RX_STATUS_FIFO REG(0x40)
#define TX_STATUS_FIFO REG(0x48)
#define IRQ_CFG REG(0x54)
#define INT_STS REG(0x58)
#define INT_EN REG(0x5C)
#define BYTE_TEST REG(0x64)
#define FIFO_INT REG(0x68)
#define RX_CFG REG(0x6C)
#define TX_CFG REG(0x70)
#define HW_CFG REG(0x74)
#define RX_DP_CTL REG(0x78)
#define RX_FIFO_INF REG(0x7C)
#define TX_FIFO_INF REG(0x80)
#define FREE_RUN REG(0x9C)
#define MAC_CSR_CMD REG(0xA4)
#define MAC_CSR_DATA REG(0xA8)

#define BYTE_TEST_VALUE 0x87654321u
#define RSFL_INT (1u << 3)   /* a received frame waits */
#define SOFT_RESET (1u << 0) /* of HW_CFG */
#define MUST_BE_ONE (1u << 20)
#define TX_FIFO_5K (5u << 16)
#define TX_ON (1u << 1)     /* of TX_CFG */
#define MAC_BUSY (1u << 31) /* of MAC_CSR_CMD */
#define MAC_CR 1
#define MAC_ADDRH 2
#define MAC_ADDRL 3
#define MAC_TX_RX_ON 0x0000000Cu
#define FAST_FORWARD (1u << 31) /* of RX_DP_CTL */
#define TRIES 100000u

static int mac_write(uint32_t which, uint32_t value)
{
    MAC_CSR_DATA = value;
    MAC_CSR_CMD = MAC_BUSY | which;
    for (uint32_t tries = TRIES; tries > 0; tries--) {
        if (!(MAC_CSR_CMD & MAC_BUSY))
            return 0;
    }
    return -1;
}

int lan_start(const uint8_t address[6])
{
    uint32_t tries = TRIES;
    if (BYTE_TEST != BYTE_TEST_VALUE)
        return -1;
    HW_CFG = MUST_BE_ONE | SOFT_RESET;
    while ((HW_CFG & SOFT_RESET) && --tries > 0) {
    }
    if (tries == 0)
        return -1;
    IRQ_CFG = 0x111; /* on, active high, push-pull */
    INT_EN = 0;
    INT_STS = 0xFFFFFFFFu;
    HW_CFG = MUST_BE_ONE | TX_FIFO_5K;
    FIFO_INT = 0; /* one frame is enough */
    RX_CFG = 0;
    TX_CFG = TX_ON;
    if (mac_write(MAC_ADDRH, (uint32_t)address[5] << 8 | address[4]) != 0 ||
        mac_write(MAC_ADDRL, (uint32_t)address[3] << 24 | (uint32_t)address[2] << 16 |
                                 (uint32_t)address[1] << 8 | address[0]) != 0 ||
        mac_write(MAC_CR, MAC_TX_RX_ON) != 0)
        return -1;
    INT_EN = RSFL_INT;
    return 0;
}

int lan_send(const uint32_t *frame, size_t size)
{
    uint32_t words = (uint32_t)(size + 3) / 4;
    while (TX_FIFO_INF >> 16 & 0xFF) /* what became of earlier ones: nobody asks */
        (void)TX_STATUS_FIFO;
    if (size == 0 || size > LAN_FRAME_MAX || (TX_FIFO_INF & 0xFFFF) < 4 * (words + 2))
        return -1;
    TX_DATA_FIFO = 3u << 12 | (uint32_t)size; /* first and last part, of so many bytes */
    TX_DATA_FIFO = (uint32_t)size;
    while (words-- > 0)
        TX_DATA_FIFO = *frame++;
    return 0;
}

size_t lan_receive(uint32_t *frame)
{
    while (RX_FIFO_INF >> 16 & 0xFF) {
        uint32_t status = RX_STATUS_FIFO;
        uint32_t size = status >> 16 & 0x3FFF; /* with the checksum of 4 bytes */
        uint32_t words = (size + 3) / 4;
        if (!(status & 1u << 15) && size > 4 && size - 4 <= LAN_FRAME_MAX) {
            for (uint32_t i = 0; i < words; i++) {
                uint32_t word = RX_DATA_FIFO;
                if (4 * i < size - 4)
                    frame[i] = word;
            }
            INT_STS = RSFL_INT;
            return size - 4;
        }
        RX_DP_CTL = FAST_FORWARD;
        for (uint32_t tries = TRIES; (RX_DP_CTL & FAST_FORWARD) && tries > 0; tries--) {
        }
    }
    INT_STS = RSFL_INT;
    return 0;
}

uint32_t lan_clock(void)
{
    return FREE_RUN;
}
