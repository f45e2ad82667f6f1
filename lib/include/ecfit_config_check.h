/* ecfit_config_check.h - refuses a configuration that is incomplete, out of range or contradictory.
 * Generated from lib/knobs.toml; do not edit. */
#ifndef ECFIT_CONFIG_CHECK_H
#define ECFIT_CONFIG_CHECK_H

#ifndef ECFIT_INVERSE_STEPS
#error "ecfit_config.h is of an older version: write it again with `ecfit config`"
#endif
#if defined(ECFIT_BACKEND_IS_W32M16) + defined(ECFIT_BACKEND_IS_ARMV6M) + \
    defined(ECFIT_BACKEND_IS_ARMV7M) + defined(ECFIT_BACKEND_IS_ARMV7EM) + \
    defined(ECFIT_BACKEND_IS_RV32IM) + defined(ECFIT_BACKEND_IS_AVR) + \
    defined(ECFIT_BACKEND_IS_W32) + defined(ECFIT_BACKEND_IS_W64) + defined(ECFIT_BACKEND_IS_W16) \
    + defined(ECFIT_BACKEND_IS_W8) != 1
#error "ECFIT_BACKEND: define exactly one of ECFIT_BACKEND_IS_W32M16, ECFIT_BACKEND_IS_ARMV6M, ECFIT_BACKEND_IS_ARMV7M, ECFIT_BACKEND_IS_ARMV7EM, ECFIT_BACKEND_IS_RV32IM, ECFIT_BACKEND_IS_AVR, ECFIT_BACKEND_IS_W32, ECFIT_BACKEND_IS_W64, ECFIT_BACKEND_IS_W16, ECFIT_BACKEND_IS_W8"
#endif
#if defined(ECFIT_PRODUCT_IS_ROWS) + defined(ECFIT_PRODUCT_IS_UNROLLED) != 1
#error "ECFIT_PRODUCT: define exactly one of ECFIT_PRODUCT_IS_ROWS, ECFIT_PRODUCT_IS_UNROLLED"
#endif
#if defined(ECFIT_PRODUCT_VAR_IS_SAME) + defined(ECFIT_PRODUCT_VAR_IS_LONG) != 1
#error "ECFIT_PRODUCT_VAR: define exactly one of ECFIT_PRODUCT_VAR_IS_SAME, ECFIT_PRODUCT_VAR_IS_LONG"
#endif
#if defined(ECFIT_SQUARE_IS_OWN) + defined(ECFIT_SQUARE_IS_AS_MUL) != 1
#error "ECFIT_SQUARE: define exactly one of ECFIT_SQUARE_IS_OWN, ECFIT_SQUARE_IS_AS_MUL"
#endif
#if defined(ECFIT_FPU_IS_NONE) + defined(ECFIT_FPU_IS_WORDS) != 1
#error "ECFIT_FPU: define exactly one of ECFIT_FPU_IS_NONE, ECFIT_FPU_IS_WORDS"
#elif defined(ECFIT_FPU_IS_WORDS) && !(defined(ECFIT_BACKEND_IS_ARMV7EM))
#error "ECFIT_FPU: words needs BACKEND armv7em"
#elif defined(ECFIT_FPU_IS_WORDS) && !(defined(ECFIT_PRODUCT_IS_UNROLLED))
#error "ECFIT_FPU: words needs PRODUCT unrolled"
#endif
#if defined(ECFIT_INVERT_IS_FERMAT) + defined(ECFIT_INVERT_IS_WINDOWS) + \
    defined(ECFIT_INVERT_IS_BINGCD) + defined(ECFIT_INVERT_IS_DIVSTEPS) != 1
#error "ECFIT_INVERT: define exactly one of ECFIT_INVERT_IS_FERMAT, ECFIT_INVERT_IS_WINDOWS, ECFIT_INVERT_IS_BINGCD, ECFIT_INVERT_IS_DIVSTEPS"
#endif
#if defined(ECFIT_INVERT_VAR_IS_SAME) + defined(ECFIT_INVERT_VAR_IS_GCD) != 1
#error "ECFIT_INVERT_VAR: define exactly one of ECFIT_INVERT_VAR_IS_SAME, ECFIT_INVERT_VAR_IS_GCD"
#endif
#if defined(ECFIT_SHA256_IS_OWN) + defined(ECFIT_SHA256_IS_UNROLLED) + \
    defined(ECFIT_SHA256_IS_CALLER) + defined(ECFIT_SHA256_IS_NONE) != 1
