/* ct.h - constant-time building blocks, and the few things that depend on the compiler
 *
 * A mask is a word of all zeros or all ones. The library selects with masks and never
 * with branches where a secret decides; ECFIT_HIDE() keeps a compiler from seeing through a mask
 * and turning the selection back into a branch.
 */
#ifndef ECFIT_CT_H
#define ECFIT_CT_H

#include "ecfit.h"

/* ECFIT_CONST: a table that some configurations do not use.
 * ECFIT_VARIABLE: a variable in RAM, only for a slot that asks for one.
 * ECFIT_NOINLINE: one copy, where inlining would spend flash.
 * ECFIT_INLINE: small and hot, or folded by constants.
 * ECFIT_LATE: the compiler computes the value after the volatile accesses that come before it. */
#if defined(__GNUC__)
#define ECFIT_CONST static const __attribute__((unused))
#define ECFIT_STATIC static __attribute__((unused))
#define ECFIT_VARIABLE static __attribute__((unused))
#define ECFIT_NOINLINE static __attribute__((noinline, unused))
#define ECFIT_INLINE static inline __attribute__((always_inline, unused))
#define ECFIT_UNUSED __attribute__((unused))
#define ECFIT_FENCE() __asm__ volatile("" : : : "memory")
#define ECFIT_HIDE(x) __asm__("" : "+r"(x))
#define ECFIT_LATE(x) __asm__ volatile("" : "+r"(x))
/* Words in structures that are packed would lie where many cores cannot load them. */
#if !defined(__AVR__)
struct ct_word_behind_a_byte {
    uint8_t byte;
    uint32_t word;
};
typedef char ecfit_has_to_be_compiled_without_fpack_struct
    [sizeof(struct ct_word_behind_a_byte) > 1 + sizeof(uint32_t) ? 1 : -1];
#endif
#else
#if !defined(ECFIT_ALLOW_VISIBLE_MASKS)
/* clang-format off */
#error "ct.h: without GNU inline assembly, nothing keeps this compiler from branching on masks"
#error "Whoever has looked at what it makes may define ECFIT_ALLOW_VISIBLE_MASKS"
/* clang-format on */
#endif
#define ECFIT_CONST static const
#define ECFIT_STATIC static
#define ECFIT_VARIABLE static
#define ECFIT_NOINLINE static
#define ECFIT_INLINE static inline
#define ECFIT_UNUSED
#define ECFIT_FENCE() ((void)0)
#define ECFIT_HIDE(x) ((void)(*(volatile unsigned char *)&(x)))
#define ECFIT_LATE(x) ((void)0)
#endif

/* ECFIT_ADD64: r = a + b + carry; ECFIT_SUB64: r = a - b - carry; carry, 0 or 1, in and out.
 * Words of 64 bits: r unsigned long long, carry unsigned char. Compilers hardly make chains of
 * additions with carry of plain C, so those that can be told are told.
 * No comparison that a compiler could turn into a branch.   CT: all */
#if defined(__x86_64__) && defined(__GNUC__)
#define ECFIT_ADD64(r, a, b, carry) ((carry) = __builtin_ia32_addcarryx_u64(carry, a, b, &(r)))
#if defined(__clang__)
#define ECFIT_SUB64(r, a, b, carry) ((carry) = __builtin_ia32_subborrow_u64(carry, a, b, &(r)))
#else
#define ECFIT_SUB64(r, a, b, carry) ((carry) = __builtin_ia32_sbb_u64(carry, a, b, &(r)))
#endif
#else
/* clang-format off */
#define ECFIT_SUM64(r, sum, carry)                          \
    do {                                                    \
        __extension__ unsigned __int128 sum_ = (sum);       \
        (r) = (unsigned long long)sum_;                     \
        (carry) = (unsigned char)((unsigned)(sum_ >> 64) & 1); \
    } while (0)
#define ECFIT_ADD64(r, a, b, carry) \
    ECFIT_SUM64(r, (__extension__(unsigned __int128)(a)) + (b) + (carry), carry)
#define ECFIT_SUB64(r, a, b, carry) \
    ECFIT_SUM64(r, (__extension__(unsigned __int128)(a)) - (b) - (carry), carry)
