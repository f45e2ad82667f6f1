/* ecfit_config.h - which files fill the slots, and the numbers, by symbols CONFIG_ECFIT_
 * of a Kconfig menu or a compiler's line (docs/packages.md).
 * Generated from lib/knobs.toml by tools/packages/gen_packages.py. */
#if defined(ECFIT_CONFIG_FILE) && !defined(ECFIT_CONFIG_H)
#include ECFIT_CONFIG_FILE
#endif
#ifndef ECFIT_CONFIG_H
#define ECFIT_CONFIG_H

#if !(defined(CONFIG_ECFIT_PRESET_BALANCED) || defined(CONFIG_ECFIT_PRESET_COMPACT) || \
    defined(CONFIG_ECFIT_PRESET_FAST) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY))
#define CONFIG_ECFIT_PRESET_BALANCED 1
#endif
#if !(defined(CONFIG_ECFIT_SECP128R1) || defined(CONFIG_ECFIT_SECP160R1) || \
    defined(CONFIG_ECFIT_SECP192R1) || defined(CONFIG_ECFIT_SECP224R1) || \
    defined(CONFIG_ECFIT_SECP256R1) || defined(CONFIG_ECFIT_SECP384R1) || \
    defined(CONFIG_ECFIT_SECP521R1) || defined(CONFIG_ECFIT_SECP256K1) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1) || defined(CONFIG_ECFIT_BRAINPOOLP384R1) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1) || defined(CONFIG_ECFIT_X25519) || \
    defined(CONFIG_ECFIT_X448) || defined(CONFIG_ECFIT_ED25519) || \
    defined(CONFIG_ECFIT_ED448))
#define CONFIG_ECFIT_SECP256R1 1
#endif
#if defined(CONFIG_ECFIT_SECP128R1)
#define ECFIT_CURVE_SECP128R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP128R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP160R1)
#define ECFIT_CURVE_SECP160R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP160R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP192R1)
#define ECFIT_CURVE_SECP192R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP192R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP224R1)
#define ECFIT_CURVE_SECP224R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP224R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP256R1)
#define ECFIT_CURVE_SECP256R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP256R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP384R1)
#define ECFIT_CURVE_SECP384R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP384R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP521R1)
#define ECFIT_CURVE_SECP521R1_ENABLED 1
#else
#define ECFIT_CURVE_SECP521R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_SECP256K1)
#define ECFIT_CURVE_SECP256K1_ENABLED 1
#else
#define ECFIT_CURVE_SECP256K1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_BRAINPOOLP256R1)
#define ECFIT_CURVE_BRAINPOOLP256R1_ENABLED 1
#else
#define ECFIT_CURVE_BRAINPOOLP256R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_BRAINPOOLP384R1)
#define ECFIT_CURVE_BRAINPOOLP384R1_ENABLED 1
#else
#define ECFIT_CURVE_BRAINPOOLP384R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_BRAINPOOLP512R1)
#define ECFIT_CURVE_BRAINPOOLP512R1_ENABLED 1
#else
#define ECFIT_CURVE_BRAINPOOLP512R1_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_X25519)
#define ECFIT_CURVE_X25519_ENABLED 1
#else
#define ECFIT_CURVE_X25519_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_X448)
#define ECFIT_CURVE_X448_ENABLED 1
#else
#define ECFIT_CURVE_X448_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_ED25519)
#define ECFIT_CURVE_ED25519_ENABLED 1
#else
#define ECFIT_CURVE_ED25519_ENABLED 0
#endif
#if defined(CONFIG_ECFIT_ED448)
#define ECFIT_CURVE_ED448_ENABLED 1
#else
#define ECFIT_CURVE_ED448_ENABLED 0
#endif
#if ECFIT_CURVE_SECP521R1_ENABLED
#define ECFIT_MAX_BITS 576
#elif ECFIT_CURVE_BRAINPOOLP512R1_ENABLED
#define ECFIT_MAX_BITS 512
#elif ECFIT_CURVE_X448_ENABLED || ECFIT_CURVE_ED448_ENABLED
#define ECFIT_MAX_BITS 448
#elif ECFIT_CURVE_SECP384R1_ENABLED || ECFIT_CURVE_BRAINPOOLP384R1_ENABLED
#define ECFIT_MAX_BITS 384
#elif ECFIT_CURVE_SECP224R1_ENABLED || ECFIT_CURVE_SECP256R1_ENABLED || \
    ECFIT_CURVE_SECP256K1_ENABLED || ECFIT_CURVE_BRAINPOOLP256R1_ENABLED || \
    ECFIT_CURVE_X25519_ENABLED || ECFIT_CURVE_ED25519_ENABLED
#define ECFIT_MAX_BITS 256
#elif ECFIT_CURVE_SECP160R1_ENABLED || ECFIT_CURVE_SECP192R1_ENABLED
#define ECFIT_MAX_BITS 192
#elif ECFIT_CURVE_SECP128R1_ENABLED
#define ECFIT_MAX_BITS 128
#endif
#define CONFIG_ECFIT_CURVES \
    (ECFIT_CURVE_SECP128R1_ENABLED + ECFIT_CURVE_SECP160R1_ENABLED + \
    ECFIT_CURVE_SECP192R1_ENABLED + ECFIT_CURVE_SECP224R1_ENABLED + \
    ECFIT_CURVE_SECP256R1_ENABLED + ECFIT_CURVE_SECP384R1_ENABLED + \
    ECFIT_CURVE_SECP521R1_ENABLED + ECFIT_CURVE_SECP256K1_ENABLED + \
    ECFIT_CURVE_BRAINPOOLP256R1_ENABLED + ECFIT_CURVE_BRAINPOOLP384R1_ENABLED + \
    ECFIT_CURVE_BRAINPOOLP512R1_ENABLED + ECFIT_CURVE_X25519_ENABLED + \
    ECFIT_CURVE_X448_ENABLED + ECFIT_CURVE_ED25519_ENABLED + ECFIT_CURVE_ED448_ENABLED)
#if !(defined(CONFIG_ECFIT_OP_KEYGEN) || defined(CONFIG_ECFIT_OP_ECDH) || \
    defined(CONFIG_ECFIT_OP_SIGN) || defined(CONFIG_ECFIT_OP_VERIFY))
#define CONFIG_ECFIT_OP_KEYGEN 1
#define CONFIG_ECFIT_OP_ECDH 1
#define CONFIG_ECFIT_OP_SIGN 1
#define CONFIG_ECFIT_OP_VERIFY 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && defined(CONFIG_ECFIT_OP_VERIFY) && \
    !defined(CONFIG_ECFIT_OP_KEYGEN) && !defined(CONFIG_ECFIT_OP_ECDH) && \
    !defined(CONFIG_ECFIT_OP_SIGN)
#define CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && defined(CONFIG_ECFIT_OP_VERIFY) && \
    !defined(CONFIG_ECFIT_OP_KEYGEN) && !defined(CONFIG_ECFIT_OP_SIGN)
#define CONFIG_ECFIT_EDWARDS_VERIFY_ALONE 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && \
    (defined(CONFIG_ECFIT_OP_KEYGEN) || defined(CONFIG_ECFIT_OP_SIGN)) && \
    !defined(CONFIG_ECFIT_OP_ECDH) && !defined(CONFIG_ECFIT_OP_VERIFY)
#define CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && defined(CONFIG_ECFIT_OP_KEYGEN) && \
    !defined(CONFIG_ECFIT_OP_ECDH)
#define CONFIG_ECFIT_MONTGOMERY_KEYGEN_SIGN_ALONE 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && \
    (defined(CONFIG_ECFIT_OP_KEYGEN) || defined(CONFIG_ECFIT_OP_SIGN)) && \
    !defined(CONFIG_ECFIT_OP_VERIFY)
#define CONFIG_ECFIT_EDWARDS_KEYGEN_SIGN_ALONE 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && defined(CONFIG_ECFIT_OP_ECDH) && \
    !defined(CONFIG_ECFIT_OP_KEYGEN) && !defined(CONFIG_ECFIT_OP_SIGN) && \
    !defined(CONFIG_ECFIT_OP_VERIFY)
#define CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE 1
#endif
#if CONFIG_ECFIT_CURVES == 1 && defined(CONFIG_ECFIT_OP_ECDH) && \
    !defined(CONFIG_ECFIT_OP_KEYGEN)
#define CONFIG_ECFIT_MONTGOMERY_ECDH_ALONE 1
#endif

#if defined(CONFIG_ECFIT_BACKEND_W32M16)
#define ECFIT_MP_MUL "mp/w32m16/mul.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W32M16 1
#elif defined(CONFIG_ECFIT_BACKEND_ARMV6M)
#define ECFIT_MP_MUL "mp/asm/mul.inc"
#define ECFIT_MP_LINEAR "mp/asm/linear.inc"
#define ECFIT_MP_SELECT "mp/asm/select.inc"
#define ECFIT_ASM "mp/armv6m/all.S"
#define ECFIT_BACKEND_IS_ARMV6M 1
#elif defined(CONFIG_ECFIT_BACKEND_ARMV7M)
#define ECFIT_MP_MUL "mp/asm/mul.inc"
#define ECFIT_MP_LINEAR "mp/asm/linear.inc"
#define ECFIT_MP_SELECT "mp/asm/select.inc"
#define ECFIT_ASM "mp/armv7m/all.S"
#define ECFIT_BACKEND_IS_ARMV7M 1
#elif defined(CONFIG_ECFIT_BACKEND_ARMV7EM)
#define ECFIT_MP_MUL "mp/asm/mul.inc"
#define ECFIT_MP_LINEAR "mp/asm/linear.inc"
#define ECFIT_MP_SELECT "mp/asm/select.inc"
#define ECFIT_ASM "mp/armv7em/all.S"
#define ECFIT_BACKEND_IS_ARMV7EM 1
#elif defined(CONFIG_ECFIT_BACKEND_RV32IM)
#define ECFIT_MP_MUL "mp/asm/mul.inc"
#define ECFIT_MP_LINEAR "mp/asm/linear.inc"
#define ECFIT_MP_SELECT "mp/asm/select.inc"
#define ECFIT_ASM "mp/rv32im/all.S"
#define ECFIT_BACKEND_IS_RV32IM 1
#elif defined(CONFIG_ECFIT_BACKEND_W32)
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W32 1
#elif defined(CONFIG_ECFIT_BACKEND_W64)
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/w64/linear.inc"
#define ECFIT_MP_SELECT "mp/w64/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W64 1
#elif defined(CONFIG_ECFIT_BACKEND_W16)
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W16 1
#elif defined(CONFIG_ECFIT_BACKEND_W8)
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W8 1
#else
/* ARMv6-M and ARMv8-M Baseline (Cortex-M0, M0+, M1, M23) */
/* ARMv7-M without DSP (Cortex-M3) */
/* Xtensa (ESP8266, ESP32, ESP32-S2, ESP32-S3) */
#if (defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)) || \
    (defined(__ARM_ARCH_7M__)) || \
    (defined(__XTENSA__))
#define ECFIT_MP_MUL "mp/w32m16/mul.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W32M16 1
/* AVR with a multiplier */
#elif (defined(__AVR__) && defined(__AVR_HAVE_MUL__))
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W8 1
#else
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "mp/none.S"
#define ECFIT_BACKEND_IS_W32 1
#endif
#endif

#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_PRODUCT_IS_ROWS 1
#else
#define ECFIT_PRODUCT_IS_UNROLLED 1
#endif

#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_PRODUCT_VAR_IS_LONG 1
#else
#define ECFIT_PRODUCT_VAR_IS_SAME 1
#endif

#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SQUARE_IS_AS_MUL 1
#else
#define ECFIT_SQUARE_IS_OWN 1
#endif

#define ECFIT_FPU_IS_NONE 1

#if (defined(CONFIG_ECFIT_PRESET_COMPACT) && ECFIT_CURVE_ED448_ENABLED) || \
    (defined(CONFIG_ECFIT_PRESET_COMPACT) && ECFIT_CURVE_ED25519_ENABLED) || \
    (defined(CONFIG_ECFIT_PRESET_COMPACT) && ECFIT_CURVE_X448_ENABLED) || \
    (defined(CONFIG_ECFIT_PRESET_COMPACT) && ECFIT_CURVE_X25519_ENABLED)
#define ECFIT_INVERT "field/inverse/bingcd.inc"
#define ECFIT_FE_POWER "field/inverse/power_chain.inc"
#define ECFIT_INVERT_IS_BINGCD 1
#elif (defined(CONFIG_ECFIT_PRESET_COMPACT) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_INVERT "field/inverse/fermat.inc"
#define ECFIT_FE_POWER "field/inverse/power_loop.inc"
#define ECFIT_INVERT_IS_FERMAT 1
#else
#define ECFIT_INVERT "field/inverse/divsteps.inc"
#define ECFIT_FE_POWER "field/inverse/power_chain.inc"
#define ECFIT_INVERT_IS_DIVSTEPS 1
#endif

#define ECFIT_INVERSE_VAR "field/inverse_var/same.inc"
#define ECFIT_INVERT_VAR_IS_SAME 1

#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_MESSAGE_sha256 "api/ecdsa/message.inc"
#define ECFIT_SHA256_IS_UNROLLED 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_MESSAGE_sha256 "api/none.h"
#define ECFIT_SHA256_IS_NONE 1
#else
#define ECFIT_MESSAGE_sha256 "api/ecdsa/message.inc"
#define ECFIT_SHA256_IS_OWN 1
#endif

