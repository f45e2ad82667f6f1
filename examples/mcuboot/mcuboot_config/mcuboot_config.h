/* mcuboot_config.h - what MCUboot asks of its port; the Makefile defines MCUBOOT_SIGN_.. */
#ifndef MCUBOOT_CONFIG_H
#define MCUBOOT_CONFIG_H

#define MCUBOOT_OVERWRITE_ONLY
#define MCUBOOT_IMAGE_NUMBER 1
#define MCUBOOT_MAX_IMG_SECTORS 128
#define MCUBOOT_USE_FLASH_AREA_GET_SECTORS
#define MCUBOOT_BOOT_MAX_ALIGN 8
#define MCUBOOT_WATCHDOG_FEED() ((void)0)
#define MCUBOOT_CPU_IDLE() ((void)0)

/* The switch: these two lines, in place of MCUBOOT_USE_TINYCRYPT. */
#ifndef MCUBOOT_USE_TINYCRYPT
#define MCUBOOT_USE_CUSTOM_CRYPTO
#include "mcuboot_custom_crypto.h"
#endif

#endif