#error "ECFIT_SHA256: define exactly one of ECFIT_SHA256_IS_OWN, ECFIT_SHA256_IS_UNROLLED, ECFIT_SHA256_IS_CALLER, ECFIT_SHA256_IS_NONE"
#endif
#if defined(ECFIT_SHA512_IS_OWN) + defined(ECFIT_SHA512_IS_SMALL) + defined(ECFIT_SHA512_IS_ROOTS) \
    + defined(ECFIT_SHA512_IS_CALLER) + defined(ECFIT_SHA512_IS_NONE) != 1
#error "ECFIT_SHA512: define exactly one of ECFIT_SHA512_IS_OWN, ECFIT_SHA512_IS_SMALL, ECFIT_SHA512_IS_ROOTS, ECFIT_SHA512_IS_CALLER, ECFIT_SHA512_IS_NONE"
#endif
#if defined(ECFIT_SHAKE256_IS_OWN) + defined(ECFIT_SHAKE256_IS_CALLER) + \
    defined(ECFIT_SHAKE256_IS_NONE) != 1
#error "ECFIT_SHAKE256: define exactly one of ECFIT_SHAKE256_IS_OWN, ECFIT_SHAKE256_IS_CALLER, ECFIT_SHAKE256_IS_NONE"
#endif
#if defined(ECFIT_STATUS_TEXT_IS_NONE) + defined(ECFIT_STATUS_TEXT_IS_ENGLISH) != 1
#error "ECFIT_STATUS_TEXT: define exactly one of ECFIT_STATUS_TEXT_IS_NONE, ECFIT_STATUS_TEXT_IS_ENGLISH"
#endif
#if defined(ECFIT_HASH_STREAM_IS_NONE) + defined(ECFIT_HASH_STREAM_IS_OWN) != 1
#error "ECFIT_HASH_STREAM: define exactly one of ECFIT_HASH_STREAM_IS_NONE, ECFIT_HASH_STREAM_IS_OWN"
#endif
#if !defined(ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY)
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#if !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8) && !defined(ECFIT_BACKEND_IS_ARMV6M)
#error "ECFIT_BACKEND is not constant-time on ARMv6-M and ARMv8-M Baseline (Cortex-M0, M0+, M1, M23): a product of 64 bits is a call of the compiler's library, which may branch; take BACKEND w32m16 or w16 or w8 or armv6m, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__ARM_ARCH_7M__)
#if !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8) && !defined(ECFIT_BACKEND_IS_ARMV6M) && !defined(ECFIT_BACKEND_IS_ARMV7M)
#error "ECFIT_BACKEND is not constant-time on ARMv7-M without DSP (Cortex-M3): a product of 64 bits ends early where an operand is small; take BACKEND w32m16 or w16 or w8 or armv6m or armv7m, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#if !defined(ECFIT_BACKEND_IS_W32) && !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8) && !defined(ECFIT_BACKEND_IS_ARMV6M) && !defined(ECFIT_BACKEND_IS_ARMV7M) && !defined(ECFIT_BACKEND_IS_ARMV7EM)
#error "ECFIT_BACKEND is not constant-time on ARMv7E-M and ARMv8-M Mainline (Cortex-M4, M7, M33, M35P, M52, M55, M85): it has no products of more than 64 bits; take BACKEND w32 or w32m16 or w16 or w8 or armv6m or armv7m or armv7em, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__ARM_ARCH_7A__) || defined(__ARM_ARCH_7R__) || defined(__ARM_ARCH_7VE__) || (defined(__ARM_ARCH_8A__) && !defined(__aarch64__)) || (defined(__ARM_ARCH_8R__) && !defined(__aarch64__))
#error "ECFIT_BACKEND is not constant-time on ARMv7-A, ARMv7-R, and ARMv8 in its 32-bit state (Cortex-A, Cortex-R): the manuals of some say what a product takes (Cortex-R5), those of others do not (Cortex-A7), and a compiler names all of them alike; no BACKEND helps, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#elif defined(__ARM_ARCH_4T__) || defined(__ARM_ARCH_4__) || defined(__ARM_ARCH_5T__) || defined(__ARM_ARCH_5TE__) || defined(__ARM_ARCH_5TEJ__)
#error "ECFIT_BACKEND is not constant-time on ARMv4 and ARMv5 (ARM7TDMI, ARM926): a product ends early where an operand is small, or is a call of the compiler's library; no BACKEND helps, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#elif defined(__aarch64__)
#if !defined(ECFIT_BACKEND_IS_W32) && !defined(ECFIT_BACKEND_IS_W64) && !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8)
#error "ECFIT_BACKEND is not constant-time on AArch64: the assembly is for other cores; take BACKEND w32 or w64 or w32m16 or w16 or w8, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__x86_64__) || defined(__i386__)
#if !defined(ECFIT_BACKEND_IS_W32) && !defined(ECFIT_BACKEND_IS_W64) && !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8)
#error "ECFIT_BACKEND is not constant-time on x86, 32 and 64 bits: the assembly is for other cores; take BACKEND w32 or w64 or w32m16 or w16 or w8, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__riscv) && (defined(__riscv_mul) || defined(__riscv_zmmul))
#if !defined(ECFIT_BACKEND_IS_W32) && !defined(ECFIT_BACKEND_IS_W64) && !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8) && !defined(ECFIT_BACKEND_IS_RV32IM)
#error "ECFIT_BACKEND is not constant-time on RISC-V with a multiplier: the assembly is for other cores; take BACKEND w32 or w64 or w32m16 or w16 or w8 or rv32im, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__riscv) && !defined(__riscv_mul) && !defined(__riscv_zmmul)
#error "ECFIT_BACKEND is not constant-time on RISC-V without a multiplier: every product is a call of the compiler's library, which branches on the operands; no BACKEND helps, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#elif defined(__AVR__) && defined(__AVR_HAVE_MUL__)
#if !defined(ECFIT_BACKEND_IS_W8) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_AVR)
#error "ECFIT_BACKEND is not constant-time on AVR with a multiplier: a product of 64 bits is a call of the compiler's library, which takes 235 or 236 cycles; take BACKEND w8 or w16 or avr, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#elif defined(__AVR__) && !defined(__AVR_HAVE_MUL__)
#error "ECFIT_BACKEND is not constant-time on AVR without a multiplier (ATtiny): every product is a call of the compiler's library, which branches on the operands; no BACKEND helps, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#elif defined(__XTENSA__)
#if !defined(ECFIT_BACKEND_IS_W32M16) && !defined(ECFIT_BACKEND_IS_W16) && !defined(ECFIT_BACKEND_IS_W8)
#error "ECFIT_BACKEND is not constant-time on Xtensa (ESP8266, ESP32, ESP32-S2, ESP32-S3): a product of 64 bits may be a call of the compiler's library; take BACKEND w32m16 or w16 or w8, or define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#else
#error "ECFIT_BACKEND: it is not known whether this core multiplies in constant time; to compile all the same, define ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
#endif
#endif
#if defined(ECFIT_FPU_IS_WORDS)
#if !defined(__ARM_FP) && !defined(ECFIT_FPU_PRESENT)
#error "FPU words needs a floating-point unit, and this compiler has none: where the core has \
one, define ECFIT_FPU_PRESENT"
#endif
#endif

