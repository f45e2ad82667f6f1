/* ecfit_config.h - which files fill the slots, and the numbers. Generated from lib/knobs.toml. */
#ifndef ECFIT_CONFIG_H
#define ECFIT_CONFIG_H
#if defined(ECFIT_CONFIG_REQUIRED)
#error "ECFIT_CONFIG_REQUIRED: this is the default: name the folder of yours before it"
#endif

/* ARMv6-M and ARMv8-M Baseline (Cortex-M0, M0+, M1, M23) */
/* ARMv7-M without DSP (Cortex-M3) */
/* RISC-V without a multiplier */
/* Xtensa (ESP8266, ESP32, ESP32-S2, ESP32-S3) */
#if (defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)) || \
    (defined(__ARM_ARCH_7M__)) || \
    (defined(__riscv) && !defined(__riscv_mul) && !defined(__riscv_zmmul)) || \
    (defined(__XTENSA__))
#define ECFIT_MP_MUL "mp/w32m16/mul.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "none.h"
#define ECFIT_BACKEND_IS_W32M16 1
/* AVR with a multiplier */
#elif (defined(__AVR__) && defined(__AVR_HAVE_MUL__))
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "none.h"
#define ECFIT_BACKEND_IS_W8 1
#else
#define ECFIT_MP_MUL "mp/mul_double.inc"
#define ECFIT_MP_LINEAR "mp/linear.inc"
#define ECFIT_MP_SELECT "mp/select.inc"
#define ECFIT_ASM "none.h"
#define ECFIT_BACKEND_IS_W32 1
#endif
#define ECFIT_PRODUCT_IS_UNROLLED 1
#define ECFIT_PRODUCT_VAR_IS_SAME 1
#define ECFIT_SQUARE_IS_OWN 1
#define ECFIT_FPU_IS_NONE 1
#define ECFIT_INVERT "field/inverse/divsteps.inc"
#define ECFIT_FE_POWER "field/inverse/power_chain.inc"
#define ECFIT_INVERT_IS_DIVSTEPS 1
#define ECFIT_INVERSE_VAR "field/inverse_var/same.inc"
#define ECFIT_INVERT_VAR_IS_SAME 1
#define ECFIT_MESSAGE_sha256 "api/ecdsa/message.inc"
#define ECFIT_SHA256_IS_OWN 1
#define ECFIT_MESSAGE_sha384 "api/ecdsa/message.inc"
#define ECFIT_MESSAGE_sha512 "api/ecdsa/message.inc"
#define ECFIT_SHA512_IS_OWN 1
#define ECFIT_SHAKE256_IS_OWN 1
#define ECFIT_STATUS_TEXT "none.h"
#define ECFIT_STATUS_TEXT_IS_NONE 1
#define ECFIT_HASH_STREAM_IS_NONE 1
#define ECFIT_MP_PRODUCT "mp/rows.h"
#define ECFIT_SHA512_BLOCK "hash/sha512_rounds.inc"
#define ECFIT_MOD_LINEAR "field/linear.inc"
#define ECFIT_MOD_MUL "field/mod_mul.inc"
#define ECFIT_MOD_FAST "field/mod_fast.inc"
#if defined(ECFIT_BACKEND_IS_W32M16)
#define ECFIT_INVERSE_STEPS "field/inverse/steps_pairs.inc"
#else
#define ECFIT_INVERSE_STEPS "field/inverse/steps_words.inc"
#endif

#define ECFIT_MAX_BITS 256 /* of the widest curve enabled */

#define ECFIT_CURVE_SHARED_ENABLED 0

#define ECFIT_CURVE_SECP128R1_ENABLED 0

#define ECFIT_CURVE_SECP160R1_ENABLED 0

#define ECFIT_CURVE_SECP192R1_ENABLED 0

#define ECFIT_CURVE_SECP224R1_ENABLED 0

