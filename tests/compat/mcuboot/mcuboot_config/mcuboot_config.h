/* mcuboot_config.h - stands for that of MCUboot; the test defines MCUBOOT_SIGN_.. */
#ifndef MCUBOOT_CONFIG_H
#define MCUBOOT_CONFIG_H

#define MCUBOOT_USE_CUSTOM_CRYPTO
#include "mcuboot_custom_crypto.h"

#endif
