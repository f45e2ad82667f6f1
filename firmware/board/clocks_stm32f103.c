/* clocks_stm32f103.c - STM32F103 at 72 MHz from 8 MHz at OSC_IN, which the debugger of a Nucleo
 * provides; flash as the target says; USART2 on PA2 and PA3 (RM0008, 7.3, 9.2; PM0075). APB1 runs
 * at 36 MHz. */
#include "board.h"

#define FLASH_ACR REGISTER(0x40022000)
#define RCC_CR REGISTER(0x40021000)
#define RCC_CFGR REGISTER(0x40021004)
#define RCC_APB2ENR REGISTER(0x40021018)
#define RCC_APB1ENR REGISTER(0x4002101C)
#define GPIOA_CRL REGISTER(0x40010800)
#define HSE_ON (1u << 16)
#define HSE_READY (1u << 17)
#define HSE_BYPASS (1u << 18)
#define PLL_ON (1u << 24)
#define PLL_READY (1u << 25)
#define SWITCHED(cr) (((cr) >> 2 & 3) == 2)

void board_clocks(void)
{
    FLASH_ACR = 2 | 1u << 4; /* 2 wait states, prefetch */
    RCC_CR |= HSE_BYPASS;
    RCC_CR |= HSE_ON;
    while (!(RCC_CR & HSE_READY)) {
    }
    RCC_CFGR = 7u << 18 | 1u << 16 | 4u << 8; /* 8 MHz * 9, APB1 / 2 */
    RCC_CR |= PLL_ON;
    while (!(RCC_CR & PLL_READY)) {
    }
    RCC_CFGR |= 2; /* PLL */
    while (!SWITCHED(RCC_CFGR)) {
    }
    RCC_APB2ENR |= 1u << 2;
    RCC_APB1ENR |= 1u << 17;
    GPIOA_CRL = (GPIOA_CRL & ~0xFF00u) | 0x4B00u; /* PA2: alternate output; PA3: floating input */
}