#if (defined(CONFIG_ECFIT_PRESET_LOWRAM) && ECFIT_CURVE_ED25519_ENABLED)
#define ECFIT_MESSAGE_sha384 "api/ecdsa/message.inc"
#define ECFIT_MESSAGE_sha512 "api/ecdsa/message.inc"
#define ECFIT_SHA512_IS_SMALL 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_MESSAGE_sha384 "api/none.h"
#define ECFIT_MESSAGE_sha512 "api/none.h"
#define ECFIT_SHA512_IS_NONE 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && ECFIT_CURVE_ED25519_ENABLED)
#define ECFIT_MESSAGE_sha384 "api/ecdsa/message.inc"
#define ECFIT_MESSAGE_sha512 "api/ecdsa/message.inc"
#define ECFIT_SHA512_IS_SMALL 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_MESSAGE_sha384 "api/none.h"
#define ECFIT_MESSAGE_sha512 "api/none.h"
#define ECFIT_SHA512_IS_NONE 1
#else
#define ECFIT_MESSAGE_sha384 "api/ecdsa/message.inc"
#define ECFIT_MESSAGE_sha512 "api/ecdsa/message.inc"
#define ECFIT_SHA512_IS_OWN 1
#endif

#if (defined(CONFIG_ECFIT_PRESET_LOWRAM) && ECFIT_CURVE_ED448_ENABLED)
#define ECFIT_SHAKE256_IS_OWN 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SHAKE256_IS_NONE 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && ECFIT_CURVE_ED448_ENABLED)
#define ECFIT_SHAKE256_IS_OWN 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SHAKE256_IS_NONE 1
#else
#define ECFIT_SHAKE256_IS_OWN 1
#endif

#define ECFIT_STATUS_TEXT "api/none.h"
#define ECFIT_STATUS_TEXT_IS_NONE 1

#define ECFIT_HASH_STREAM_IS_NONE 1

#if (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MP_PRODUCT "mp/armv6m/unrolled.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MP_PRODUCT "mp/armv7em/unrolled.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MP_PRODUCT "mp/rv32im/unrolled.inc"
#elif defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MP_PRODUCT "mp/w64/unrolled.inc"
#else
#define ECFIT_MP_PRODUCT "mp/rows.h"
#endif
#if defined(ECFIT_SHA512_IS_SMALL) && defined(ECFIT_BACKEND_IS_ARMV6M)
#define ECFIT_SHA512_BLOCK "hash/armv6m/sha512_block.inc"
#elif defined(ECFIT_SHA512_IS_SMALL)
#define ECFIT_SHA512_BLOCK "hash/sha512_halves.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV7M) || defined(ECFIT_BACKEND_IS_ARMV7EM))
#define ECFIT_SHA512_BLOCK "hash/armv7em/sha512_block.inc"
#else
#define ECFIT_SHA512_BLOCK "hash/sha512_rounds.inc"
#endif
#if defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MOD_LINEAR "field/rv32im/linear.inc"
#else
#define ECFIT_MOD_LINEAR "field/linear.inc"
#endif
#if defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MOD_MUL "field/rv32im/mod_mul.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM)
#define ECFIT_MOD_MUL "field/armv7em/mod_mul.inc"
#else
#define ECFIT_MOD_MUL "field/mod_mul.inc"
#endif
#if (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MOD_FAST "field/armv6m/mod_fast.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MOD_FAST "field/armv7em/mod_fast.inc"
#elif defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_MOD_FAST "field/w64/mod_fast.inc"
#else
#define ECFIT_MOD_FAST "field/mod_fast.inc"
#endif
#if (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_INVERSE_STEPS "field/armv6m/steps.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_INVERSE_STEPS "field/armv7em/steps.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M) || defined(ECFIT_BACKEND_IS_W32M16))
#define ECFIT_INVERSE_STEPS "field/inverse/steps_pairs.inc"
#else
#define ECFIT_INVERSE_STEPS "field/inverse/steps_words.inc"
#endif

#define ECFIT_CURVE_SHARED_ENABLED 0