/* A macro of the curve that is checked: ECFIT_SECP256R1_WINDOW for WINDOW. */
#define ECFIT_CHECKED(name) ECFIT_CHECK_CAT(ECFIT_CHECKED_CURVE, name)
#define ECFIT_CHECK_CAT(curve, name) ECFIT_CHECK_CAT_(curve, name)
#define ECFIT_CHECK_CAT_(curve, name) ECFIT_##curve##_##name

/* 1 if such a flag is defined, as 1, as 0 or as nothing; else 0. `defined` cannot be asked about a
 * name that is put together, so these make a comma of the value of a flag. */
#define ECFIT_CHECK_COMMA_1 0, 1
#define ECFIT_CHECK_COMMA_0 0, 1
#define ECFIT_CHECK_COMMA_ 0, 1
#define ECFIT_CHECKED_HAS(name) ECFIT_CHECK_COMMA(ECFIT_CHECKED(name))
#define ECFIT_CHECK_COMMA(value) ECFIT_CHECK_COMMA_OF(value)
#define ECFIT_CHECK_COMMA_OF(value) ECFIT_CHECK_SECOND(ECFIT_CHECK_COMMA_##value, 0, 0)
#define ECFIT_CHECK_SECOND(...) ECFIT_CHECK_SECOND_(__VA_ARGS__)
#define ECFIT_CHECK_SECOND_(first, second, ...) second

