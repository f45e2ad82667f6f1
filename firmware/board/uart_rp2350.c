/* uart_rp2350.c - RP2350 at 150 MHz from its crystal of 12 MHz, and UART0 on GPIO0 and GPIO1
 * (RP2350 data sheet: 8.1 clocks, 8.2 XOSC, 8.6 PLL, 7.5 resets, 9.11 GPIO, 12.1 UART). The flash
 * stays as the boot ROM sets it. The block in the first 4 KiB makes the boot ROM start the vector
 * table with a Cortex-M33 (5.9.5). */
#include "board.h"

#define SET(address) REGISTER((address) + 0x2000)
#define CLEAR(address) REGISTER((address) + 0x3000)
#define RESETS 0x40020000u
#define RESET_DONE REGISTER(RESETS + 8)
#define IO_BANK0 (1u << 6)
#define PADS_BANK0 (1u << 9)
#define PLL_SYS (1u << 14)
#define UART0 (1u << 26)
#define XOSC_CTRL REGISTER(0x40048000)
#define XOSC_STATUS REGISTER(0x40048004)
#define XOSC_STARTUP REGISTER(0x4004800C)
#define CLK_REF_CTRL REGISTER(0x40010030)
#define CLK_REF_SELECTED REGISTER(0x40010038)
#define CLK_SYS_CTRL REGISTER(0x4001003C)
#define CLK_SYS_SELECTED REGISTER(0x40010044)
#define CLK_PERI_CTRL REGISTER(0x40010048)
#define PLL_CS REGISTER(0x40050000)
#define PLL_PWR 0x40050004u
#define PLL_FBDIV REGISTER(0x40050008)
#define PLL_PRIM REGISTER(0x4005000C)
#define GPIO_CTRL(pin) REGISTER(0x40028004 + 8 * (pin))
#define PAD(pin) (0x40038004u + 4 * (pin))
#define DATA REGISTER(UART_BASE + 0x00)
#define FLAGS REGISTER(UART_BASE + 0x18)
#define IBRD REGISTER(UART_BASE + 0x24)
#define FBRD REGISTER(UART_BASE + 0x28)
#define LCR_H REGISTER(UART_BASE + 0x2C)
#define CONTROL REGISTER(UART_BASE + 0x30)
#define DIVISOR (UART_HZ * 4u / UART_BAUD) /* in 64ths */

/* IMAGE_DEF: an executable for Arm, in the secure state. */
__attribute__((section(".vectors"), used)) static const uint32_t block[] = {
    0xFFFFDED3, 0x10210142, 0x000001FF, 0, 0xAB123579,
};

static void out_of_reset(uint32_t which)
{
    CLEAR(RESETS) = which;
    while ((RESET_DONE & which) != which) {
    }
}

void board_clocks(void)
{
    XOSC_CTRL = 0xAA0; /* 1 to 15 MHz */
    XOSC_STARTUP = 47; /* * 256 clocks: 1 ms */
    SET(0x40048000) = 0xFABu << 12;
    while (!(XOSC_STATUS >> 31)) {
    }
    CLK_REF_CTRL = 2; /* XOSC */
    while (!(CLK_REF_SELECTED & 1u << 2)) {
    }
    CLK_SYS_CTRL &= ~1u;
    while (!(CLK_SYS_SELECTED & 1)) {
    }
    out_of_reset(PLL_SYS);
    PLL_CS = 1;
    PLL_FBDIV = 125;              /* 12 MHz * 125 / 5 / 2 = 150 MHz */
    CLEAR(PLL_PWR) = 1 | 1u << 5; /* power, oscillator */
    while (!(PLL_CS >> 31)) {
    }
    PLL_PRIM = 5u << 16 | 2u << 12;
    CLEAR(PLL_PWR) = 1u << 3; /* dividers */
    CLK_SYS_CTRL = 0;
    CLK_SYS_CTRL = 1; /* the PLL */
    while (!(CLK_SYS_SELECTED & 2)) {
    }
    CLK_PERI_CTRL = 1u << 11; /* from clk_sys */
    out_of_reset(IO_BANK0 | PADS_BANK0 | UART0);
}

void board_start(void)
{
    for (uint32_t pin = 0; pin < 2; pin++) {
        GPIO_CTRL(pin) = 2;        /* UART */
        SET(PAD(pin)) = 1u << 6;   /* input on */
        CLEAR(PAD(pin)) = 1u << 8; /* isolation off */
    }
    IBRD = DIVISOR / 64;
    FBRD = DIVISOR % 64;
    LCR_H = 3u << 5 | 1u << 4;
    CONTROL = 1 | 1u << 8 | 1u << 9;
}

void board_put(uint8_t byte)
{
    while (FLAGS & 1u << 5) {
    }
    DATA = byte;
}

uint8_t board_get(void)
{
    while (FLAGS & 1u << 4) {
    }
    return (uint8_t)DATA;
}