#if ECFIT_CURVE_SECP128R1_ENABLED
#define ECFIT_SECP128R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP128R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP128R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP128R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP128R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP128R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP128R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP128R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP128R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP128R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP128R1_TABLE "group/multiples.inc"
#define ECFIT_SECP128R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP128R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP128R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP128R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP128R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP128R1_MULV "mul/binary.inc"
#define ECFIT_SECP128R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP128R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP128R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_MULV "mul/halves.inc"
#define ECFIT_SECP128R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP128R1_MULV "mul/window.inc"
#define ECFIT_SECP128R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP128R1_WINDOW 3
#else
#define ECFIT_SECP128R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_MULG "mul/as_var.inc"
#define ECFIT_SECP128R1_PREPARE "api/none.h"
#define ECFIT_SECP128R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP128R1_MULG "mul/comb.inc"
#define ECFIT_SECP128R1_PREPARE "api/none.h"
#define ECFIT_SECP128R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP128R1_COMB_TEETH 5
#else
#define ECFIT_SECP128R1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP128R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP128R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP128R1_MULD "mul/naf.inc"
#define ECFIT_SECP128R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP128R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP128R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP128R1_MULD "mul/naf.inc"
#define ECFIT_SECP128R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP128R1_MULD "mul/bits.inc"
#define ECFIT_SECP128R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_MULD "mul/two.inc"
#define ECFIT_SECP128R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP128R1_MULD "mul/strauss.inc"
#define ECFIT_SECP128R1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP128R1_WNAF_A 5
#else
#define ECFIT_SECP128R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP128R1_WNAF_G 7
#else
#define ECFIT_SECP128R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP128R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP128R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP128R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP128R1_KEYGEN "api/none.h"
#define ECFIT_SECP128R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP128R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP128R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP128R1_ECDH "api/none.h"
#define ECFIT_SECP128R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP128R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP128R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP128R1_SIGN "api/none.h"
#define ECFIT_SECP128R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP128R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP128R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP128R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP128R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP128R1_VERIFY "api/none.h"
#define ECFIT_SECP128R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP128R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP128R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP128R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP128R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP128R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP128R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_COMPRESS "api/none.h"
#define ECFIT_SECP128R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP128R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP128R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP128R1_DER "api/none.h"
#define ECFIT_SECP128R1_DER_IS_NONE 1
#define ECFIT_SECP128R1_RESUME "api/none.h"
#define ECFIT_SECP128R1_RESUME_IS_NONE 1
#define ECFIT_SECP128R1_WORK "api/none.h"
#define ECFIT_SECP128R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP128R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP128R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP128R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP128R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP128R1_REDUCE_IS_MONT)
#define ECFIT_SECP128R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP128R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP128R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP128R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP128R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp128r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP160R1_ENABLED
#define ECFIT_SECP160R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP160R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP160R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP160R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP160R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP160R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP160R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP160R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP160R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP160R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP160R1_TABLE "group/multiples.inc"
#define ECFIT_SECP160R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP160R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP160R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP160R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP160R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP160R1_MULV "mul/binary.inc"
#define ECFIT_SECP160R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP160R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP160R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_MULV "mul/halves.inc"
#define ECFIT_SECP160R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP160R1_MULV "mul/window.inc"
#define ECFIT_SECP160R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP160R1_WINDOW 3
#else
#define ECFIT_SECP160R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_MULG "mul/as_var.inc"
#define ECFIT_SECP160R1_PREPARE "api/none.h"
#define ECFIT_SECP160R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP160R1_MULG "mul/comb.inc"
#define ECFIT_SECP160R1_PREPARE "api/none.h"
#define ECFIT_SECP160R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP160R1_COMB_TEETH 5
#else
#define ECFIT_SECP160R1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP160R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP160R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP160R1_MULD "mul/naf.inc"
#define ECFIT_SECP160R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP160R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP160R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP160R1_MULD "mul/naf.inc"
#define ECFIT_SECP160R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP160R1_MULD "mul/bits.inc"
#define ECFIT_SECP160R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_MULD "mul/two.inc"
#define ECFIT_SECP160R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP160R1_MULD "mul/strauss.inc"
#define ECFIT_SECP160R1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP160R1_WNAF_A 5
#else
#define ECFIT_SECP160R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP160R1_WNAF_G 7
#else
#define ECFIT_SECP160R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP160R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP160R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP160R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP160R1_KEYGEN "api/none.h"
#define ECFIT_SECP160R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP160R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP160R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP160R1_ECDH "api/none.h"
#define ECFIT_SECP160R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP160R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP160R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP160R1_SIGN "api/none.h"
#define ECFIT_SECP160R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP160R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP160R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP160R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP160R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP160R1_VERIFY "api/none.h"
#define ECFIT_SECP160R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP160R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP160R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP160R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP160R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP160R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP160R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_COMPRESS "api/none.h"
#define ECFIT_SECP160R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP160R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP160R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP160R1_DER "api/none.h"
#define ECFIT_SECP160R1_DER_IS_NONE 1
#define ECFIT_SECP160R1_RESUME "api/none.h"
#define ECFIT_SECP160R1_RESUME_IS_NONE 1
#define ECFIT_SECP160R1_WORK "api/none.h"
#define ECFIT_SECP160R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP160R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP160R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP160R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP160R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP160R1_REDUCE_IS_MONT)
#define ECFIT_SECP160R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP160R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP160R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP160R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP160R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp160r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP192R1_ENABLED
#define ECFIT_SECP192R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP192R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP192R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP192R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP192R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP192R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP192R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP192R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP192R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP192R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP192R1_TABLE "group/multiples.inc"
#define ECFIT_SECP192R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP192R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP192R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP192R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP192R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP192R1_MULV "mul/binary.inc"
#define ECFIT_SECP192R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP192R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP192R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_MULV "mul/halves.inc"
#define ECFIT_SECP192R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP192R1_MULV "mul/window.inc"
#define ECFIT_SECP192R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP192R1_WINDOW 3
#else
#define ECFIT_SECP192R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_MULG "mul/as_var.inc"
#define ECFIT_SECP192R1_PREPARE "api/none.h"
#define ECFIT_SECP192R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP192R1_MULG "mul/comb.inc"
#define ECFIT_SECP192R1_PREPARE "api/none.h"
#define ECFIT_SECP192R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP192R1_COMB_TEETH 5
#else
#define ECFIT_SECP192R1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP192R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP192R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP192R1_MULD "mul/naf.inc"
#define ECFIT_SECP192R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP192R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP192R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP192R1_MULD "mul/naf.inc"
#define ECFIT_SECP192R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP192R1_MULD "mul/bits.inc"
#define ECFIT_SECP192R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_MULD "mul/two.inc"
#define ECFIT_SECP192R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP192R1_MULD "mul/strauss.inc"
#define ECFIT_SECP192R1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP192R1_WNAF_A 5
#else
#define ECFIT_SECP192R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP192R1_WNAF_G 7
#else
#define ECFIT_SECP192R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP192R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP192R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP192R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP192R1_KEYGEN "api/none.h"
#define ECFIT_SECP192R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP192R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP192R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP192R1_ECDH "api/none.h"
#define ECFIT_SECP192R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP192R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP192R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP192R1_SIGN "api/none.h"
#define ECFIT_SECP192R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP192R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP192R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP192R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP192R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP192R1_VERIFY "api/none.h"
#define ECFIT_SECP192R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP192R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP192R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP192R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP192R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP192R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP192R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_COMPRESS "api/none.h"
#define ECFIT_SECP192R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP192R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP192R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP192R1_DER "api/none.h"
#define ECFIT_SECP192R1_DER_IS_NONE 1
#define ECFIT_SECP192R1_RESUME "api/none.h"
#define ECFIT_SECP192R1_RESUME_IS_NONE 1
#define ECFIT_SECP192R1_WORK "api/none.h"
#define ECFIT_SECP192R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP192R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP192R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP192R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP192R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP192R1_REDUCE_IS_MONT)
#define ECFIT_SECP192R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP192R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP192R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP192R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP192R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp192r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP224R1_ENABLED
#define ECFIT_SECP224R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP224R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP224R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP224R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP224R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP224R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP224R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP224R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP224R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP224R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP224R1_TABLE "group/multiples.inc"
#define ECFIT_SECP224R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP224R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP224R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP224R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP224R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP224R1_MULV "mul/binary.inc"
#define ECFIT_SECP224R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP224R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP224R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_MULV "mul/halves.inc"
#define ECFIT_SECP224R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP224R1_MULV "mul/window.inc"
#define ECFIT_SECP224R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP224R1_WINDOW 3
#else
#define ECFIT_SECP224R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_MULG "mul/as_var.inc"
#define ECFIT_SECP224R1_PREPARE "api/none.h"
#define ECFIT_SECP224R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP224R1_MULG "mul/comb.inc"
#define ECFIT_SECP224R1_PREPARE "api/none.h"
#define ECFIT_SECP224R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP224R1_COMB_TEETH 5
#else
#define ECFIT_SECP224R1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP224R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP224R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP224R1_MULD "mul/naf.inc"
#define ECFIT_SECP224R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP224R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP224R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP224R1_MULD "mul/naf.inc"
#define ECFIT_SECP224R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP224R1_MULD "mul/bits.inc"
#define ECFIT_SECP224R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_MULD "mul/two.inc"
#define ECFIT_SECP224R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP224R1_MULD "mul/strauss.inc"
#define ECFIT_SECP224R1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP224R1_WNAF_A 5
#else
#define ECFIT_SECP224R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP224R1_WNAF_G 7
#else
#define ECFIT_SECP224R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP224R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP224R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP224R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP224R1_KEYGEN "api/none.h"
#define ECFIT_SECP224R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP224R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP224R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP224R1_ECDH "api/none.h"
#define ECFIT_SECP224R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP224R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP224R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP224R1_SIGN "api/none.h"
#define ECFIT_SECP224R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP224R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP224R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP224R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP224R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP224R1_VERIFY "api/none.h"
#define ECFIT_SECP224R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP224R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP224R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP224R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP224R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP224R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP224R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_COMPRESS "api/none.h"
#define ECFIT_SECP224R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP224R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP224R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP224R1_DER "api/none.h"
#define ECFIT_SECP224R1_DER_IS_NONE 1
#define ECFIT_SECP224R1_RESUME "api/none.h"
#define ECFIT_SECP224R1_RESUME_IS_NONE 1
#define ECFIT_SECP224R1_WORK "api/none.h"
#define ECFIT_SECP224R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP224R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP224R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP224R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP224R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP224R1_REDUCE_IS_MONT)
#define ECFIT_SECP224R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP224R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP224R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP224R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP224R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp224r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP256R1_ENABLED
#define ECFIT_SECP256R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP256R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16)
#define ECFIT_SECP256R1_REDUCE_IS_MONT 1
#elif (defined(CONFIG_ECFIT_PRESET_COMPACT) && defined(ECFIT_BACKEND_IS_ARMV7EM))
#define ECFIT_SECP256R1_REDUCE_IS_SOLINAS 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM))
#define ECFIT_SECP256R1_REDUCE_IS_MONT 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP 1
#else
#define ECFIT_SECP256R1_REDUCE_IS_SOLINAS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256R1_COORDINATES "group/jacobian_run.inc"
#define ECFIT_SECP256R1_COORDINATES_IS_JACOBIAN_RUN 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP256R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP256R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP256R1_COORDINATES_IS_COMPLETE 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM))
#define ECFIT_SECP256R1_COORDINATES "group/jacobian_run.inc"
#define ECFIT_SECP256R1_COORDINATES_IS_JACOBIAN_RUN 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP256R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP256R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP256R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP256R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP256R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP256R1_TABLE_IS_AFFINE 1
#elif (defined(CONFIG_ECFIT_PRESET_COMPACT) && defined(ECFIT_BACKEND_IS_RV32IM))
#define ECFIT_SECP256R1_TABLE "group/multiples.inc"
#define ECFIT_SECP256R1_TABLE_IS_PROJECTIVE 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP256R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP256R1_TABLE "group/multiples.inc"
#define ECFIT_SECP256R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP256R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP256R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP256R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP256R1_BLIND_IS_NONE 1
#if (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256R1_MULV "mul/digits.inc"
#define ECFIT_SECP256R1_MULV_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP256R1_MULV "mul/binary.inc"
#define ECFIT_SECP256R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP256R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP256R1_MULV_IS_LADDER_X 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM))
#define ECFIT_SECP256R1_MULV "mul/digits.inc"
#define ECFIT_SECP256R1_MULV_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_MULV "mul/halves.inc"
#define ECFIT_SECP256R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP256R1_MULV "mul/window.inc"
#define ECFIT_SECP256R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP256R1_WINDOW 3
#else
#define ECFIT_SECP256R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_MULG "mul/as_var.inc"
#define ECFIT_SECP256R1_PREPARE "api/none.h"
#define ECFIT_SECP256R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP256R1_MULG "mul/comb.inc"
#define ECFIT_SECP256R1_PREPARE "api/none.h"
#define ECFIT_SECP256R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256R1_COMB_TEETH 5
#else
#define ECFIT_SECP256R1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP256R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256R1_MULD "mul/naf.inc"
#define ECFIT_SECP256R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP256R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP256R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256R1_MULD "mul/naf.inc"
#define ECFIT_SECP256R1_MULD_IS_NAF 1
#elif (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256R1_MULD "mul/digits_check.inc"
#define ECFIT_SECP256R1_MULD_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP256R1_MULD "mul/bits.inc"
#define ECFIT_SECP256R1_MULD_IS_BITS 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP256R1_MULD "mul/two.inc"
#define ECFIT_SECP256R1_MULD_IS_TWO 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_KEYGEN_SIGN_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM))
#define ECFIT_SECP256R1_MULD "mul/digits_check.inc"
#define ECFIT_SECP256R1_MULD_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_MULD "mul/two.inc"
#define ECFIT_SECP256R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP256R1_MULD "mul/strauss.inc"
#define ECFIT_SECP256R1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256R1_WNAF_A 5
#else
#define ECFIT_SECP256R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256R1_WNAF_G 7
#else
#define ECFIT_SECP256R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP256R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP256R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP256R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP256R1_KEYGEN "api/none.h"
#define ECFIT_SECP256R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP256R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP256R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP256R1_ECDH "api/none.h"
#define ECFIT_SECP256R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP256R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP256R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP256R1_SIGN "api/none.h"
#define ECFIT_SECP256R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP256R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP256R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP256R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP256R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP256R1_VERIFY "api/none.h"
#define ECFIT_SECP256R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP256R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP256R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP256R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP256R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP256R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP256R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_COMPRESS "api/none.h"
#define ECFIT_SECP256R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP256R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP256R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP256R1_DER "api/none.h"
#define ECFIT_SECP256R1_DER_IS_NONE 1
#define ECFIT_SECP256R1_RESUME "api/none.h"
#define ECFIT_SECP256R1_RESUME_IS_NONE 1
#define ECFIT_SECP256R1_WORK "api/none.h"
#define ECFIT_SECP256R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP256R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP256R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP256R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP256R1_REDUCE_IS_MONT)
#define ECFIT_SECP256R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256R1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP256R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256R1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_OWN)
#define ECFIT_SECP256R1_REDUCE "field/fused.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_AS_MUL)
#define ECFIT_SECP256R1_REDUCE "field/armv6m/secp256r1_both.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP256R1_REDUCE "field/armv6m/redc.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_OWN)
#define ECFIT_SECP256R1_REDUCE "field/armv6m/redc.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_ROWS) && defined(ECFIT_SQUARE_IS_AS_MUL)
#define ECFIT_SECP256R1_REDUCE "field/armv6m/secp256r1_rows.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) && defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256R1_REDUCE "field/w64/secp256r1.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS)
#define ECFIT_SECP256R1_REDUCE "field/solinas/secp256r1.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP256R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp256r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP384R1_ENABLED
#define ECFIT_SECP384R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP384R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP384R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP384R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP384R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP384R1_COORDINATES_IS_JACOBIAN 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP384R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP384R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP384R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP384R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP384R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP384R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP384R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP384R1_TABLE "group/multiples.inc"
#define ECFIT_SECP384R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP384R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP384R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP384R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP384R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP384R1_MULV "mul/binary.inc"
#define ECFIT_SECP384R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP384R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP384R1_MULV_IS_LADDER_X 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP384R1_MULV "mul/binary.inc"
#define ECFIT_SECP384R1_MULV_IS_BINARY 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_MULV "mul/halves.inc"
#define ECFIT_SECP384R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP384R1_MULV "mul/window.inc"
#define ECFIT_SECP384R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP384R1_WINDOW 3
#else
#define ECFIT_SECP384R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_MULG "mul/as_var.inc"
#define ECFIT_SECP384R1_PREPARE "api/none.h"
#define ECFIT_SECP384R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP384R1_MULG "mul/comb.inc"
#define ECFIT_SECP384R1_PREPARE "api/none.h"
#define ECFIT_SECP384R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP384R1_COMB_TEETH 5
#else
#define ECFIT_SECP384R1_COMB_TEETH 4
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP384R1_COMB_BLOCKS 2
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP384R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP384R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP384R1_MULD "mul/naf.inc"
#define ECFIT_SECP384R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP384R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP384R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP384R1_MULD "mul/naf.inc"
#define ECFIT_SECP384R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP384R1_MULD "mul/bits.inc"
#define ECFIT_SECP384R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_MULD "mul/two.inc"
#define ECFIT_SECP384R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP384R1_MULD "mul/strauss.inc"
#define ECFIT_SECP384R1_MULD_IS_STRAUSS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP384R1_WNAF_A 4
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP384R1_WNAF_A 5
#else
#define ECFIT_SECP384R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP384R1_WNAF_G 6
#else
#define ECFIT_SECP384R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP384R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP384R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP384R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP384R1_KEYGEN "api/none.h"
#define ECFIT_SECP384R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP384R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP384R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP384R1_ECDH "api/none.h"
#define ECFIT_SECP384R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP384R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP384R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP384R1_SIGN "api/none.h"
#define ECFIT_SECP384R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP384R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP384R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP384R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP384R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP384R1_VERIFY "api/none.h"
#define ECFIT_SECP384R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP384R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP384R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP384R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP384R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP384R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP384R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_COMPRESS "api/none.h"
#define ECFIT_SECP384R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP384R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP384R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP384R1_DER "api/none.h"
#define ECFIT_SECP384R1_DER_IS_NONE 1
#define ECFIT_SECP384R1_RESUME "api/none.h"
#define ECFIT_SECP384R1_RESUME_IS_NONE 1
#define ECFIT_SECP384R1_WORK "api/none.h"
#define ECFIT_SECP384R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP384R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP384R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP384R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP384R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP384R1_REDUCE_IS_MONT)
#define ECFIT_SECP384R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP384R1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP384R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP384R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP384R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_OWN)
#define ECFIT_SECP384R1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP384R1_REDUCE "field/armv6m/redc.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP384R1_REDUCE "field/w64/secp384r1.inc"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP384R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp384r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP521R1_ENABLED
#define ECFIT_SECP521R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP521R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP521R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_COORDINATES "group/complete.inc"
#define ECFIT_SECP521R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP521R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP521R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP521R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP521R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP521R1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP521R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP521R1_TABLE "group/multiples.inc"
#define ECFIT_SECP521R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP521R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP521R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP521R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP521R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP521R1_MULV "mul/binary.inc"
#define ECFIT_SECP521R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP521R1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP521R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_MULV "mul/halves.inc"
#define ECFIT_SECP521R1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP521R1_MULV "mul/window.inc"
#define ECFIT_SECP521R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP521R1_WINDOW 3
#else
#define ECFIT_SECP521R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_MULG "mul/as_var.inc"
#define ECFIT_SECP521R1_PREPARE "api/none.h"
#define ECFIT_SECP521R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP521R1_MULG "mul/comb.inc"
#define ECFIT_SECP521R1_PREPARE "api/none.h"
#define ECFIT_SECP521R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP521R1_COMB_TEETH 5
#else
#define ECFIT_SECP521R1_COMB_TEETH 4
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP521R1_COMB_BLOCKS 2
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP521R1_COMB_BLOCKS 4
#else
#define ECFIT_SECP521R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP521R1_MULD "mul/naf.inc"
#define ECFIT_SECP521R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP521R1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP521R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP521R1_MULD "mul/naf.inc"
#define ECFIT_SECP521R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP521R1_MULD "mul/bits.inc"
#define ECFIT_SECP521R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_MULD "mul/two.inc"
#define ECFIT_SECP521R1_MULD_IS_TWO 1
#else
#define ECFIT_SECP521R1_MULD "mul/strauss.inc"
#define ECFIT_SECP521R1_MULD_IS_STRAUSS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP521R1_WNAF_A 4
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP521R1_WNAF_A 5
#else
#define ECFIT_SECP521R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP521R1_WNAF_G 6
#else
#define ECFIT_SECP521R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP521R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP521R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP521R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP521R1_KEYGEN "api/none.h"
#define ECFIT_SECP521R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP521R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP521R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP521R1_ECDH "api/none.h"
#define ECFIT_SECP521R1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP521R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP521R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP521R1_SIGN "api/none.h"
#define ECFIT_SECP521R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP521R1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP521R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP521R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP521R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP521R1_VERIFY "api/none.h"
#define ECFIT_SECP521R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP521R1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP521R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP521R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP521R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP521R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP521R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_COMPRESS "api/none.h"
#define ECFIT_SECP521R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP521R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP521R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP521R1_DER "api/none.h"
#define ECFIT_SECP521R1_DER_IS_NONE 1
#define ECFIT_SECP521R1_RESUME "api/none.h"
#define ECFIT_SECP521R1_RESUME_IS_NONE 1
#define ECFIT_SECP521R1_WORK "api/none.h"
#define ECFIT_SECP521R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP521R1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP521R1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP521R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP521R1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP521R1_REDUCE_IS_MONT)
#define ECFIT_SECP521R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP521R1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP521R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP521R1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP521R1_REDUCE "field/solinas/loop.inc"
#else
#error "secp521r1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_SECP256K1_ENABLED
#define ECFIT_SECP256K1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP256K1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8) || defined(ECFIT_BACKEND_IS_W16) || \
    defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_COORDINATES "group/jacobian_run.inc"