#define ECFIT_CURVE_SECP256R1_ENABLED 1
#define ECFIT_SECP256R1_INSTANCE "curve/instance.inc"
#define ECFIT_SECP256R1_INSTANCE_IS_OWN 1
#if defined(ECFIT_BACKEND_IS_W8)
#define ECFIT_SECP256R1_REDUCE_IS_MONT 1
#else
#define ECFIT_SECP256R1_REDUCE_IS_SOLINAS 1
#endif
#define ECFIT_SECP256R1_COORDINATES "group/jacobian.inc"
#define ECFIT_SECP256R1_COORDINATES_STEPS "mul/steps/steps_xyz.inc"
#define ECFIT_SECP256R1_COORDINATES_IS_JACOBIAN 1
#define ECFIT_SECP256R1_TABLE "group/multiples.inc"
#define ECFIT_SECP256R1_TABLE_IS_PROJECTIVE 1
#define ECFIT_SECP256R1_BLIND "mul/blind/blind_point_none.inc"
#define ECFIT_SECP256R1_MASK "mul/blind/mask_none.inc"
#define ECFIT_SECP256R1_SIGN_TERMS "api/ecdsa/terms.inc"
#define ECFIT_SECP256R1_BLIND_IS_NONE 1
#define ECFIT_SECP256R1_MULV "mul/window.inc"
#define ECFIT_SECP256R1_MULV_IS_WINDOW 1
#define ECFIT_SECP256R1_WINDOW 4
#define ECFIT_SECP256R1_MULG "mul/comb.inc"
#define ECFIT_SECP256R1_MULG_IS_COMB_FLASH 1
#define ECFIT_SECP256R1_COMB_TEETH 4
#define ECFIT_SECP256R1_COMB_BLOCKS 1
#define ECFIT_SECP256R1_MULD "mul/strauss.inc"
#define ECFIT_SECP256R1_MULD_IS_STRAUSS 1
#define ECFIT_SECP256R1_WNAF_A 4
#define ECFIT_SECP256R1_WNAF_G 5
#define ECFIT_SECP256R1_NONCE "api/nonce/deterministic.inc"
#define ECFIT_SECP256R1_NONCE_IS_DETERMINISTIC 1
#define ECFIT_SECP256R1_KEYGEN "api/keygen.inc"
#define ECFIT_SECP256R1_KEYGEN_IS_KEYGEN 1
#define ECFIT_SECP256R1_ECDH "api/exchange/ecdh.inc"
#define ECFIT_SECP256R1_SPAKE2P_PROVER "none.h"
#define ECFIT_SECP256R1_SPAKE2P_VERIFIER "none.h"
#define ECFIT_SECP256R1_ECDH_IS_ECDH 1
#define ECFIT_SECP256R1_SIGN "api/ecdsa/sign.inc"
#define ECFIT_SECP256R1_SIGN_MESSAGE "api/ecdsa/sign_message.inc"
#define ECFIT_SECP256R1_SIGN_RECOVERABLE "none.h"
#define ECFIT_SECP256R1_SIGN_IS_ECDSA 1
#define ECFIT_SECP256R1_VERIFY "api/ecdsa/verify.inc"
#define ECFIT_SECP256R1_VERIFY_MESSAGE "api/ecdsa/verify_message.inc"
#define ECFIT_SECP256R1_RECOVER_KEY "none.h"
#define ECFIT_SECP256R1_MULD_RECOVER_KEY "none.h"
#define ECFIT_SECP256R1_VERIFY_IS_ECDSA 1
#define ECFIT_SECP256R1_READ "mul/scalar_first.inc"
#define ECFIT_SECP256R1_READ_IS_FIRST 1
#define ECFIT_SECP256R1_CHECK "api/ecdsa/check_none.inc"
#define ECFIT_SECP256R1_CHECK_IS_NONE 1
#define ECFIT_SECP256R1_COMPRESS "api/compress.inc"
#define ECFIT_SECP256R1_COMPRESS_IS_SEC1 1
#define ECFIT_SECP256R1_DER "none.h"
#define ECFIT_SECP256R1_DER_IS_NONE 1
#define ECFIT_SECP256R1_RESUME "none.h"
#define ECFIT_SECP256R1_RESUME_IS_NONE 1
#define ECFIT_SECP256R1_WORK "none.h"
#define ECFIT_SECP256R1_WORK_IS_STACK 1
#define ECFIT_SECP256R1_WIPE "api/wipe_stack.inc"
#define ECFIT_SECP256R1_WIPE_IS_STACK 1
#if defined(ECFIT_SECP256R1_REDUCE_IS_MONT)
#define ECFIT_SECP256R1_REDUCE "field/montgomery/mont.inc"
#elif defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS)
#define ECFIT_SECP256R1_REDUCE "field/solinas/secp256r1.inc"
#else
#error "secp256r1: no file for this configuration"
#endif
#define ECFIT_SECP256R1_LEAST "none.h"

#define ECFIT_CURVE_SECP384R1_ENABLED 0

#define ECFIT_CURVE_SECP521R1_ENABLED 0

#define ECFIT_CURVE_SECP256K1_ENABLED 0

#define ECFIT_CURVE_BRAINPOOLP256R1_ENABLED 0

#define ECFIT_CURVE_BRAINPOOLP384R1_ENABLED 0

#define ECFIT_CURVE_BRAINPOOLP512R1_ENABLED 0

#define ECFIT_CURVE_X25519_ENABLED 0

#define ECFIT_CURVE_X448_ENABLED 0

#define ECFIT_CURVE_ED25519_ENABLED 0

#define ECFIT_CURVE_ED448_ENABLED 0

#endif