/* An error that names the curve, which #error cannot. A compiler without this pragma stops at the
 * message, which is no C. */
#define ECFIT_REFUSED(knob, ...) ECFIT_REFUSE(ECFIT_CHECKED_CURVE, knob, __VA_ARGS__)
#define ECFIT_REFUSE(curve, knob, ...) ECFIT_REFUSE_(curve, knob, __VA_ARGS__)
#define ECFIT_REFUSE_(curve, knob, ...) ECFIT_REFUSE_TEXT(ECFIT_##curve##_##knob: __VA_ARGS__)
#if defined(__GNUC__)
#define ECFIT_REFUSE_TEXT(...) ECFIT_REFUSE_PRAGMA(GCC error #__VA_ARGS__)
#define ECFIT_REFUSE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#else
#define ECFIT_REFUSE_TEXT(...) #__VA_ARGS__
#endif

#if ECFIT_CURVE_SECP128R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP128R1
#define ECFIT_CHECKED_NAME secp128r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP128R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP128R1_REDUCE_IS_MONT))
#error "ECFIT_SECP128R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP128R1_REDUCE_IS_MONT) + defined(ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP128R1_REDUCE: define exactly one of ECFIT_SECP128R1_REDUCE_IS_MONT, ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP128R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP128R1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP128R1_MULD_IS_TWO) + defined(ECFIT_SECP128R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP128R1_MULD_IS_DIGITS) + defined(ECFIT_SECP128R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP128R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP128R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP128R1_MULD: define exactly one of ECFIT_SECP128R1_MULD_IS_TWO, ECFIT_SECP128R1_MULD_IS_BITS, ECFIT_SECP128R1_MULD_IS_DIGITS, ECFIT_SECP128R1_MULD_IS_BITS_SIGNED, ECFIT_SECP128R1_MULD_IS_STRAUSS, ECFIT_SECP128R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP128R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP128R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_SECP128R1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_SECP160R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP160R1
#define ECFIT_CHECKED_NAME secp160r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP160R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP160R1_REDUCE_IS_MONT))
#error "ECFIT_SECP160R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP160R1_REDUCE_IS_MONT) + defined(ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP160R1_REDUCE: define exactly one of ECFIT_SECP160R1_REDUCE_IS_MONT, ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP160R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP160R1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP160R1_MULD_IS_TWO) + defined(ECFIT_SECP160R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP160R1_MULD_IS_DIGITS) + defined(ECFIT_SECP160R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP160R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP160R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP160R1_MULD: define exactly one of ECFIT_SECP160R1_MULD_IS_TWO, ECFIT_SECP160R1_MULD_IS_BITS, ECFIT_SECP160R1_MULD_IS_DIGITS, ECFIT_SECP160R1_MULD_IS_BITS_SIGNED, ECFIT_SECP160R1_MULD_IS_STRAUSS, ECFIT_SECP160R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP160R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP160R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_SECP160R1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_SECP192R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP192R1
#define ECFIT_CHECKED_NAME secp192r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP192R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP192R1_REDUCE_IS_MONT))
#error "ECFIT_SECP192R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP192R1_REDUCE_IS_MONT) + defined(ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP192R1_REDUCE: define exactly one of ECFIT_SECP192R1_REDUCE_IS_MONT, ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP192R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP192R1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP192R1_MULD_IS_TWO) + defined(ECFIT_SECP192R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP192R1_MULD_IS_DIGITS) + defined(ECFIT_SECP192R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP192R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP192R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP192R1_MULD: define exactly one of ECFIT_SECP192R1_MULD_IS_TWO, ECFIT_SECP192R1_MULD_IS_BITS, ECFIT_SECP192R1_MULD_IS_DIGITS, ECFIT_SECP192R1_MULD_IS_BITS_SIGNED, ECFIT_SECP192R1_MULD_IS_STRAUSS, ECFIT_SECP192R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP192R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP192R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_SECP192R1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_SECP224R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP224R1
#define ECFIT_CHECKED_NAME secp224r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP224R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP224R1_REDUCE_IS_MONT))
#error "ECFIT_SECP224R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP224R1_REDUCE_IS_MONT) + defined(ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP224R1_REDUCE: define exactly one of ECFIT_SECP224R1_REDUCE_IS_MONT, ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP224R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP224R1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP224R1_MULD_IS_TWO) + defined(ECFIT_SECP224R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP224R1_MULD_IS_DIGITS) + defined(ECFIT_SECP224R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP224R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP224R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP224R1_MULD: define exactly one of ECFIT_SECP224R1_MULD_IS_TWO, ECFIT_SECP224R1_MULD_IS_BITS, ECFIT_SECP224R1_MULD_IS_DIGITS, ECFIT_SECP224R1_MULD_IS_BITS_SIGNED, ECFIT_SECP224R1_MULD_IS_STRAUSS, ECFIT_SECP224R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP224R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP224R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_SECP224R1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_SECP256R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP256R1
#define ECFIT_CHECKED_NAME secp256r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP256R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP256R1_REDUCE_IS_MONT))
#error "ECFIT_SECP256R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP256R1_REDUCE_IS_MONT) + defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) + \
    defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP256R1_REDUCE: define exactly one of ECFIT_SECP256R1_REDUCE_IS_MONT, ECFIT_SECP256R1_REDUCE_IS_SOLINAS, ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP"