#define ECFIT_SECP256K1_COORDINATES_IS_JACOBIAN_RUN 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP256K1_COORDINATES "group/complete.inc"
#define ECFIT_SECP256K1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP256K1_COORDINATES_IS_COMPLETE 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256K1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP256K1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP256K1_COORDINATES_IS_JACOBIAN 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_COORDINATES "group/jacobian_run.inc"
#define ECFIT_SECP256K1_COORDINATES_IS_JACOBIAN_RUN 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_COORDINATES "group/complete.inc"
#define ECFIT_SECP256K1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_SECP256K1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_SECP256K1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP256K1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP256K1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256K1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP256K1_TABLE_IS_AFFINE 1
#elif (defined(CONFIG_ECFIT_PRESET_COMPACT) && defined(ECFIT_BACKEND_IS_RV32IM))
#define ECFIT_SECP256K1_TABLE "group/multiples.inc"
#define ECFIT_SECP256K1_TABLE_IS_PROJECTIVE 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256K1_TABLE "group/multiples_affine.inc"
#define ECFIT_SECP256K1_TABLE_IS_AFFINE 1
#else
#define ECFIT_SECP256K1_TABLE "group/multiples.inc"
#define ECFIT_SECP256K1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_SECP256K1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP256K1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP256K1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP256K1_BLIND_IS_NONE 1
#if (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_MULV "mul/digits.inc"
#define ECFIT_SECP256K1_MULV_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP256K1_MULV "mul/binary.inc"
#define ECFIT_SECP256K1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP256K1_MULV "mul/ladder_x.inc"
#define ECFIT_SECP256K1_MULV_IS_LADDER_X 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256K1_MULV "mul/binary.inc"
#define ECFIT_SECP256K1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_MULV "mul/digits.inc"
#define ECFIT_SECP256K1_MULV_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_MULV "mul/halves.inc"
#define ECFIT_SECP256K1_MULV_IS_HALVES 1
#else
#define ECFIT_SECP256K1_MULV "mul/window.inc"
#define ECFIT_SECP256K1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP256K1_WINDOW 3
#else
#define ECFIT_SECP256K1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_MULG "mul/as_var.inc"
#define ECFIT_SECP256K1_PREPARE "api/none.h"
#define ECFIT_SECP256K1_MULG_IS_AS_VAR 1
#else
#define ECFIT_SECP256K1_MULG "mul/comb.inc"
#define ECFIT_SECP256K1_PREPARE "api/none.h"
#define ECFIT_SECP256K1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256K1_COMB_TEETH 5
#else
#define ECFIT_SECP256K1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256K1_COMB_BLOCKS 4
#else
#define ECFIT_SECP256K1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256K1_MULD "mul/naf.inc"
#define ECFIT_SECP256K1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_SECP256K1_MULD "mul/bits_signed.inc"
#define ECFIT_SECP256K1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256K1_MULD "mul/glv.inc"
#define ECFIT_SECP256K1_MULD_IS_GLV 1
#elif (defined(CONFIG_ECFIT_PRESET_LOWRAM) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_MULD "mul/digits_check.inc"
#define ECFIT_SECP256K1_MULD_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_SECP256K1_MULD "mul/bits.inc"
#define ECFIT_SECP256K1_MULD_IS_BITS 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_SECP256K1_MULD "mul/two.inc"
#define ECFIT_SECP256K1_MULD_IS_TWO 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_SECP256K1_MULD "mul/bits.inc"
#define ECFIT_SECP256K1_MULD_IS_BITS 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_SECP256K1_MULD "mul/digits_check.inc"
#define ECFIT_SECP256K1_MULD_IS_DIGITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_MULD "mul/two.inc"
#define ECFIT_SECP256K1_MULD_IS_TWO 1
#else
#define ECFIT_SECP256K1_MULD "mul/strauss.inc"
#define ECFIT_SECP256K1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256K1_WNAF_A 5
#else
#define ECFIT_SECP256K1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_SECP256K1_WNAF_G 7
#else
#define ECFIT_SECP256K1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_NONCE "api/nonce/random.inc"
#define ECFIT_SECP256K1_NONCE_IS_RANDOM 1
#else
#define ECFIT_SECP256K1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP256K1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_SECP256K1_KEYGEN "api/none.h"
#define ECFIT_SECP256K1_KEYGEN_IS_NONE 1
#else
#define ECFIT_SECP256K1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP256K1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_SECP256K1_ECDH "api/none.h"
#define ECFIT_SECP256K1_ECDH_IS_NONE 1
#else
#define ECFIT_SECP256K1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP256K1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_SECP256K1_SIGN "api/none.h"
#define ECFIT_SECP256K1_SIGN_MESSAGE "api/none.h"
#define ECFIT_SECP256K1_SIGN_IS_NONE 1
#else
#define ECFIT_SECP256K1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP256K1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP256K1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_SECP256K1_VERIFY "api/none.h"
#define ECFIT_SECP256K1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_SECP256K1_VERIFY_IS_NONE 1
#else
#define ECFIT_SECP256K1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP256K1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP256K1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_SECP256K1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP256K1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_COMPRESS "api/none.h"
#define ECFIT_SECP256K1_COMPRESS_IS_NONE 1
#else
#define ECFIT_SECP256K1_COMPRESS "api/compress.inc"
#define ECFIT_SECP256K1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_SECP256K1_DER "api/none.h"
#define ECFIT_SECP256K1_DER_IS_NONE 1
#define ECFIT_SECP256K1_RESUME "api/none.h"
#define ECFIT_SECP256K1_RESUME_IS_NONE 1
#define ECFIT_SECP256K1_WORK "api/none.h"
#define ECFIT_SECP256K1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_SECP256K1_WIPE "api/wipe_none.inc"
#define ECFIT_SECP256K1_WIPE_IS_NONE 1
#else
#define ECFIT_SECP256K1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP256K1_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_SECP256K1_REDUCE_IS_MONT)
#define ECFIT_SECP256K1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256K1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256K1_REDUCE "field/armv7em/by_redc.inc"
#elif defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_ROWS)
#define ECFIT_SECP256K1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256K1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256K1_REDUCE "field/rv32im/by_redc.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_ARMV7M) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_OWN)
#define ECFIT_SECP256K1_REDUCE "field/fused.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256K1_REDUCE "field/armv6m/redc.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_SECP256K1_REDUCE "field/w64/secp256k1.inc"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP)
#define ECFIT_SECP256K1_REDUCE "field/solinas/loop.inc"
#else
#error "secp256k1: no file for this configuration"
#endif
#endif

#if ECFIT_CURVE_BRAINPOOLP256R1_ENABLED
#define ECFIT_BRAINPOOLP256R1_INSTANCE "curve/instance.inc"
#define ECFIT_BRAINPOOLP256R1_INSTANCE_IS_OWN 1
#define ECFIT_BRAINPOOLP256R1_REDUCE_IS_MONT 1
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_COORDINATES "group/complete.inc"
#define ECFIT_BRAINPOOLP256R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_BRAINPOOLP256R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_BRAINPOOLP256R1_COORDINATES "group/jacobian.inc"
#define ECFIT_BRAINPOOLP256R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_BRAINPOOLP256R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP256R1_TABLE "group/multiples_affine.inc"
#define ECFIT_BRAINPOOLP256R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_BRAINPOOLP256R1_TABLE "group/multiples.inc"
#define ECFIT_BRAINPOOLP256R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_BRAINPOOLP256R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_BRAINPOOLP256R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_BRAINPOOLP256R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_BRAINPOOLP256R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_BRAINPOOLP256R1_MULV "mul/binary.inc"
#define ECFIT_BRAINPOOLP256R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_BRAINPOOLP256R1_MULV "mul/ladder_x.inc"
#define ECFIT_BRAINPOOLP256R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_MULV "mul/halves.inc"
#define ECFIT_BRAINPOOLP256R1_MULV_IS_HALVES 1
#else
#define ECFIT_BRAINPOOLP256R1_MULV "mul/window.inc"
#define ECFIT_BRAINPOOLP256R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_BRAINPOOLP256R1_WINDOW 3
#else
#define ECFIT_BRAINPOOLP256R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_MULG "mul/as_var.inc"
#define ECFIT_BRAINPOOLP256R1_PREPARE "api/none.h"
#define ECFIT_BRAINPOOLP256R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_BRAINPOOLP256R1_MULG "mul/comb.inc"
#define ECFIT_BRAINPOOLP256R1_PREPARE "api/none.h"
#define ECFIT_BRAINPOOLP256R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP256R1_COMB_TEETH 5
#else
#define ECFIT_BRAINPOOLP256R1_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP256R1_COMB_BLOCKS 4
#else
#define ECFIT_BRAINPOOLP256R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_BRAINPOOLP256R1_MULD "mul/naf.inc"
#define ECFIT_BRAINPOOLP256R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_BRAINPOOLP256R1_MULD "mul/bits_signed.inc"
#define ECFIT_BRAINPOOLP256R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP256R1_MULD "mul/naf.inc"
#define ECFIT_BRAINPOOLP256R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_BRAINPOOLP256R1_MULD "mul/bits.inc"
#define ECFIT_BRAINPOOLP256R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_MULD "mul/two.inc"
#define ECFIT_BRAINPOOLP256R1_MULD_IS_TWO 1
#else
#define ECFIT_BRAINPOOLP256R1_MULD "mul/strauss.inc"
#define ECFIT_BRAINPOOLP256R1_MULD_IS_STRAUSS 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP256R1_WNAF_A 5
#else
#define ECFIT_BRAINPOOLP256R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP256R1_WNAF_G 7
#else
#define ECFIT_BRAINPOOLP256R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_NONCE "api/nonce/random.inc"
#define ECFIT_BRAINPOOLP256R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_BRAINPOOLP256R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_BRAINPOOLP256R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_BRAINPOOLP256R1_KEYGEN "api/none.h"
#define ECFIT_BRAINPOOLP256R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP256R1_KEYGEN "api/keygen.inc"
#define ECFIT_BRAINPOOLP256R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_BRAINPOOLP256R1_ECDH "api/none.h"
#define ECFIT_BRAINPOOLP256R1_ECDH_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP256R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_BRAINPOOLP256R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_BRAINPOOLP256R1_SIGN "api/none.h"
#define ECFIT_BRAINPOOLP256R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_BRAINPOOLP256R1_SIGN_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP256R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_BRAINPOOLP256R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_BRAINPOOLP256R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_BRAINPOOLP256R1_VERIFY "api/none.h"
#define ECFIT_BRAINPOOLP256R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_BRAINPOOLP256R1_VERIFY_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP256R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_BRAINPOOLP256R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_BRAINPOOLP256R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_BRAINPOOLP256R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_BRAINPOOLP256R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_COMPRESS "api/none.h"
#define ECFIT_BRAINPOOLP256R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP256R1_COMPRESS "api/compress.inc"
#define ECFIT_BRAINPOOLP256R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_BRAINPOOLP256R1_DER "api/none.h"
#define ECFIT_BRAINPOOLP256R1_DER_IS_NONE 1
#define ECFIT_BRAINPOOLP256R1_RESUME "api/none.h"
#define ECFIT_BRAINPOOLP256R1_RESUME_IS_NONE 1
#define ECFIT_BRAINPOOLP256R1_WORK "api/none.h"
#define ECFIT_BRAINPOOLP256R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP256R1_WIPE "api/wipe_none.inc"
#define ECFIT_BRAINPOOLP256R1_WIPE_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP256R1_WIPE "api/wipe_stack.inc"
#define ECFIT_BRAINPOOLP256R1_WIPE_IS_STACK 1
#endif
#define ECFIT_BRAINPOOLP256R1_REDUCE "field/montgomery/mont.inc"
#endif

#if ECFIT_CURVE_BRAINPOOLP384R1_ENABLED
#define ECFIT_BRAINPOOLP384R1_INSTANCE "curve/instance.inc"
#define ECFIT_BRAINPOOLP384R1_INSTANCE_IS_OWN 1
#define ECFIT_BRAINPOOLP384R1_REDUCE_IS_MONT 1
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_COORDINATES "group/complete.inc"
#define ECFIT_BRAINPOOLP384R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_BRAINPOOLP384R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_BRAINPOOLP384R1_COORDINATES "group/jacobian.inc"
#define ECFIT_BRAINPOOLP384R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_BRAINPOOLP384R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP384R1_TABLE "group/multiples_affine.inc"
#define ECFIT_BRAINPOOLP384R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_BRAINPOOLP384R1_TABLE "group/multiples.inc"
#define ECFIT_BRAINPOOLP384R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_BRAINPOOLP384R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_BRAINPOOLP384R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_BRAINPOOLP384R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_BRAINPOOLP384R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_BRAINPOOLP384R1_MULV "mul/binary.inc"
#define ECFIT_BRAINPOOLP384R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_BRAINPOOLP384R1_MULV "mul/ladder_x.inc"
#define ECFIT_BRAINPOOLP384R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_MULV "mul/halves.inc"
#define ECFIT_BRAINPOOLP384R1_MULV_IS_HALVES 1
#else
#define ECFIT_BRAINPOOLP384R1_MULV "mul/window.inc"
#define ECFIT_BRAINPOOLP384R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_BRAINPOOLP384R1_WINDOW 3
#else
#define ECFIT_BRAINPOOLP384R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_MULG "mul/as_var.inc"
#define ECFIT_BRAINPOOLP384R1_PREPARE "api/none.h"
#define ECFIT_BRAINPOOLP384R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_BRAINPOOLP384R1_MULG "mul/comb.inc"
#define ECFIT_BRAINPOOLP384R1_PREPARE "api/none.h"
#define ECFIT_BRAINPOOLP384R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP384R1_COMB_TEETH 5
#else
#define ECFIT_BRAINPOOLP384R1_COMB_TEETH 4
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_BRAINPOOLP384R1_COMB_BLOCKS 2
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP384R1_COMB_BLOCKS 4
#else
#define ECFIT_BRAINPOOLP384R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_BRAINPOOLP384R1_MULD "mul/naf.inc"
#define ECFIT_BRAINPOOLP384R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_BRAINPOOLP384R1_MULD "mul/bits_signed.inc"
#define ECFIT_BRAINPOOLP384R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP384R1_MULD "mul/naf.inc"
#define ECFIT_BRAINPOOLP384R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_BRAINPOOLP384R1_MULD "mul/bits.inc"
#define ECFIT_BRAINPOOLP384R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_MULD "mul/two.inc"
#define ECFIT_BRAINPOOLP384R1_MULD_IS_TWO 1
#else
#define ECFIT_BRAINPOOLP384R1_MULD "mul/strauss.inc"
#define ECFIT_BRAINPOOLP384R1_MULD_IS_STRAUSS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_BRAINPOOLP384R1_WNAF_A 4
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP384R1_WNAF_A 5
#else
#define ECFIT_BRAINPOOLP384R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP384R1_WNAF_G 6
#else
#define ECFIT_BRAINPOOLP384R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_NONCE "api/nonce/random.inc"
#define ECFIT_BRAINPOOLP384R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_BRAINPOOLP384R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_BRAINPOOLP384R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_BRAINPOOLP384R1_KEYGEN "api/none.h"
#define ECFIT_BRAINPOOLP384R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP384R1_KEYGEN "api/keygen.inc"
#define ECFIT_BRAINPOOLP384R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_BRAINPOOLP384R1_ECDH "api/none.h"
#define ECFIT_BRAINPOOLP384R1_ECDH_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP384R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_BRAINPOOLP384R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_BRAINPOOLP384R1_SIGN "api/none.h"
#define ECFIT_BRAINPOOLP384R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_BRAINPOOLP384R1_SIGN_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP384R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_BRAINPOOLP384R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_BRAINPOOLP384R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_BRAINPOOLP384R1_VERIFY "api/none.h"
#define ECFIT_BRAINPOOLP384R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_BRAINPOOLP384R1_VERIFY_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP384R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_BRAINPOOLP384R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_BRAINPOOLP384R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_BRAINPOOLP384R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_BRAINPOOLP384R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_COMPRESS "api/none.h"
#define ECFIT_BRAINPOOLP384R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP384R1_COMPRESS "api/compress.inc"
#define ECFIT_BRAINPOOLP384R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_BRAINPOOLP384R1_DER "api/none.h"
#define ECFIT_BRAINPOOLP384R1_DER_IS_NONE 1
#define ECFIT_BRAINPOOLP384R1_RESUME "api/none.h"
#define ECFIT_BRAINPOOLP384R1_RESUME_IS_NONE 1
#define ECFIT_BRAINPOOLP384R1_WORK "api/none.h"
#define ECFIT_BRAINPOOLP384R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP384R1_WIPE "api/wipe_none.inc"
#define ECFIT_BRAINPOOLP384R1_WIPE_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP384R1_WIPE "api/wipe_stack.inc"
#define ECFIT_BRAINPOOLP384R1_WIPE_IS_STACK 1
#endif
#define ECFIT_BRAINPOOLP384R1_REDUCE "field/montgomery/mont.inc"
#endif