/* clang-format on */
#endif

/* ECFIT_ADX: whether there are MULX, ADCX and ADOX. For tests: 0 asks the processor, 1 and 2 answer
 * no and yes in its place. */
#if !defined(ECFIT_ADX)
#define ECFIT_ADX 0
#endif

/* ECFIT_NO_MULTIPLIER: the core has no multiplier, so that a product in C is a call of the
 * compiler's library, which branches on its operands. Tests define it for other cores.
 * ECFIT_LOW_WORD(a, b): a b in the low word, or more.   CT: all */
#if defined(__riscv) && !defined(__riscv_mul) && !defined(__riscv_zmmul) && \
    !defined(ECFIT_NO_MULTIPLIER)
#define ECFIT_NO_MULTIPLIER
#endif
#if defined(ECFIT_NO_MULTIPLIER)
#define ECFIT_LOW_WORD(a, b) ct_product(a, b)
/* The low 32 bits of a b.   CT: all   Cost: 32 additions */
ECFIT_NOINLINE uint32_t ct_product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < 32; i++) {
        uint32_t all = (uint32_t)0 - (a >> 31);
        ECFIT_HIDE(all);
        sum = 2 * sum + (all & b);
        a <<= 1;
    }
    return sum;
}
#else
#define ECFIT_LOW_WORD(a, b) (1u * (a) * (b))
#endif

/* ECFIT_TIMES: a b in a signed type, of two of half its size.   CT: all
 * Of 16 bits it is a call of avr-gcc's library, which branches on the signs. That of the unsigned
 * product does not. */
#if defined(__AVR__)
ECFIT_NOINLINE int32_t ct_times(int16_t a, int16_t b)
{
    uint16_t left = (uint16_t)(a >> 15), right = (uint16_t)(b >> 15);
    ECFIT_HIDE(left);
    ECFIT_HIDE(right);
    left = (uint16_t)((left & (uint16_t)b) + (right & (uint16_t)a));
    return (int32_t)((uint32_t)(uint16_t)a * (uint16_t)b - ((uint32_t)left << 16));
}
#define ECFIT_TIMES(type, a, b) \
    (sizeof(type) == 4 && sizeof(a) == 2 && sizeof(b) == 2 \
         ? (type)ct_times((int16_t)(a), (int16_t)(b)) \
         : (type)(a) * (b))
/* ECFIT_TOP_BIT: x = its highest bit, of 32. A shift by 31 is an instruction that skips there. */
#define ECFIT_TOP_BIT(x) \
    do { \
        uint8_t top_ = (uint8_t)((x) >> 24); \
        ECFIT_HIDE(top_); \
        (x) = top_ >> 7; \
    } while (0)
#elif defined(ECFIT_NO_MULTIPLIER)
/* clang-format off */
#define ECFIT_TIMES(type, a, b) ((type)ct_product((uint32_t)(a), (uint32_t)(b)))
#define ECFIT_TOP_BIT(x) x >>= 31
/* clang-format on */
#else
/* clang-format off */
#define ECFIT_TIMES(type, a, b) (type)a * b
#define ECFIT_TOP_BIT(x) x >>= 31
/* clang-format on */
#endif

/* ECFIT_FLASH: a constant that what follows reads, and nothing else. AVR loads constants from
 * RAM, unless they are marked and LPM reads them, in the first 64 KiB of flash.
 * ECFIT_READ(at): the element there, of 16, 32 or 64 bits.
 * ECFIT_EACH(c, code): loops over the codes of a formula; ECFIT_CODE(c, code) is the one.
 * ECFIT_IF_FLASH: a condition asks for flash, if that is another memory, what is done, and else.
 * ECFIT_FROM_FLASH(room, at, count): where `count` elements are: there, or copied into the room. */
#if defined(__AVR__) && !defined(__clang__)
#define ECFIT_FLASH static const __attribute__((unused, progmem))
#define ECFIT_READ(at) \
    ((__typeof__(*(at)))(sizeof *(at) == 2   ? bytes_flash_16(at) \
                         : sizeof *(at) == 4 ? bytes_flash_32(at) \
                                             : bytes_flash_64(at)))
