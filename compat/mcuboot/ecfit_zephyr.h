/* ecfit_zephyr.h - before each file of MCUboot on Zephyr, whose mcuboot_config.h comes later and
 * says the same: what is signed, and how images are hashed. Where CONFIG_BOOT_ECDSA_ECFIT is set,
 * zephyr/CMakeLists.txt includes it. */
#if !defined(ECFIT_COMPAT_MCUBOOT_ZEPHYR_H) && !defined(__ASSEMBLER__)
#define ECFIT_COMPAT_MCUBOOT_ZEPHYR_H

#if defined(CONFIG_BOOT_SIGNATURE_TYPE_ECDSA_P256)
#define MCUBOOT_SIGN_EC256
#endif
#if defined(CONFIG_BOOT_IMG_HASH_ALG_SHA512)
#define MCUBOOT_SHA512
#endif

#include "mcuboot_custom_crypto.h"

#endif