#if ECFIT_CURVE_BRAINPOOLP512R1_ENABLED
#define ECFIT_BRAINPOOLP512R1_INSTANCE "curve/instance.inc"
#define ECFIT_BRAINPOOLP512R1_INSTANCE_IS_OWN 1
#define ECFIT_BRAINPOOLP512R1_REDUCE_IS_MONT 1
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_COORDINATES "group/complete.inc"
#define ECFIT_BRAINPOOLP512R1_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_BRAINPOOLP512R1_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_BRAINPOOLP512R1_COORDINATES "group/jacobian.inc"
#define ECFIT_BRAINPOOLP512R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_BRAINPOOLP512R1_COORDINATES_IS_JACOBIAN 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE)) || \
    defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP512R1_TABLE "group/multiples_affine.inc"
#define ECFIT_BRAINPOOLP512R1_TABLE_IS_AFFINE 1
#else
#define ECFIT_BRAINPOOLP512R1_TABLE "group/multiples.inc"
#define ECFIT_BRAINPOOLP512R1_TABLE_IS_PROJECTIVE 1
#endif
#define ECFIT_BRAINPOOLP512R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_BRAINPOOLP512R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_BRAINPOOLP512R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_BRAINPOOLP512R1_BLIND_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_BRAINPOOLP512R1_MULV "mul/binary.inc"
#define ECFIT_BRAINPOOLP512R1_MULV_IS_BINARY 1
#elif (defined(CONFIG_ECFIT_PRESET_TINY) && defined(CONFIG_ECFIT_WEIERSTRASS_ECDH_ALONE))
#define ECFIT_BRAINPOOLP512R1_MULV "mul/ladder_x.inc"
#define ECFIT_BRAINPOOLP512R1_MULV_IS_LADDER_X 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_MULV "mul/halves.inc"
#define ECFIT_BRAINPOOLP512R1_MULV_IS_HALVES 1
#else
#define ECFIT_BRAINPOOLP512R1_MULV "mul/window.inc"
#define ECFIT_BRAINPOOLP512R1_MULV_IS_WINDOW 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_BRAINPOOLP512R1_WINDOW 3
#else
#define ECFIT_BRAINPOOLP512R1_WINDOW 4
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_MULG "mul/as_var.inc"
#define ECFIT_BRAINPOOLP512R1_PREPARE "api/none.h"
#define ECFIT_BRAINPOOLP512R1_MULG_IS_AS_VAR 1
#else
#define ECFIT_BRAINPOOLP512R1_MULG "mul/comb.inc"
#define ECFIT_BRAINPOOLP512R1_PREPARE "api/none.h"
#define ECFIT_BRAINPOOLP512R1_MULG_IS_COMB_FLASH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP512R1_COMB_TEETH 5
#else
#define ECFIT_BRAINPOOLP512R1_COMB_TEETH 4
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_BRAINPOOLP512R1_COMB_BLOCKS 2
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP512R1_COMB_BLOCKS 4
#else
#define ECFIT_BRAINPOOLP512R1_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_WEIERSTRASS_VERIFY_ALONE))
#define ECFIT_BRAINPOOLP512R1_MULD "mul/naf.inc"
#define ECFIT_BRAINPOOLP512R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_BRAINPOOLP512R1_MULD "mul/bits_signed.inc"
#define ECFIT_BRAINPOOLP512R1_MULD_IS_BITS_SIGNED 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP512R1_MULD "mul/naf.inc"
#define ECFIT_BRAINPOOLP512R1_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_BRAINPOOLP512R1_MULD "mul/bits.inc"
#define ECFIT_BRAINPOOLP512R1_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_MULD "mul/two.inc"
#define ECFIT_BRAINPOOLP512R1_MULD_IS_TWO 1
#else
#define ECFIT_BRAINPOOLP512R1_MULD "mul/strauss.inc"
#define ECFIT_BRAINPOOLP512R1_MULD_IS_STRAUSS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_BRAINPOOLP512R1_WNAF_A 4
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP512R1_WNAF_A 5
#else
#define ECFIT_BRAINPOOLP512R1_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_BRAINPOOLP512R1_WNAF_G 6
#else
#define ECFIT_BRAINPOOLP512R1_WNAF_G 5
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_NONCE "api/nonce/random.inc"
#define ECFIT_BRAINPOOLP512R1_NONCE_IS_RANDOM 1
#else
#define ECFIT_BRAINPOOLP512R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_BRAINPOOLP512R1_NONCE_IS_DETERMINISTIC 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_BRAINPOOLP512R1_KEYGEN "api/none.h"
#define ECFIT_BRAINPOOLP512R1_KEYGEN_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP512R1_KEYGEN "api/keygen.inc"
#define ECFIT_BRAINPOOLP512R1_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_BRAINPOOLP512R1_ECDH "api/none.h"
#define ECFIT_BRAINPOOLP512R1_ECDH_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP512R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_BRAINPOOLP512R1_ECDH_IS_ECDH 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_BRAINPOOLP512R1_SIGN "api/none.h"
#define ECFIT_BRAINPOOLP512R1_SIGN_MESSAGE "api/none.h"
#define ECFIT_BRAINPOOLP512R1_SIGN_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP512R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_BRAINPOOLP512R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_BRAINPOOLP512R1_SIGN_IS_ECDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_BRAINPOOLP512R1_VERIFY "api/none.h"
#define ECFIT_BRAINPOOLP512R1_VERIFY_MESSAGE "api/none.h"
#define ECFIT_BRAINPOOLP512R1_VERIFY_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP512R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_BRAINPOOLP512R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_BRAINPOOLP512R1_VERIFY_IS_ECDSA 1
#endif
#define ECFIT_BRAINPOOLP512R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_BRAINPOOLP512R1_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_COMPRESS "api/none.h"
#define ECFIT_BRAINPOOLP512R1_COMPRESS_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP512R1_COMPRESS "api/compress.inc"
#define ECFIT_BRAINPOOLP512R1_COMPRESS_IS_SEC1 1
#endif
#define ECFIT_BRAINPOOLP512R1_DER "api/none.h"
#define ECFIT_BRAINPOOLP512R1_DER_IS_NONE 1
#define ECFIT_BRAINPOOLP512R1_RESUME "api/none.h"
#define ECFIT_BRAINPOOLP512R1_RESUME_IS_NONE 1
#define ECFIT_BRAINPOOLP512R1_WORK "api/none.h"
#define ECFIT_BRAINPOOLP512R1_WORK_IS_STACK 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_BRAINPOOLP512R1_WIPE "api/wipe_none.inc"
#define ECFIT_BRAINPOOLP512R1_WIPE_IS_NONE 1
#else
#define ECFIT_BRAINPOOLP512R1_WIPE "api/wipe_stack.inc"
#define ECFIT_BRAINPOOLP512R1_WIPE_IS_STACK 1
#endif
#define ECFIT_BRAINPOOLP512R1_REDUCE "field/montgomery/mont.inc"
#endif

#if ECFIT_CURVE_X25519_ENABLED
#define ECFIT_X25519_REDUCE_IS_PMERS 1
#define ECFIT_X25519_MULG "mul/as_var.inc"
#define ECFIT_X25519_PREPARE "api/none.h"
#define ECFIT_X25519_MULG_ED "mul/edwards/ed_base_as_var.inc"
#define ECFIT_X25519_MULG_X "mul/montgomery/x_base.inc"
#define ECFIT_X25519_PUBLIC_X "api/exchange/x_public.inc"
#define ECFIT_X25519_MULG_IS_AS_VAR 1
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_X25519_COMB_TEETH 5
#else
#define ECFIT_X25519_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_X25519_COMB_BLOCKS 4
#else
#define ECFIT_X25519_COMB_BLOCKS 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_X25519_KEYGEN "api/none.h"
#define ECFIT_X25519_KEYGEN_X "api/none.h"
#define ECFIT_X25519_KEYGEN_ED "api/none.h"
#define ECFIT_X25519_KEYGEN_IS_NONE 1
#else
#define ECFIT_X25519_KEYGEN "api/keygen.inc"
#define ECFIT_X25519_KEYGEN_X "api/exchange/x_keygen.inc"
#define ECFIT_X25519_KEYGEN_ED "api/eddsa/keygen.inc"
#define ECFIT_X25519_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_X25519_ECDH "api/none.h"
#define ECFIT_X25519_ECDH_X "api/none.h"
#define ECFIT_X25519_ECDH_IS_NONE 1
#else
#define ECFIT_X25519_ECDH "api/exchange/ecdh.inc"
#define ECFIT_X25519_ECDH_X "api/exchange/x_ecdh.inc"
#define ECFIT_X25519_ECDH_IS_ECDH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_X25519_WIPE "api/wipe_none.inc"
#define ECFIT_X25519_WIPE_IS_NONE 1
#else
#define ECFIT_X25519_WIPE "api/wipe_stack.inc"
#define ECFIT_X25519_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_X25519_FIELD "field/pmers/p25519_fused.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_X25519_FIELD "field/armv6m/p25519.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M) || defined(ECFIT_BACKEND_IS_ARMV7EM)) && defined(ECFIT_PRODUCT_IS_ROWS) && defined(ECFIT_SQUARE_IS_AS_MUL)
#define ECFIT_X25519_FIELD "field/pmers/p25519_rows.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_OWN)
#define ECFIT_X25519_FIELD "field/pmers/p25519_fused.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_SQUARE_IS_AS_MUL)
#define ECFIT_X25519_FIELD "field/pmers/p25519_rows.inc"
#elif defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_X25519_FIELD "field/w64/p25519.inc"
#else
#define ECFIT_X25519_FIELD "field/pmers/p25519.inc"
#endif
#if defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_X25519_LOOK_UP "group/armv7em/edwards_look_up.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_X25519_LOOK_UP "group/rv32im/edwards_look_up.inc"
#else
#define ECFIT_X25519_LOOK_UP "group/edwards_look_up.inc"
#endif
#if defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_AS_MUL) && !ECFIT_CURVE_ED25519_ENABLED
#define ECFIT_X25519_LADDER "mul/armv7em/ladder.inc"
#else
#define ECFIT_X25519_LADDER "mul/montgomery/ladder_xz.inc"
#endif
#endif

#if ECFIT_CURVE_X448_ENABLED
#define ECFIT_X448_REDUCE_IS_PMERS 1
#define ECFIT_X448_MULG "mul/as_var.inc"
#define ECFIT_X448_PREPARE "api/none.h"
#define ECFIT_X448_MULG_ED "mul/edwards/ed_base_as_var.inc"
#define ECFIT_X448_MULG_X "mul/montgomery/x_base.inc"
#define ECFIT_X448_PUBLIC_X "api/exchange/x_public.inc"
#define ECFIT_X448_MULG_IS_AS_VAR 1
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_X448_COMB_TEETH 5
#else
#define ECFIT_X448_COMB_TEETH 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_X448_COMB_BLOCKS 4
#else
#define ECFIT_X448_COMB_BLOCKS 1
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_X448_KEYGEN "api/none.h"
#define ECFIT_X448_KEYGEN_X "api/none.h"
#define ECFIT_X448_KEYGEN_ED "api/none.h"
#define ECFIT_X448_KEYGEN_IS_NONE 1
#else
#define ECFIT_X448_KEYGEN "api/keygen.inc"
#define ECFIT_X448_KEYGEN_X "api/exchange/x_keygen.inc"
#define ECFIT_X448_KEYGEN_ED "api/eddsa/keygen.inc"
#define ECFIT_X448_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_ECDH)
#define ECFIT_X448_ECDH "api/none.h"
#define ECFIT_X448_ECDH_X "api/none.h"
#define ECFIT_X448_ECDH_IS_NONE 1
#else
#define ECFIT_X448_ECDH "api/exchange/ecdh.inc"
#define ECFIT_X448_ECDH_X "api/exchange/x_ecdh.inc"
#define ECFIT_X448_ECDH_IS_ECDH 1
#endif
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_X448_WIPE "api/wipe_none.inc"
#define ECFIT_X448_WIPE_IS_NONE 1
#else
#define ECFIT_X448_WIPE "api/wipe_stack.inc"
#define ECFIT_X448_WIPE_IS_STACK 1
#endif
#define ECFIT_X448_FIELD "field/pmers/p448_pmers.inc"
#define ECFIT_X448_LADDER "mul/montgomery/ladder_xz.inc"
#endif