#elif (defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS) || \
    defined(ECFIT_SECP256R1_REDUCE_IS_SOLINAS_LOOP)) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP256R1_REDUCE: solinas and solinas_loop need BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP256R1_MULD_IS_TWO) + defined(ECFIT_SECP256R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP256R1_MULD_IS_DIGITS) + defined(ECFIT_SECP256R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP256R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP256R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP256R1_MULD: define exactly one of ECFIT_SECP256R1_MULD_IS_TWO, ECFIT_SECP256R1_MULD_IS_BITS, ECFIT_SECP256R1_MULD_IS_DIGITS, ECFIT_SECP256R1_MULD_IS_BITS_SIGNED, ECFIT_SECP256R1_MULD_IS_STRAUSS, ECFIT_SECP256R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP256R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP256R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_SECP256R1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_SECP384R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP384R1
#define ECFIT_CHECKED_NAME secp384r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP384R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP384R1_REDUCE_IS_MONT))
#error "ECFIT_SECP384R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP384R1_REDUCE_IS_MONT) + defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP384R1_REDUCE: define exactly one of ECFIT_SECP384R1_REDUCE_IS_MONT, ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP384R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP384R1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP384R1_MULD_IS_TWO) + defined(ECFIT_SECP384R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP384R1_MULD_IS_DIGITS) + defined(ECFIT_SECP384R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP384R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP384R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP384R1_MULD: define exactly one of ECFIT_SECP384R1_MULD_IS_TWO, ECFIT_SECP384R1_MULD_IS_BITS, ECFIT_SECP384R1_MULD_IS_DIGITS, ECFIT_SECP384R1_MULD_IS_BITS_SIGNED, ECFIT_SECP384R1_MULD_IS_STRAUSS, ECFIT_SECP384R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP384R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP384R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA512_IS_NONE)
#error "ECFIT_SECP384R1_NONCE: deterministic and hedged need SHA512 own or small or roots or caller"
#endif
#endif

#if ECFIT_CURVE_SECP521R1_ENABLED
#define ECFIT_CHECKED_CURVE SECP521R1
#define ECFIT_CHECKED_NAME secp521r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP521R1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP521R1_REDUCE_IS_MONT))
#error "ECFIT_SECP521R1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP521R1_REDUCE_IS_MONT) + defined(ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP521R1_REDUCE: define exactly one of ECFIT_SECP521R1_REDUCE_IS_MONT, ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP521R1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP521R1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP521R1_MULD_IS_TWO) + defined(ECFIT_SECP521R1_MULD_IS_BITS) + \
    defined(ECFIT_SECP521R1_MULD_IS_DIGITS) + defined(ECFIT_SECP521R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP521R1_MULD_IS_STRAUSS) + defined(ECFIT_SECP521R1_MULD_IS_NAF) != 1
#error "ECFIT_SECP521R1_MULD: define exactly one of ECFIT_SECP521R1_MULD_IS_TWO, ECFIT_SECP521R1_MULD_IS_BITS, ECFIT_SECP521R1_MULD_IS_DIGITS, ECFIT_SECP521R1_MULD_IS_BITS_SIGNED, ECFIT_SECP521R1_MULD_IS_STRAUSS, ECFIT_SECP521R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_SECP521R1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP521R1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA512_IS_NONE)
#error "ECFIT_SECP521R1_NONCE: deterministic and hedged need SHA512 own or small or roots or caller"
#endif
#endif

#if ECFIT_CURVE_SECP256K1_ENABLED
#define ECFIT_CHECKED_CURVE SECP256K1
#define ECFIT_CHECKED_NAME secp256k1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_SECP256K1_INSTANCE_IS_SHARED) && !(defined(ECFIT_SECP256K1_REDUCE_IS_MONT))
#error "ECFIT_SECP256K1_INSTANCE: shared needs REDUCE mont"
#endif
#if defined(ECFIT_SECP256K1_REDUCE_IS_MONT) + defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) != 1
#error "ECFIT_SECP256K1_REDUCE: define exactly one of ECFIT_SECP256K1_REDUCE_IS_MONT, ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP"
#elif defined(ECFIT_SECP256K1_REDUCE_IS_SOLINAS_LOOP) && (defined(ECFIT_BACKEND_IS_W16) || \
    defined(ECFIT_BACKEND_IS_W8))
