/* stm32f1.c - STM32F103 (RM0008): the 16 bits of TIM2 behind its prescaler, TIMELIB_PRESCALER, and
 * PA8 as the pin. TIM2 stops in deep sleep, which the micro-benchmarks do not use. */
#include "timelib.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RCC_APB2ENR REGISTER(0x40021018)
#define RCC_APB1ENR REGISTER(0x4002101C)
#define TIM2_CR1 REGISTER(0x40000000)
#define TIM2_EGR REGISTER(0x40000014)
#define TIM2_CNT REGISTER(0x40000024)
#define TIM2_PSC REGISTER(0x40000028)
#define TIM2_ARR REGISTER(0x4000002C)
#define GPIOA_CRH REGISTER(0x40010804)
#define GPIOA_BSRR REGISTER(0x40010810)
#define PIN 8

void timelib_port_start(void)
{
    RCC_APB2ENR |= 1u << 2;
    RCC_APB1ENR |= 1;
    GPIOA_CRH = (GPIOA_CRH & ~0xFu) | 0x3u; /* output, 50 MHz */
    TIM2_PSC = TIMELIB_PRESCALER - 1;
    TIM2_ARR = 0xFFFF;
    TIM2_EGR = 1; /* takes over the prescaler */
    TIM2_CR1 = 1;
}

uint32_t timelib_port_ticks(void)
{
    return TIM2_CNT;
}

void timelib_port_pin(int high)
{
    GPIOA_BSRR = high ? 1u << PIN : 1u << (PIN + 16);
}