#if ECFIT_CURVE_ED25519_ENABLED
#define ECFIT_ED25519_REDUCE_IS_PMERS 1
#if (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_EDWARDS_VERIFY_ALONE))
#define ECFIT_ED25519_COORDINATES_ED "group/edwards_extended.inc"
#define ECFIT_ED25519_COORDINATES_IS_EXTENDED 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED25519_COORDINATES "group/complete.inc"
#define ECFIT_ED25519_COORDINATES_ED "group/edwards_complete.inc"
#define ECFIT_ED25519_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_ED25519_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_ED25519_COORDINATES_ED "group/edwards_extended.inc"
#define ECFIT_ED25519_COORDINATES_IS_EXTENDED 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED25519_MULG "mul/as_var.inc"
#define ECFIT_ED25519_PREPARE "api/none.h"
#define ECFIT_ED25519_MULG_ED "mul/edwards/ed_base_as_var.inc"
#define ECFIT_ED25519_MULG_IS_AS_VAR 1
#else
#define ECFIT_ED25519_MULG "mul/comb.inc"
#define ECFIT_ED25519_PREPARE "api/none.h"
#define ECFIT_ED25519_MULG_ED "mul/edwards/ed_comb.inc"
#define ECFIT_ED25519_MULG_IS_COMB_FLASH 1
#endif
#define ECFIT_ED25519_COMB_TEETH 4
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV7EM))
#define ECFIT_ED25519_COMB_BLOCKS 8
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_ED25519_COMB_BLOCKS 4
#else
#define ECFIT_ED25519_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_EDWARDS_VERIFY_ALONE))
#define ECFIT_ED25519_MULD "mul/naf.inc"
#define ECFIT_ED25519_MULD_ED "mul/edwards/ed_naf.inc"
#define ECFIT_ED25519_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_ED25519_MULD "mul/bits.inc"
#define ECFIT_ED25519_MULD_ED "mul/edwards/ed_bits.inc"
#define ECFIT_ED25519_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_ED25519_MULD "mul/naf.inc"
#define ECFIT_ED25519_MULD_ED "mul/edwards/ed_naf.inc"
#define ECFIT_ED25519_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    (defined(CONFIG_ECFIT_PRESET_TINY) && defined(ECFIT_BACKEND_IS_RV32IM) && defined(CONFIG_ECFIT_EDWARDS_VERIFY_ALONE))
#define ECFIT_ED25519_MULD "mul/bits.inc"
#define ECFIT_ED25519_MULD_ED "mul/edwards/ed_bits.inc"
#define ECFIT_ED25519_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED25519_MULD "mul/two.inc"
#define ECFIT_ED25519_MULD_ED "mul/edwards/ed_check_two.inc"
#define ECFIT_ED25519_MULD_IS_TWO 1
#else
#define ECFIT_ED25519_MULD "mul/strauss.inc"
#define ECFIT_ED25519_MULD_ED "mul/edwards/ed_strauss.inc"
#define ECFIT_ED25519_MULD_IS_STRAUSS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_EDWARDS_VERIFY_ALONE))
#define ECFIT_ED25519_WNAF_A 3
#else
#define ECFIT_ED25519_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_ED25519_WNAF_G 7
#else
#define ECFIT_ED25519_WNAF_G 5
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_ED25519_KEYGEN "api/none.h"
#define ECFIT_ED25519_KEYGEN_ED "api/none.h"
#define ECFIT_ED25519_KEYGEN_IS_NONE 1
#else
#define ECFIT_ED25519_KEYGEN "api/keygen.inc"
#define ECFIT_ED25519_KEYGEN_ED "api/eddsa/keygen.inc"
#define ECFIT_ED25519_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_ED25519_SIGN "api/none.h"
#define ECFIT_ED25519_SIGN_MESSAGE "api/none.h"
#define ECFIT_ED25519_SIGN_IS_NONE 1
#elif (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_ARMV7EM)) || \
    (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_ARMV6M)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV7EM)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_ED25519_SIGN "api/eddsa/sign_pair.inc"
#define ECFIT_ED25519_SIGN_IS_EDDSA_PAIR 1
#else
#define ECFIT_ED25519_SIGN "api/eddsa/sign.inc"
#define ECFIT_ED25519_SIGN_IS_EDDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_ED25519_VERIFY "api/none.h"
#define ECFIT_ED25519_VERIFY_MESSAGE "api/none.h"
#define ECFIT_ED25519_VERIFY_IS_NONE 1
#else
#define ECFIT_ED25519_VERIFY "api/eddsa/verify.inc"
#define ECFIT_ED25519_VERIFY_IS_EDDSA 1
#endif
#define ECFIT_ED25519_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_ED25519_CHECK_ED "api/eddsa/check_none.inc"
#define ECFIT_ED25519_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED25519_WIPE "api/wipe_none.inc"
#define ECFIT_ED25519_WIPE_IS_NONE 1
#else
#define ECFIT_ED25519_WIPE "api/wipe_stack.inc"
#define ECFIT_ED25519_WIPE_IS_STACK 1
#endif
#if defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_ED25519_FIELD "field/pmers/p25519_fused.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M)) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_ED25519_FIELD "field/armv6m/p25519.inc"
#elif (defined(ECFIT_BACKEND_IS_ARMV6M) || defined(ECFIT_BACKEND_IS_ARMV7M) || defined(ECFIT_BACKEND_IS_ARMV7EM)) && defined(ECFIT_PRODUCT_IS_ROWS) && defined(ECFIT_SQUARE_IS_AS_MUL)
#define ECFIT_ED25519_FIELD "field/pmers/p25519_rows.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED) && defined(ECFIT_SQUARE_IS_OWN)
#define ECFIT_ED25519_FIELD "field/pmers/p25519_fused.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_SQUARE_IS_AS_MUL)
#define ECFIT_ED25519_FIELD "field/pmers/p25519_rows.inc"
#elif defined(ECFIT_BACKEND_IS_W64) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_ED25519_FIELD "field/w64/p25519.inc"
#else
#define ECFIT_ED25519_FIELD "field/pmers/p25519.inc"
#endif
#if defined(ECFIT_BACKEND_IS_ARMV7EM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_ED25519_LOOK_UP "group/armv7em/edwards_look_up.inc"
#elif defined(ECFIT_BACKEND_IS_RV32IM) && defined(ECFIT_PRODUCT_IS_UNROLLED)
#define ECFIT_ED25519_LOOK_UP "group/rv32im/edwards_look_up.inc"
#else
#define ECFIT_ED25519_LOOK_UP "group/edwards_look_up.inc"
#endif
#endif

#if ECFIT_CURVE_ED448_ENABLED
#define ECFIT_ED448_REDUCE_IS_PMERS 1
#if defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED448_COORDINATES "group/complete.inc"
#define ECFIT_ED448_COORDINATES_ED "group/edwards_complete.inc"
#define ECFIT_ED448_COORDINATES_STEPS "mul/steps/steps_complete.inc"
#define ECFIT_ED448_COORDINATES_IS_COMPLETE 1
#else
#define ECFIT_ED448_COORDINATES_ED "group/edwards_extended.inc"
#define ECFIT_ED448_COORDINATES_IS_EXTENDED 1
#endif
#if defined(CONFIG_ECFIT_PRESET_COMPACT) || defined(CONFIG_ECFIT_PRESET_LOWRAM) || \
    defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED448_MULG "mul/as_var.inc"
#define ECFIT_ED448_PREPARE "api/none.h"
#define ECFIT_ED448_MULG_ED "mul/edwards/ed_base_as_var.inc"
#define ECFIT_ED448_MULG_IS_AS_VAR 1
#else
#define ECFIT_ED448_MULG "mul/comb.inc"
#define ECFIT_ED448_PREPARE "api/none.h"
#define ECFIT_ED448_MULG_ED "mul/edwards/ed_comb.inc"
#define ECFIT_ED448_MULG_IS_COMB_FLASH 1
#endif
#define ECFIT_ED448_COMB_TEETH 4
#if (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV7EM))
#define ECFIT_ED448_COMB_BLOCKS 8
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_ED448_COMB_BLOCKS 4
#else
#define ECFIT_ED448_COMB_BLOCKS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_EDWARDS_VERIFY_ALONE))
#define ECFIT_ED448_MULD "mul/naf.inc"
#define ECFIT_ED448_MULD_ED "mul/edwards/ed_naf.inc"
#define ECFIT_ED448_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_COMPACT)
#define ECFIT_ED448_MULD "mul/bits.inc"
#define ECFIT_ED448_MULD_ED "mul/edwards/ed_bits.inc"
#define ECFIT_ED448_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_ED448_MULD "mul/naf.inc"
#define ECFIT_ED448_MULD_ED "mul/edwards/ed_naf.inc"
#define ECFIT_ED448_MULD_IS_NAF 1
#elif defined(CONFIG_ECFIT_PRESET_LOWRAM)
#define ECFIT_ED448_MULD "mul/bits.inc"
#define ECFIT_ED448_MULD_ED "mul/edwards/ed_bits.inc"
#define ECFIT_ED448_MULD_IS_BITS 1
#elif defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED448_MULD "mul/two.inc"
#define ECFIT_ED448_MULD_ED "mul/edwards/ed_check_two.inc"
#define ECFIT_ED448_MULD_IS_TWO 1
#else
#define ECFIT_ED448_MULD "mul/strauss.inc"
#define ECFIT_ED448_MULD_ED "mul/edwards/ed_strauss.inc"
#define ECFIT_ED448_MULD_IS_STRAUSS 1
#endif
#if (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(CONFIG_ECFIT_EDWARDS_VERIFY_ALONE))
#define ECFIT_ED448_WNAF_A 3
#else
#define ECFIT_ED448_WNAF_A 4
#endif
#if defined(CONFIG_ECFIT_PRESET_FAST)
#define ECFIT_ED448_WNAF_G 7
#else
#define ECFIT_ED448_WNAF_G 5
#endif
#if !defined(CONFIG_ECFIT_OP_KEYGEN)
#define ECFIT_ED448_KEYGEN "api/none.h"
#define ECFIT_ED448_KEYGEN_ED "api/none.h"
#define ECFIT_ED448_KEYGEN_IS_NONE 1
#else
#define ECFIT_ED448_KEYGEN "api/keygen.inc"
#define ECFIT_ED448_KEYGEN_ED "api/eddsa/keygen.inc"
#define ECFIT_ED448_KEYGEN_IS_KEYGEN 1
#endif
#if !defined(CONFIG_ECFIT_OP_SIGN)
#define ECFIT_ED448_SIGN "api/none.h"
#define ECFIT_ED448_SIGN_MESSAGE "api/none.h"
#define ECFIT_ED448_SIGN_IS_NONE 1
#elif (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_ARMV7EM)) || \
    (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_BALANCED) && defined(ECFIT_BACKEND_IS_ARMV6M)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_RV32IM)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV7EM)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV7M)) || \
    (defined(CONFIG_ECFIT_PRESET_FAST) && defined(ECFIT_BACKEND_IS_ARMV6M))
#define ECFIT_ED448_SIGN "api/eddsa/sign_pair.inc"
#define ECFIT_ED448_SIGN_IS_EDDSA_PAIR 1
#else
#define ECFIT_ED448_SIGN "api/eddsa/sign.inc"
#define ECFIT_ED448_SIGN_IS_EDDSA 1
#endif
#if !defined(CONFIG_ECFIT_OP_VERIFY)
#define ECFIT_ED448_VERIFY "api/none.h"
#define ECFIT_ED448_VERIFY_MESSAGE "api/none.h"
#define ECFIT_ED448_VERIFY_IS_NONE 1
#else
#define ECFIT_ED448_VERIFY "api/eddsa/verify.inc"
#define ECFIT_ED448_VERIFY_IS_EDDSA 1
#endif
#define ECFIT_ED448_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_ED448_CHECK_ED "api/eddsa/check_none.inc"
#define ECFIT_ED448_CHECK_IS_NONE 1
#if defined(CONFIG_ECFIT_PRESET_LOWRAM) || defined(CONFIG_ECFIT_PRESET_TINY)
#define ECFIT_ED448_WIPE "api/wipe_none.inc"
#define ECFIT_ED448_WIPE_IS_NONE 1
#else
#define ECFIT_ED448_WIPE "api/wipe_stack.inc"
#define ECFIT_ED448_WIPE_IS_STACK 1
#endif
#define ECFIT_ED448_FIELD "field/pmers/p448_pmers.inc"
#endif

