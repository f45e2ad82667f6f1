/* clocks_stm32f4.c - STM32F4 from its 16 MHz oscillator, flash as the target says, USART2 on PA2
 * and PA3 (RM0383, 3.8.1, 6.3, 8.4; RM0090 likewise). The board says FLASH_WAITS; PLL_TIMES, of
 * 1 MHz; PLL_OVER, what that is divided by: 2 or 4; APB1_OVER, as the field PPRE1 has it. */
#include "board.h"

#define FLASH_ACR REGISTER(0x40023C00)
#define RCC_CR REGISTER(0x40023800)
#define RCC_PLLCFGR REGISTER(0x40023804)
#define RCC_CFGR REGISTER(0x40023808)
#define RCC_AHB1ENR REGISTER(0x40023830)
#define RCC_APB1ENR REGISTER(0x40023840)
#define GPIOA_MODER REGISTER(0x40020000)
#define GPIOA_AFRL REGISTER(0x40020020)
#define PLL_ON (1u << 24)
#define PLL_READY (1u << 25)
#define SWITCHED(cr) (((cr) >> 2 & 3) == 2)

void board_clocks(void)
{
    FLASH_ACR = FLASH_WAITS | 1u << 8 | 1u << 9 | 1u << 10; /* prefetch, both caches */
    RCC_PLLCFGR = 16 | PLL_TIMES << 6 | (PLL_OVER / 2 - 1) << 16 | 8u << 24;
    RCC_CR |= PLL_ON;
    while (!(RCC_CR & PLL_READY)) {
    }
    RCC_CFGR = APB1_OVER << 10 | 2; /* PLL */
    while (!SWITCHED(RCC_CFGR)) {
    }
    RCC_AHB1ENR |= 1;
    RCC_APB1ENR |= 1u << 17;
    GPIOA_MODER = (GPIOA_MODER & ~0xF0u) | 0xA0u;   /* alternate functions */
    GPIOA_AFRL = (GPIOA_AFRL & ~0xFF00u) | 0x7700u; /* of USART2 */
}
