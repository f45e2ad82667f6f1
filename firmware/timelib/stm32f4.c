/* stm32f4.c - STM32F4 (RM0383, RM0090): TIM2 behind its prescaler, TIMELIB_PRESCALER, and PA8 as
 * the pin. TIM2 stops in deep sleep, which the micro-benchmarks do not use. */
#include "timelib.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RCC_AHB1ENR REGISTER(0x40023830)
#define RCC_APB1ENR REGISTER(0x40023840)
#define TIM2_CR1 REGISTER(0x40000000)
#define TIM2_EGR REGISTER(0x40000014)
#define TIM2_CNT REGISTER(0x40000024)
#define TIM2_PSC REGISTER(0x40000028)
#define TIM2_ARR REGISTER(0x4000002C)
#define GPIOA_MODER REGISTER(0x40020000)
#define GPIOA_BSRR REGISTER(0x40020018)
#define PIN 8

void timelib_port_start(void)
{
    RCC_AHB1ENR |= 1;
    RCC_APB1ENR |= 1;
    GPIOA_MODER = (GPIOA_MODER & ~(3u << 2 * PIN)) | 1u << 2 * PIN;
    TIM2_PSC = TIMELIB_PRESCALER - 1;
    TIM2_ARR = 0xFFFFFFFF;
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