/* Symbols that were, until 0.3. */
#if defined(CONFIG_ECFIT_PRODUCT_ROWS) || defined(CONFIG_ECFIT_PRODUCT_UNROLLED) || defined(CONFIG_ECFIT_PRODUCT_VAR_SAME) || defined(CONFIG_ECFIT_PRODUCT_VAR_LONG) || \
    defined(CONFIG_ECFIT_SQUARE_OWN) || defined(CONFIG_ECFIT_SQUARE_AS_MUL) || defined(CONFIG_ECFIT_FPU_NONE) || defined(CONFIG_ECFIT_FPU_WORDS) || \
    defined(CONFIG_ECFIT_INVERT_FERMAT) || defined(CONFIG_ECFIT_INVERT_WINDOWS) || defined(CONFIG_ECFIT_INVERT_BINGCD) || defined(CONFIG_ECFIT_INVERT_DIVSTEPS) || \
    defined(CONFIG_ECFIT_INVERT_VAR_SAME) || defined(CONFIG_ECFIT_INVERT_VAR_GCD) || defined(CONFIG_ECFIT_SHA256_OWN) || defined(CONFIG_ECFIT_SHA256_UNROLLED) || \
    defined(CONFIG_ECFIT_SHA256_CALLER) || defined(CONFIG_ECFIT_SHA256_NONE) || defined(CONFIG_ECFIT_SHA512_OWN) || defined(CONFIG_ECFIT_SHA512_SMALL) || \
    defined(CONFIG_ECFIT_SHA512_ROOTS) || defined(CONFIG_ECFIT_SHA512_CALLER) || defined(CONFIG_ECFIT_SHA512_NONE) || defined(CONFIG_ECFIT_SHAKE256_OWN) || \
    defined(CONFIG_ECFIT_SHAKE256_CALLER) || defined(CONFIG_ECFIT_SHAKE256_NONE) || defined(CONFIG_ECFIT_STATUS_TEXT_NONE) || defined(CONFIG_ECFIT_STATUS_TEXT_ENGLISH) || \
    defined(CONFIG_ECFIT_HASH_STREAM_NONE) || defined(CONFIG_ECFIT_HASH_STREAM_OWN)
#error "the library: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP128R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP128R1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP128R1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP128R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP128R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP128R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP128R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP128R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP128R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP128R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP128R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP128R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP128R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP128R1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP128R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP128R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP128R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP128R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP128R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP128R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP128R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP128R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP128R1_MULV_COZ) || defined(CONFIG_ECFIT_SECP128R1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP128R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP128R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP128R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP128R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP128R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP128R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP128R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP128R1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP128R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP128R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP128R1_MULD_NAF) || defined(CONFIG_ECFIT_SECP128R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_SECP128R1_WNAF_A) || defined(CONFIG_ECFIT_SECP128R1_WNAF_G) || defined(CONFIG_ECFIT_SECP128R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_SECP128R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP128R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_SECP128R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_SECP128R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP128R1_ECDH_ECDH) || defined(CONFIG_ECFIT_SECP128R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_SECP128R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP128R1_SIGN_NONE) || defined(CONFIG_ECFIT_SECP128R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_SECP128R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP128R1_VERIFY_NONE) || defined(CONFIG_ECFIT_SECP128R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_SECP128R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP128R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_SECP128R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_SECP128R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP128R1_DER_NONE) || defined(CONFIG_ECFIT_SECP128R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_SECP128R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP128R1_WORK_STACK) || defined(CONFIG_ECFIT_SECP128R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_SECP128R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP128R1_WIPE_NONE)
#error "secp128r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP160R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP160R1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP160R1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP160R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP160R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP160R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP160R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP160R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP160R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP160R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP160R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP160R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP160R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP160R1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP160R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP160R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP160R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP160R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP160R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP160R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP160R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP160R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP160R1_MULV_COZ) || defined(CONFIG_ECFIT_SECP160R1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP160R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP160R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP160R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP160R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP160R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP160R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP160R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP160R1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP160R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP160R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP160R1_MULD_NAF) || defined(CONFIG_ECFIT_SECP160R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_SECP160R1_WNAF_A) || defined(CONFIG_ECFIT_SECP160R1_WNAF_G) || defined(CONFIG_ECFIT_SECP160R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_SECP160R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP160R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_SECP160R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_SECP160R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP160R1_ECDH_ECDH) || defined(CONFIG_ECFIT_SECP160R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_SECP160R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP160R1_SIGN_NONE) || defined(CONFIG_ECFIT_SECP160R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_SECP160R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP160R1_VERIFY_NONE) || defined(CONFIG_ECFIT_SECP160R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_SECP160R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP160R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_SECP160R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_SECP160R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP160R1_DER_NONE) || defined(CONFIG_ECFIT_SECP160R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_SECP160R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP160R1_WORK_STACK) || defined(CONFIG_ECFIT_SECP160R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_SECP160R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP160R1_WIPE_NONE)
#error "secp160r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP192R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP192R1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP192R1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP192R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP192R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP192R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP192R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP192R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP192R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP192R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP192R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP192R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP192R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP192R1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP192R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP192R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP192R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP192R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP192R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP192R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP192R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP192R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP192R1_MULV_COZ) || defined(CONFIG_ECFIT_SECP192R1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP192R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP192R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP192R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP192R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP192R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP192R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP192R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP192R1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP192R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP192R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP192R1_MULD_NAF) || defined(CONFIG_ECFIT_SECP192R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_SECP192R1_WNAF_A) || defined(CONFIG_ECFIT_SECP192R1_WNAF_G) || defined(CONFIG_ECFIT_SECP192R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_SECP192R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP192R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_SECP192R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_SECP192R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP192R1_ECDH_ECDH) || defined(CONFIG_ECFIT_SECP192R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_SECP192R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP192R1_SIGN_NONE) || defined(CONFIG_ECFIT_SECP192R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_SECP192R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP192R1_VERIFY_NONE) || defined(CONFIG_ECFIT_SECP192R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_SECP192R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP192R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_SECP192R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_SECP192R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP192R1_DER_NONE) || defined(CONFIG_ECFIT_SECP192R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_SECP192R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP192R1_WORK_STACK) || defined(CONFIG_ECFIT_SECP192R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_SECP192R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP192R1_WIPE_NONE)
#error "secp192r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP224R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP224R1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP224R1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP224R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP224R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP224R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP224R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP224R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP224R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP224R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP224R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP224R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP224R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP224R1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP224R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP224R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP224R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP224R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP224R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP224R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP224R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP224R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP224R1_MULV_COZ) || defined(CONFIG_ECFIT_SECP224R1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP224R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP224R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP224R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP224R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP224R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP224R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP224R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP224R1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP224R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP224R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP224R1_MULD_NAF) || defined(CONFIG_ECFIT_SECP224R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_SECP224R1_WNAF_A) || defined(CONFIG_ECFIT_SECP224R1_WNAF_G) || defined(CONFIG_ECFIT_SECP224R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_SECP224R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP224R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_SECP224R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_SECP224R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP224R1_ECDH_ECDH) || defined(CONFIG_ECFIT_SECP224R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_SECP224R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP224R1_SIGN_NONE) || defined(CONFIG_ECFIT_SECP224R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_SECP224R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP224R1_VERIFY_NONE) || defined(CONFIG_ECFIT_SECP224R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_SECP224R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP224R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_SECP224R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_SECP224R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP224R1_DER_NONE) || defined(CONFIG_ECFIT_SECP224R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_SECP224R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP224R1_WORK_STACK) || defined(CONFIG_ECFIT_SECP224R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_SECP224R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP224R1_WIPE_NONE)
#error "secp224r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP256R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP256R1_REDUCE_SOLINAS) || defined(CONFIG_ECFIT_SECP256R1_REDUCE_SOLINAS_LOOP) || \
    defined(CONFIG_ECFIT_SECP256R1_COORDINATES_COMPLETE) || defined(CONFIG_ECFIT_SECP256R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP256R1_COORDINATES_JACOBIAN_RUN) || \
    defined(CONFIG_ECFIT_SECP256R1_COORDINATES_HOMOGENEOUS) || defined(CONFIG_ECFIT_SECP256R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP256R1_TABLE_PROJECTIVE) || \
    defined(CONFIG_ECFIT_SECP256R1_TABLE_AFFINE) || defined(CONFIG_ECFIT_SECP256R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP256R1_BLIND_COORDINATES) || \
    defined(CONFIG_ECFIT_SECP256R1_BLIND_SCALAR) || defined(CONFIG_ECFIT_SECP256R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP256R1_MULV_HALVES) || \
    defined(CONFIG_ECFIT_SECP256R1_MULV_LADDER_X) || defined(CONFIG_ECFIT_SECP256R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP256R1_MULV_BINARY_VAR) || \
    defined(CONFIG_ECFIT_SECP256R1_MULV_BINARY) || defined(CONFIG_ECFIT_SECP256R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP256R1_MULV_DIGITS_FOUR) || \
    defined(CONFIG_ECFIT_SECP256R1_MULV_WINDOW) || defined(CONFIG_ECFIT_SECP256R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP256R1_MULV_COZ) || \
    defined(CONFIG_ECFIT_SECP256R1_WINDOW) || defined(CONFIG_ECFIT_SECP256R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP256R1_MULG_COMB_FLASH) || \
    defined(CONFIG_ECFIT_SECP256R1_MULG_COMB_RAM) || defined(CONFIG_ECFIT_SECP256R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP256R1_COMB_BLOCKS) || \
    defined(CONFIG_ECFIT_SECP256R1_MULD_TWO) || defined(CONFIG_ECFIT_SECP256R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP256R1_MULD_DIGITS) || \
    defined(CONFIG_ECFIT_SECP256R1_MULD_BITS_SIGNED) || defined(CONFIG_ECFIT_SECP256R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP256R1_MULD_NAF) || \
    defined(CONFIG_ECFIT_SECP256R1_MULD_SEPARATE) || defined(CONFIG_ECFIT_SECP256R1_WNAF_A) || defined(CONFIG_ECFIT_SECP256R1_WNAF_G) || \
    defined(CONFIG_ECFIT_SECP256R1_NONCE_DETERMINISTIC) || defined(CONFIG_ECFIT_SECP256R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP256R1_NONCE_RANDOM) || \
    defined(CONFIG_ECFIT_SECP256R1_KEYGEN_KEYGEN) || defined(CONFIG_ECFIT_SECP256R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP256R1_ECDH_ECDH) || \
    defined(CONFIG_ECFIT_SECP256R1_ECDH_NONE) || defined(CONFIG_ECFIT_SECP256R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP256R1_SIGN_NONE) || \
    defined(CONFIG_ECFIT_SECP256R1_VERIFY_ECDSA) || defined(CONFIG_ECFIT_SECP256R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP256R1_VERIFY_NONE) || \
    defined(CONFIG_ECFIT_SECP256R1_CHECK_NONE) || defined(CONFIG_ECFIT_SECP256R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP256R1_COMPRESS_SEC1) || \
    defined(CONFIG_ECFIT_SECP256R1_COMPRESS_NONE) || defined(CONFIG_ECFIT_SECP256R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP256R1_DER_NONE) || \
    defined(CONFIG_ECFIT_SECP256R1_RESUME_STEPS) || defined(CONFIG_ECFIT_SECP256R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP256R1_WORK_STACK) || \
    defined(CONFIG_ECFIT_SECP256R1_WORK_CALLER) || defined(CONFIG_ECFIT_SECP256R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP256R1_WIPE_NONE)