#error "ECFIT_SECP256K1_REDUCE: solinas_loop needs BACKEND w32m16 or armv6m or armv7m or armv7em or rv32im or avr or w32 or w64"
#endif
#if defined(ECFIT_SECP256K1_MULD_IS_TWO) + defined(ECFIT_SECP256K1_MULD_IS_BITS) + \
    defined(ECFIT_SECP256K1_MULD_IS_DIGITS) + defined(ECFIT_SECP256K1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_SECP256K1_MULD_IS_STRAUSS) + defined(ECFIT_SECP256K1_MULD_IS_NAF) + \
    defined(ECFIT_SECP256K1_MULD_IS_GLV) != 1
#error "ECFIT_SECP256K1_MULD: define exactly one of ECFIT_SECP256K1_MULD_IS_TWO, ECFIT_SECP256K1_MULD_IS_BITS, ECFIT_SECP256K1_MULD_IS_DIGITS, ECFIT_SECP256K1_MULD_IS_BITS_SIGNED, ECFIT_SECP256K1_MULD_IS_STRAUSS, ECFIT_SECP256K1_MULD_IS_NAF, ECFIT_SECP256K1_MULD_IS_GLV"
#elif defined(ECFIT_SECP256K1_MULD_IS_GLV) && (defined(ECFIT_SECP256K1_COORDINATES_IS_COMPLETE) || \
    defined(ECFIT_SECP256K1_COORDINATES_IS_JACOBIAN_RUN))
#error "ECFIT_SECP256K1_MULD: glv needs COORDINATES jacobian or homogeneous or affine"
#endif
#if (defined(ECFIT_SECP256K1_NONCE_IS_DETERMINISTIC) || defined(ECFIT_SECP256K1_NONCE_IS_HEDGED)) \
    && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_SECP256K1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_BRAINPOOLP256R1_ENABLED
#define ECFIT_CHECKED_CURVE BRAINPOOLP256R1
#define ECFIT_CHECKED_NAME brainpoolP256r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_BRAINPOOLP256R1_REDUCE_IS_MONT) != 1
#error "ECFIT_BRAINPOOLP256R1_REDUCE: define exactly one of ECFIT_BRAINPOOLP256R1_REDUCE_IS_MONT"
#endif
#if defined(ECFIT_BRAINPOOLP256R1_MULD_IS_TWO) + defined(ECFIT_BRAINPOOLP256R1_MULD_IS_BITS) + \
    defined(ECFIT_BRAINPOOLP256R1_MULD_IS_DIGITS) + \
    defined(ECFIT_BRAINPOOLP256R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_BRAINPOOLP256R1_MULD_IS_STRAUSS) + defined(ECFIT_BRAINPOOLP256R1_MULD_IS_NAF) != \
    1
#error "ECFIT_BRAINPOOLP256R1_MULD: define exactly one of ECFIT_BRAINPOOLP256R1_MULD_IS_TWO, ECFIT_BRAINPOOLP256R1_MULD_IS_BITS, ECFIT_BRAINPOOLP256R1_MULD_IS_DIGITS, ECFIT_BRAINPOOLP256R1_MULD_IS_BITS_SIGNED, ECFIT_BRAINPOOLP256R1_MULD_IS_STRAUSS, ECFIT_BRAINPOOLP256R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_BRAINPOOLP256R1_NONCE_IS_DETERMINISTIC) || \
    defined(ECFIT_BRAINPOOLP256R1_NONCE_IS_HEDGED)) && defined(ECFIT_SHA256_IS_NONE)