#define ECFIT_EACH(c, code) for (uint16_t c; (c = ECFIT_READ(code)) != OP_END; (code)++)
#define ECFIT_CODE(c, code) (c)
#define ECFIT_IF_FLASH(condition, there, elsewhere) \
    do { \
        if (condition) { \
            there; \
        } else { \
            elsewhere; \
        } \
    } while (0)
#define ECFIT_FROM_FLASH(room, at, count) \
    (bytes_flash_copy(room, at, (count) * sizeof *(at)), (room))

ECFIT_INLINE uint16_t bytes_flash_16(const void *at)
{
    uint16_t x;
    __asm__("lpm %A0, Z+\n\tlpm %B0, Z" : "=r"(x), "+z"(at));
    return x;
}

ECFIT_INLINE uint32_t bytes_flash_32(const void *at)
{
    uint32_t x;
    __asm__("lpm %A0, Z+\n\tlpm %B0, Z+\n\tlpm %C0, Z+\n\tlpm %D0, Z" : "=r"(x), "+z"(at));
    return x;
}

ECFIT_INLINE uint64_t bytes_flash_64(const void *at)
{
    const uint32_t *halves = (const uint32_t *)at;
    return (uint64_t)bytes_flash_32(halves + 1) << 32 | bytes_flash_32(halves);
}

/* out = bytes of flash, 1 or more. */
ECFIT_NOINLINE void bytes_flash_copy(void *out, const void *at, size_t size)
{
    uint8_t *to = (uint8_t *)out;
    do {
        uint8_t byte;
        __asm__("lpm %0, Z+" : "=r"(byte), "+z"(at));
        *to++ = byte;
    } while (--size > 0);
}

/* A byte of flash, masked, into one of memory. */
#define FLASH_OR \
    "lpm __tmp_reg__, Z+\n\tand __tmp_reg__, %[mask]\n\t" \
    "ld %[byte], X\n\tor %[byte], __tmp_reg__\n\tst X+, %[byte]\n\t"

/* out = an entry of a table in flash, all of whose entries are read.
 * in: size of an entry, even, below 512; count below 256   CT: index */
ECFIT_NOINLINE void bytes_flash_look_up(void *out, const void *table, uint8_t index, uint8_t count,
                                        size_t size)
{
    uint8_t *to = (uint8_t *)out;
    for (size_t left = size; left > 0; left--) {
        *to++ = 0;
        ECFIT_HIDE(to);
    }
    do {
        uint8_t mask = (uint8_t) ~((uint16_t)(0 - (uint16_t)index) >> 8), pairs = size / 2, byte;
        ECFIT_HIDE(mask); /* all ones if it is this entry */
        to = (uint8_t *)out;
        __asm__ volatile("0:\n\t" FLASH_OR FLASH_OR "dec %[pairs]\n\tbrne 0b"
                         : "+z"(table), "+x"(to), [pairs] "+r"(pairs), [byte] "=&r"(byte)
                         : [mask] "r"(mask)
                         : "memory");
        index--;
        ECFIT_HIDE(index); /* the loop goes by count */
    } while (--count > 0);
}
#else
#define ECFIT_FLASH ECFIT_CONST
#define ECFIT_READ(at) (*(at))
#define ECFIT_EACH(c, code) for (; *(code) != OP_END; (code)++)
#define ECFIT_CODE(c, code) (*(code))
#define ECFIT_IF_FLASH(condition, there, elsewhere) elsewhere
#define ECFIT_FROM_FLASH(room, at, count) ((void)(room), (at))
#endif

/* ECFIT_PLUS64: a + b of 64 bits. ECFIT_INTO64: adds x to r. ECFIT_SUM: adds x to a sum of 64 bits,
 * acc; ECFIT_AND and ECFIT_LESS may follow it, and add and subtract more; ECFIT_TAKE subtracts.
 * CT: all
 * Xtensa has no carry, so its compiler compares and branches, unless it is told the carry as in
 * mp_add. */