#error "secp256r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP384R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP384R1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP384R1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP384R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP384R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP384R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP384R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP384R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP384R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP384R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP384R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP384R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP384R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP384R1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP384R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP384R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP384R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP384R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP384R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP384R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP384R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP384R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP384R1_MULV_COZ) || defined(CONFIG_ECFIT_SECP384R1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP384R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP384R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP384R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP384R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP384R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP384R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP384R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP384R1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP384R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP384R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP384R1_MULD_NAF) || defined(CONFIG_ECFIT_SECP384R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_SECP384R1_WNAF_A) || defined(CONFIG_ECFIT_SECP384R1_WNAF_G) || defined(CONFIG_ECFIT_SECP384R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_SECP384R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP384R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_SECP384R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_SECP384R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP384R1_ECDH_ECDH) || defined(CONFIG_ECFIT_SECP384R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_SECP384R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP384R1_SIGN_NONE) || defined(CONFIG_ECFIT_SECP384R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_SECP384R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP384R1_VERIFY_NONE) || defined(CONFIG_ECFIT_SECP384R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_SECP384R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP384R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_SECP384R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_SECP384R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP384R1_DER_NONE) || defined(CONFIG_ECFIT_SECP384R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_SECP384R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP384R1_WORK_STACK) || defined(CONFIG_ECFIT_SECP384R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_SECP384R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP384R1_WIPE_NONE)
#error "secp384r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP521R1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP521R1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP521R1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP521R1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP521R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP521R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP521R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP521R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP521R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP521R1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP521R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP521R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP521R1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP521R1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP521R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP521R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP521R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP521R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP521R1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP521R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP521R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP521R1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP521R1_MULV_COZ) || defined(CONFIG_ECFIT_SECP521R1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP521R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP521R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP521R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP521R1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP521R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP521R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP521R1_MULD_BITS) || defined(CONFIG_ECFIT_SECP521R1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP521R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP521R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP521R1_MULD_NAF) || defined(CONFIG_ECFIT_SECP521R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_SECP521R1_WNAF_A) || defined(CONFIG_ECFIT_SECP521R1_WNAF_G) || defined(CONFIG_ECFIT_SECP521R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_SECP521R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP521R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_SECP521R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_SECP521R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP521R1_ECDH_ECDH) || defined(CONFIG_ECFIT_SECP521R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_SECP521R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP521R1_SIGN_NONE) || defined(CONFIG_ECFIT_SECP521R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_SECP521R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP521R1_VERIFY_NONE) || defined(CONFIG_ECFIT_SECP521R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_SECP521R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP521R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_SECP521R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_SECP521R1_DER_STRICT) || defined(CONFIG_ECFIT_SECP521R1_DER_NONE) || defined(CONFIG_ECFIT_SECP521R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_SECP521R1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP521R1_WORK_STACK) || defined(CONFIG_ECFIT_SECP521R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_SECP521R1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP521R1_WIPE_NONE)
#error "secp521r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_SECP256K1_REDUCE_MONT) || defined(CONFIG_ECFIT_SECP256K1_REDUCE_SOLINAS_LOOP) || defined(CONFIG_ECFIT_SECP256K1_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_SECP256K1_COORDINATES_JACOBIAN) || defined(CONFIG_ECFIT_SECP256K1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_SECP256K1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_SECP256K1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_SECP256K1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_SECP256K1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_SECP256K1_BLIND_NONE) || defined(CONFIG_ECFIT_SECP256K1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_SECP256K1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_SECP256K1_BLIND_BOTH) || defined(CONFIG_ECFIT_SECP256K1_MULV_HALVES) || defined(CONFIG_ECFIT_SECP256K1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_SECP256K1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_SECP256K1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_SECP256K1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_SECP256K1_MULV_DIGITS) || defined(CONFIG_ECFIT_SECP256K1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_SECP256K1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_SECP256K1_MULV_LADDER) || defined(CONFIG_ECFIT_SECP256K1_MULV_COZ) || defined(CONFIG_ECFIT_SECP256K1_WINDOW) || \
    defined(CONFIG_ECFIT_SECP256K1_MULG_AS_VAR) || defined(CONFIG_ECFIT_SECP256K1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_SECP256K1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_SECP256K1_COMB_TEETH) || defined(CONFIG_ECFIT_SECP256K1_COMB_BLOCKS) || defined(CONFIG_ECFIT_SECP256K1_MULD_TWO) || \
    defined(CONFIG_ECFIT_SECP256K1_MULD_BITS) || defined(CONFIG_ECFIT_SECP256K1_MULD_DIGITS) || defined(CONFIG_ECFIT_SECP256K1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_SECP256K1_MULD_STRAUSS) || defined(CONFIG_ECFIT_SECP256K1_MULD_NAF) || defined(CONFIG_ECFIT_SECP256K1_MULD_GLV) || \
    defined(CONFIG_ECFIT_SECP256K1_MULD_SEPARATE) || defined(CONFIG_ECFIT_SECP256K1_WNAF_A) || defined(CONFIG_ECFIT_SECP256K1_WNAF_G) || \
    defined(CONFIG_ECFIT_SECP256K1_NONCE_DETERMINISTIC) || defined(CONFIG_ECFIT_SECP256K1_NONCE_HEDGED) || defined(CONFIG_ECFIT_SECP256K1_NONCE_RANDOM) || \
    defined(CONFIG_ECFIT_SECP256K1_KEYGEN_KEYGEN) || defined(CONFIG_ECFIT_SECP256K1_KEYGEN_NONE) || defined(CONFIG_ECFIT_SECP256K1_ECDH_ECDH) || \
    defined(CONFIG_ECFIT_SECP256K1_ECDH_NONE) || defined(CONFIG_ECFIT_SECP256K1_SIGN_ECDSA) || defined(CONFIG_ECFIT_SECP256K1_SIGN_NONE) || \
    defined(CONFIG_ECFIT_SECP256K1_VERIFY_ECDSA) || defined(CONFIG_ECFIT_SECP256K1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_SECP256K1_VERIFY_NONE) || \
    defined(CONFIG_ECFIT_SECP256K1_CHECK_NONE) || defined(CONFIG_ECFIT_SECP256K1_CHECK_VERIFY) || defined(CONFIG_ECFIT_SECP256K1_COMPRESS_SEC1) || \
    defined(CONFIG_ECFIT_SECP256K1_COMPRESS_NONE) || defined(CONFIG_ECFIT_SECP256K1_DER_STRICT) || defined(CONFIG_ECFIT_SECP256K1_DER_NONE) || \
    defined(CONFIG_ECFIT_SECP256K1_RESUME_STEPS) || defined(CONFIG_ECFIT_SECP256K1_RESUME_NONE) || defined(CONFIG_ECFIT_SECP256K1_WORK_STACK) || \
    defined(CONFIG_ECFIT_SECP256K1_WORK_CALLER) || defined(CONFIG_ECFIT_SECP256K1_WIPE_STACK) || defined(CONFIG_ECFIT_SECP256K1_WIPE_NONE)
#error "secp256k1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_BRAINPOOLP256R1_REDUCE_MONT) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_COORDINATES_COMPLETE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_COORDINATES_JACOBIAN) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_BLIND_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_BLIND_BOTH) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_HALVES) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_DIGITS) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_LADDER) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULV_COZ) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_WINDOW) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_COMB_TEETH) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_BITS) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_DIGITS) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_NAF) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_WNAF_A) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_WNAF_G) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_ECDH_ECDH) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_SIGN_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_VERIFY_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_DER_STRICT) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_DER_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_RESUME_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_WORK_STACK) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_BRAINPOOLP256R1_WIPE_STACK) || defined(CONFIG_ECFIT_BRAINPOOLP256R1_WIPE_NONE)
#error "brainpoolP256r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_BRAINPOOLP384R1_REDUCE_MONT) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_COORDINATES_COMPLETE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_COORDINATES_JACOBIAN) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_BLIND_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_BLIND_BOTH) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_HALVES) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_DIGITS) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_LADDER) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULV_COZ) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_WINDOW) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_COMB_TEETH) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_BITS) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_DIGITS) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_NAF) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_WNAF_A) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_WNAF_G) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_ECDH_ECDH) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_SIGN_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_VERIFY_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_DER_STRICT) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_DER_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_RESUME_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_WORK_STACK) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_BRAINPOOLP384R1_WIPE_STACK) || defined(CONFIG_ECFIT_BRAINPOOLP384R1_WIPE_NONE)
#error "brainpoolP384r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_BRAINPOOLP512R1_REDUCE_MONT) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_COORDINATES_COMPLETE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_COORDINATES_JACOBIAN) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_COORDINATES_JACOBIAN_RUN) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_COORDINATES_HOMOGENEOUS) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_COORDINATES_AFFINE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_TABLE_PROJECTIVE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_TABLE_AFFINE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_BLIND_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_BLIND_COORDINATES) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_BLIND_SCALAR) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_BLIND_BOTH) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_HALVES) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_LADDER_X) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_NAF_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_BINARY_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_BINARY) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_DIGITS) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_DIGITS_FOUR) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_WINDOW) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_LADDER) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULV_COZ) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_WINDOW) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULG_AS_VAR) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULG_COMB_FLASH) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULG_COMB_RAM) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_COMB_TEETH) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_COMB_BLOCKS) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_TWO) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_BITS) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_DIGITS) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_BITS_SIGNED) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_STRAUSS) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_NAF) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_MULD_SEPARATE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_WNAF_A) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_WNAF_G) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_NONCE_DETERMINISTIC) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_NONCE_HEDGED) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_NONCE_RANDOM) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_KEYGEN_KEYGEN) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_KEYGEN_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_ECDH_ECDH) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_ECDH_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_SIGN_ECDSA) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_SIGN_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_VERIFY_ECDSA) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_VERIFY_HARDENED) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_VERIFY_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_CHECK_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_CHECK_VERIFY) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_COMPRESS_SEC1) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_COMPRESS_NONE) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_DER_STRICT) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_DER_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_RESUME_STEPS) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_RESUME_NONE) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_WORK_STACK) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_WORK_CALLER) || \
    defined(CONFIG_ECFIT_BRAINPOOLP512R1_WIPE_STACK) || defined(CONFIG_ECFIT_BRAINPOOLP512R1_WIPE_NONE)
#error "brainpoolP512r1: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_X25519_REDUCE_MONT) || defined(CONFIG_ECFIT_X25519_REDUCE_PMERS) || defined(CONFIG_ECFIT_X25519_MULG_AS_VAR) || \
    defined(CONFIG_ECFIT_X25519_MULG_COMB_EDWARDS) || defined(CONFIG_ECFIT_X25519_COMB_TEETH) || defined(CONFIG_ECFIT_X25519_COMB_BLOCKS) || \
    defined(CONFIG_ECFIT_X25519_KEYGEN_KEYGEN) || defined(CONFIG_ECFIT_X25519_KEYGEN_NONE) || defined(CONFIG_ECFIT_X25519_ECDH_ECDH) || defined(CONFIG_ECFIT_X25519_ECDH_NONE) || \
    defined(CONFIG_ECFIT_X25519_WIPE_STACK) || defined(CONFIG_ECFIT_X25519_WIPE_NONE)
#error "x25519: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_X448_REDUCE_MONT) || defined(CONFIG_ECFIT_X448_REDUCE_PMERS) || defined(CONFIG_ECFIT_X448_MULG_AS_VAR) || defined(CONFIG_ECFIT_X448_MULG_COMB_EDWARDS) || \
    defined(CONFIG_ECFIT_X448_COMB_TEETH) || defined(CONFIG_ECFIT_X448_COMB_BLOCKS) || defined(CONFIG_ECFIT_X448_KEYGEN_KEYGEN) || defined(CONFIG_ECFIT_X448_KEYGEN_NONE) || \
    defined(CONFIG_ECFIT_X448_ECDH_ECDH) || defined(CONFIG_ECFIT_X448_ECDH_NONE) || defined(CONFIG_ECFIT_X448_WIPE_STACK) || defined(CONFIG_ECFIT_X448_WIPE_NONE)
#error "x448: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_ED25519_REDUCE_MONT) || defined(CONFIG_ECFIT_ED25519_REDUCE_PMERS) || defined(CONFIG_ECFIT_ED25519_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_ED25519_COORDINATES_EXTENDED) || defined(CONFIG_ECFIT_ED25519_MULG_AS_VAR) || defined(CONFIG_ECFIT_ED25519_MULG_COMB_FLASH) || \
    defined(CONFIG_ECFIT_ED25519_COMB_TEETH) || defined(CONFIG_ECFIT_ED25519_COMB_BLOCKS) || defined(CONFIG_ECFIT_ED25519_MULD_TWO) || defined(CONFIG_ECFIT_ED25519_MULD_BITS) || \
    defined(CONFIG_ECFIT_ED25519_MULD_STRAUSS) || defined(CONFIG_ECFIT_ED25519_MULD_NAF) || defined(CONFIG_ECFIT_ED25519_MULD_SEPARATE) || defined(CONFIG_ECFIT_ED25519_WNAF_A) || \
    defined(CONFIG_ECFIT_ED25519_WNAF_G) || defined(CONFIG_ECFIT_ED25519_KEYGEN_KEYGEN) || defined(CONFIG_ECFIT_ED25519_KEYGEN_NONE) || defined(CONFIG_ECFIT_ED25519_SIGN_NONE) || \
    defined(CONFIG_ECFIT_ED25519_SIGN_EDDSA) || defined(CONFIG_ECFIT_ED25519_SIGN_EDDSA_ALL) || defined(CONFIG_ECFIT_ED25519_SIGN_EDDSA_HEDGED) || \
    defined(CONFIG_ECFIT_ED25519_SIGN_EDDSA_PAIR) || defined(CONFIG_ECFIT_ED25519_VERIFY_NONE) || defined(CONFIG_ECFIT_ED25519_VERIFY_EDDSA) || \
    defined(CONFIG_ECFIT_ED25519_VERIFY_EDDSA_ALL) || defined(CONFIG_ECFIT_ED25519_VERIFY_EDDSA_HARDENED) || defined(CONFIG_ECFIT_ED25519_CHECK_NONE) || \
    defined(CONFIG_ECFIT_ED25519_CHECK_VERIFY) || defined(CONFIG_ECFIT_ED25519_WIPE_STACK) || defined(CONFIG_ECFIT_ED25519_WIPE_NONE)
#error "ed25519: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif
#if defined(CONFIG_ECFIT_ED448_REDUCE_MONT) || defined(CONFIG_ECFIT_ED448_REDUCE_PMERS) || defined(CONFIG_ECFIT_ED448_COORDINATES_COMPLETE) || \
    defined(CONFIG_ECFIT_ED448_COORDINATES_EXTENDED) || defined(CONFIG_ECFIT_ED448_MULG_AS_VAR) || defined(CONFIG_ECFIT_ED448_MULG_COMB_FLASH) || \
    defined(CONFIG_ECFIT_ED448_COMB_TEETH) || defined(CONFIG_ECFIT_ED448_COMB_BLOCKS) || defined(CONFIG_ECFIT_ED448_MULD_TWO) || defined(CONFIG_ECFIT_ED448_MULD_BITS) || \
    defined(CONFIG_ECFIT_ED448_MULD_STRAUSS) || defined(CONFIG_ECFIT_ED448_MULD_NAF) || defined(CONFIG_ECFIT_ED448_MULD_SEPARATE) || defined(CONFIG_ECFIT_ED448_WNAF_A) || \
    defined(CONFIG_ECFIT_ED448_WNAF_G) || defined(CONFIG_ECFIT_ED448_KEYGEN_KEYGEN) || defined(CONFIG_ECFIT_ED448_KEYGEN_NONE) || defined(CONFIG_ECFIT_ED448_SIGN_NONE) || \
    defined(CONFIG_ECFIT_ED448_SIGN_EDDSA) || defined(CONFIG_ECFIT_ED448_SIGN_EDDSA_ALL) || defined(CONFIG_ECFIT_ED448_SIGN_EDDSA_HEDGED) || \
    defined(CONFIG_ECFIT_ED448_SIGN_EDDSA_PAIR) || defined(CONFIG_ECFIT_ED448_VERIFY_NONE) || defined(CONFIG_ECFIT_ED448_VERIFY_EDDSA) || \
    defined(CONFIG_ECFIT_ED448_VERIFY_EDDSA_ALL) || defined(CONFIG_ECFIT_ED448_VERIFY_EDDSA_HARDENED) || defined(CONFIG_ECFIT_ED448_CHECK_NONE) || \
    defined(CONFIG_ECFIT_ED448_CHECK_VERIFY) || defined(CONFIG_ECFIT_ED448_WIPE_STACK) || defined(CONFIG_ECFIT_ED448_WIPE_NONE)
#error "ed448: a knob is no symbol any more: name a header of `ecfit config` with ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"
#endif

#endif