#error "ECFIT_BRAINPOOLP256R1_NONCE: deterministic and hedged need SHA256 own or unrolled or caller"
#endif
#endif

#if ECFIT_CURVE_BRAINPOOLP384R1_ENABLED
#define ECFIT_CHECKED_CURVE BRAINPOOLP384R1
#define ECFIT_CHECKED_NAME brainpoolP384r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_BRAINPOOLP384R1_REDUCE_IS_MONT) != 1
#error "ECFIT_BRAINPOOLP384R1_REDUCE: define exactly one of ECFIT_BRAINPOOLP384R1_REDUCE_IS_MONT"
#endif
#if defined(ECFIT_BRAINPOOLP384R1_MULD_IS_TWO) + defined(ECFIT_BRAINPOOLP384R1_MULD_IS_BITS) + \
    defined(ECFIT_BRAINPOOLP384R1_MULD_IS_DIGITS) + \
    defined(ECFIT_BRAINPOOLP384R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_BRAINPOOLP384R1_MULD_IS_STRAUSS) + defined(ECFIT_BRAINPOOLP384R1_MULD_IS_NAF) != \
    1
#error "ECFIT_BRAINPOOLP384R1_MULD: define exactly one of ECFIT_BRAINPOOLP384R1_MULD_IS_TWO, ECFIT_BRAINPOOLP384R1_MULD_IS_BITS, ECFIT_BRAINPOOLP384R1_MULD_IS_DIGITS, ECFIT_BRAINPOOLP384R1_MULD_IS_BITS_SIGNED, ECFIT_BRAINPOOLP384R1_MULD_IS_STRAUSS, ECFIT_BRAINPOOLP384R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_BRAINPOOLP384R1_NONCE_IS_DETERMINISTIC) || \
    defined(ECFIT_BRAINPOOLP384R1_NONCE_IS_HEDGED)) && defined(ECFIT_SHA512_IS_NONE)
#error "ECFIT_BRAINPOOLP384R1_NONCE: deterministic and hedged need SHA512 own or small or roots or caller"
#endif
#endif

#if ECFIT_CURVE_BRAINPOOLP512R1_ENABLED
#define ECFIT_CHECKED_CURVE BRAINPOOLP512R1
#define ECFIT_CHECKED_NAME brainpoolP512r1
#include "ecfit_config_check/weierstrass.h"
#if defined(ECFIT_BRAINPOOLP512R1_REDUCE_IS_MONT) != 1
#error "ECFIT_BRAINPOOLP512R1_REDUCE: define exactly one of ECFIT_BRAINPOOLP512R1_REDUCE_IS_MONT"
#endif
#if defined(ECFIT_BRAINPOOLP512R1_MULD_IS_TWO) + defined(ECFIT_BRAINPOOLP512R1_MULD_IS_BITS) + \
    defined(ECFIT_BRAINPOOLP512R1_MULD_IS_DIGITS) + \
    defined(ECFIT_BRAINPOOLP512R1_MULD_IS_BITS_SIGNED) + \
    defined(ECFIT_BRAINPOOLP512R1_MULD_IS_STRAUSS) + defined(ECFIT_BRAINPOOLP512R1_MULD_IS_NAF) != \
    1
#error "ECFIT_BRAINPOOLP512R1_MULD: define exactly one of ECFIT_BRAINPOOLP512R1_MULD_IS_TWO, ECFIT_BRAINPOOLP512R1_MULD_IS_BITS, ECFIT_BRAINPOOLP512R1_MULD_IS_DIGITS, ECFIT_BRAINPOOLP512R1_MULD_IS_BITS_SIGNED, ECFIT_BRAINPOOLP512R1_MULD_IS_STRAUSS, ECFIT_BRAINPOOLP512R1_MULD_IS_NAF"
#endif
#if (defined(ECFIT_BRAINPOOLP512R1_NONCE_IS_DETERMINISTIC) || \
    defined(ECFIT_BRAINPOOLP512R1_NONCE_IS_HEDGED)) && defined(ECFIT_SHA512_IS_NONE)