#if defined(__XTENSA__)
ECFIT_INLINE uint64_t ct_plus(uint64_t a, uint64_t b)
{
    const uint32_t x = (uint32_t)a;
    const uint32_t y = (uint32_t)b;
    const uint32_t low = x + y;
    const uint32_t carry = (y ^ ((x ^ y) & ~(y ^ low))) >> 31;
    return (uint64_t)((uint32_t)(a >> 32) + (uint32_t)(b >> 32) + carry) << 32 | low;
}
#define ECFIT_PLUS64(a, b) ct_plus(a, b)
#define ECFIT_INTO64(r, x) (r) = ct_plus(r, x)
#define ECFIT_SUM(x) acc = (int64_t)ct_plus((uint64_t)acc, (uint64_t)(int64_t)(x))
#define ECFIT_TAKE(x) acc = (int64_t)~ct_plus(~(uint64_t)acc, (uint64_t)(int64_t)(x))
/* clang-format off */
#define ECFIT_AND(x) ; ECFIT_SUM(x)
#define ECFIT_LESS(x) ; ECFIT_TAKE(x)
#else
#define ECFIT_PLUS64(a, b) ((a) + (b))
#define ECFIT_INTO64(r, x) (r) += (x)
#define ECFIT_SUM(x) acc += (int64_t)(x)
#define ECFIT_TAKE(x) acc -= (x)
#define ECFIT_AND(x) + (x)
#define ECFIT_LESS(x) - (x)
/* clang-format on */
#endif

/* A condition that must hold, or the compilation fails. C99 has no static assertion. */
#define ECFIT_ASSERT(name, truth) typedef char name[(truth) ? 1 : -1]

/* What may be known of a secret is declared where it becomes known, for the constant-time tests.
 * That is no instruction but a label, ecfit_public.NUMBER.REGISTER.SIZE, in every build:
 * `ecfit ct` finds it in the symbol table, so it follows the code that is delivered.
 * A compiler guesses the length of this line, and places constants and branches by the guess.
 * So there must be no second build in which the line is another. */
#if !defined(ECFIT_DECLASSIFY) && defined(__GNUC__) && defined(__ELF__) && \
    (defined(__arm__) || defined(__riscv) || defined(__AVR__))
#define ECFIT_DECLASSIFY(x) __asm__ volatile("ecfit_public.%=.%0.%c1:" : "+r"(x) : "i"(sizeof(x)))
#elif !defined(ECFIT_DECLASSIFY) && defined(__GNUC__)
#define ECFIT_DECLASSIFY(x) __asm__ volatile(" " : "+r"(x))
#elif !defined(ECFIT_DECLASSIFY)
#define ECFIT_DECLASSIFY(x) ((void)0)
#endif

/* Copies and clears bytes. Not memcpy and memset: newlib's for the smallest cores spend 300 bytes
 * of flash, and a compiler that sees through these loops would call them. What is cleared is
 * volatile: else nobody would read it again, and the stores would go. */
ECFIT_STATIC void bytes_copy(uint8_t *out, const uint8_t *in, size_t size)
{
    while (size-- > 0) {
        out[size] = in[size];
        ECFIT_HIDE(size);
    }
}

/* out = the bytes of in, last one first; not in place. On cores whose words are little-endian, this
 * is from integers to big-endian strings and back.   CT: the bytes */
ECFIT_NOINLINE void bytes_turn(uint8_t *out, const uint8_t *in, size_t size)
{
    while (size-- > 0) {
        *out++ = in[size];
        ECFIT_HIDE(size);
    }
}

ECFIT_STATIC void bytes_zero(uint8_t *out, size_t size)
{
    volatile uint8_t *bytes = out;
    while (size-- > 0) {
        bytes[size] = 0;
        ECFIT_HIDE(size);
    }
}

/* Bytes that were computed from secrets are known from here on: of an output, or on its way there.
 * CT: no, from here on */
ECFIT_STATIC void bytes_known(uint8_t *bytes, size_t size)
{
    while (size-- > 0) {
        uint8_t byte = bytes[size];
        ECFIT_DECLASSIFY(byte);
        bytes[size] = byte;
    }
}

/* out = random bytes, 1 to 2^23; returns 0 when there is no generator, it fails, or it is stuck:
 * gives the same byte again and again (of one byte nobody can say).
 * CT: the bytes, not the answer */