#error "ECFIT_BRAINPOOLP512R1_NONCE: deterministic and hedged need SHA512 own or small or roots or caller"
#endif
#endif

#if ECFIT_CURVE_X25519_ENABLED
#define ECFIT_CHECKED_CURVE X25519
#define ECFIT_CHECKED_NAME x25519
#include "ecfit_config_check/montgomery.h"
#if defined(ECFIT_COMB_FILE) && defined(__has_include) /* template.h */
#if (defined(ECFIT_X25519_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_ED25519_ENABLED) && \
    !__has_include(ECFIT_COMB_FILE(ed25519, ECFIT_X25519_COMB_TEETH, ECFIT_X25519_COMB_BLOCKS))
#error "ECFIT_X25519_COMB_TEETH: lib/src/curve/comb has no such table; `ecfit config --curve x25519 --set MULG=comb_edwards,COMB_TEETH=..,COMB_BLOCKS=.. -o DIR` writes DIR/curve: put it beside this header"
#endif
#endif
#endif

#if ECFIT_CURVE_X448_ENABLED
#define ECFIT_CHECKED_CURVE X448
#define ECFIT_CHECKED_NAME x448
#include "ecfit_config_check/montgomery.h"
#if defined(ECFIT_COMB_FILE) && defined(__has_include) /* template.h */
#if (defined(ECFIT_X448_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_ED448_ENABLED) && \
    !__has_include(ECFIT_COMB_FILE(ed448, ECFIT_X448_COMB_TEETH, ECFIT_X448_COMB_BLOCKS))
#error "ECFIT_X448_COMB_TEETH: lib/src/curve/comb has no such table; `ecfit config --curve x448 --set MULG=comb_edwards,COMB_TEETH=..,COMB_BLOCKS=.. -o DIR` writes DIR/curve: put it beside this header"
#endif
#endif
#endif

#if ECFIT_CURVE_ED25519_ENABLED
#define ECFIT_CHECKED_CURVE ED25519
#define ECFIT_CHECKED_NAME ed25519
#include "ecfit_config_check/edwards.h"
#if (defined(ECFIT_ED25519_SIGN_IS_EDDSA) || defined(ECFIT_ED25519_SIGN_IS_EDDSA_ALL) || \
    defined(ECFIT_ED25519_SIGN_IS_EDDSA_HEDGED) || defined(ECFIT_ED25519_SIGN_IS_EDDSA_PAIR)) && \
    defined(ECFIT_SHA512_IS_NONE)
#error "ECFIT_ED25519_SIGN: eddsa and eddsa_all and eddsa_hedged and eddsa_pair need SHA512 own or small or roots or caller"
#endif
#if (defined(ECFIT_ED25519_VERIFY_IS_EDDSA) || defined(ECFIT_ED25519_VERIFY_IS_EDDSA_ALL) || \
    defined(ECFIT_ED25519_VERIFY_IS_EDDSA_HARDENED)) && defined(ECFIT_SHA512_IS_NONE)
#error "ECFIT_ED25519_VERIFY: eddsa and eddsa_all and eddsa_hardened need SHA512 own or small or roots or caller"
#endif
#endif

#if ECFIT_CURVE_ED448_ENABLED
#define ECFIT_CHECKED_CURVE ED448
#define ECFIT_CHECKED_NAME ed448
#include "ecfit_config_check/edwards.h"
#if (defined(ECFIT_ED448_SIGN_IS_EDDSA) || defined(ECFIT_ED448_SIGN_IS_EDDSA_ALL) || \
    defined(ECFIT_ED448_SIGN_IS_EDDSA_HEDGED) || defined(ECFIT_ED448_SIGN_IS_EDDSA_PAIR)) && \
    defined(ECFIT_SHAKE256_IS_NONE)
#error "ECFIT_ED448_SIGN: eddsa and eddsa_all and eddsa_hedged and eddsa_pair need SHAKE256 own or caller"
#endif
#if (defined(ECFIT_ED448_VERIFY_IS_EDDSA) || defined(ECFIT_ED448_VERIFY_IS_EDDSA_ALL) || \
    defined(ECFIT_ED448_VERIFY_IS_EDDSA_HARDENED)) && defined(ECFIT_SHAKE256_IS_NONE)
#error "ECFIT_ED448_VERIFY: eddsa and eddsa_all and eddsa_hardened need SHAKE256 own or caller"
#endif
#endif

#endif