ECFIT_STATIC int bytes_draw(uint8_t *out, size_t size, const ecfit_rng *rng)
{
    uint32_t differ = size > 1 ? 0 : (uint32_t)1 << 31;
    if (rng == NULL || rng->fill == NULL || rng->fill(rng->context, out, size) != 0) {
        return 0;
    }
    while (--size > 0) {
        differ -= (uint32_t)(out[size] ^ out[0]);
        ECFIT_HIDE(size);
    }
    ECFIT_TOP_BIT(differ); /* the sign is all that becomes known of the sum */
    ECFIT_DECLASSIFY(differ);
    return (int)differ;
}

/* ECFIT_CLEAR_REGISTERS: of the registers that a call may change, all but those of its result are 0
 * then, and so are the flags that no comparison sets: GE, where assembly uses them, and T of AVR.
 * zero, none: 0, of type size_t. One copy, where that takes a dozen instructions. Nothing
 * elsewhere, as on a host. */
#if defined(ECFIT_BACKEND_IS_ARMV7EM)
#define CT_CLEAR_R12 "uadd8 r12, %0, %0" /* and GE */
#else
#define CT_CLEAR_R12 "mov r12, %0"
#endif
#if defined(__GNUC__) && defined(__arm__)
ECFIT_INLINE void ct_clear_registers(size_t zero, size_t none)
{
    register size_t third __asm__("r3") = zero, second __asm__("r2") = none;
    __asm__ volatile("mov r1, %0\n\t" CT_CLEAR_R12
                     : "+r"(third), "+r"(second)
                     :
                     : "r1", "r12", "cc");
}
#define ECFIT_CLEAR_REGISTERS(zero, none) ct_clear_registers(zero, none)
#elif defined(__GNUC__) && defined(__riscv)
ECFIT_NOINLINE void ct_clear_registers(void)
{
    __asm__ volatile("li t0, 0\n\tli t1, 0\n\tli t2, 0\n\tli a1, 0\n\t"
                     "li a2, 0\n\tli a3, 0\n\tli a4, 0\n\tli a5, 0"
                     :
                     :
                     : "t0", "t1", "t2", "a1", "a2", "a3", "a4", "a5");
#if !defined(__riscv_e) && !defined(__riscv_32e)
    __asm__ volatile("li t3, 0\n\tli t4, 0\n\tli t5, 0\n\tli t6, 0\n\tli a6, 0\n\tli a7, 0"
                     :
                     :
                     : "t3", "t4", "t5", "t6", "a6", "a7");
#endif
}
#define ECFIT_CLEAR_REGISTERS(zero, none) ct_clear_registers()
#elif defined(__GNUC__) && defined(__AVR__)
ECFIT_NOINLINE void ct_clear_registers(void)
{
    __asm__ volatile("clr r0\n\tclr r18\n\tclr r19\n\tclr r20\n\tclr r21\n\tclr r22\n\tclr r23\n\t"
                     "clr r26\n\tclr r27\n\tclr r30\n\tclr r31\n\tclt"
                     :
                     :
                     : "r18", "r19", "r20", "r21", "r22", "r23", "r26", "r27", "r30", "r31");
}
#define ECFIT_CLEAR_REGISTERS(zero, none) ct_clear_registers()
#else
#define ECFIT_CLEAR_REGISTERS(zero, none) ((void)(zero), (void)(none))
#endif

/* Whether two arrays differ.   CT: the bytes, not the answer */
ECFIT_STATIC int bytes_differ(const uint8_t *a, const uint8_t *b, size_t size)
{
    unsigned differ = 0;
    while (size-- > 0) {
        differ |= (unsigned)(a[size] ^ b[size]);
        ECFIT_HIDE(size);
    }
    differ = (differ + 0xff) >> 8; /* 1 where any bit differs: no more becomes known */
    ECFIT_DECLASSIFY(differ);
    return (int)differ;
}

/* The big-endian integer halved. */
ECFIT_STATIC void bytes_half(uint8_t *a, size_t size)
{
    unsigned carry = 0;
    for (size_t i = 0; i < size; i++) {
        carry = carry << 8 | a[i];
        a[i] = (uint8_t)(carry >> 1);
        carry &= 1;
    }
}

#endif
