/* AVRe+ executor, compiled once per variant (exec.h): what its operations (avr_exec.inc) are made
 * of. */
#include "avr.h"
#include "avr_taint.h"
#include "exec.h"

#define FLOW(name) FLOW_TAINT(name)
#define OP_LIST "avr.def"
#define OP_ROW avr_op_row
#define DECODE avr_decode
#define LOAD_FLAGS() uint32_t n = m->n, z = m->z, c = m->c, v = m->v, h = m->h, less = m->less
#define SAVE_FLAGS() \
    (m->n = n, m->z = z, m->c = c, m->v = v, m->h = h, m->less = less) /* as machine.h has them */
#define RELOAD_FLAGS() \
    (n = m->n, z = m->z, c = m->c, v = m->v, h = m->h, less = m->less) /* after a write of SREG */

/* Words of two registers, and their addresses in the data space. */
#define PAIR(low) (r[(low) + 1] << 8 | r[low])
#define SET_PAIR(low, value) \
    do { \
        const uint32_t pair_ = (value); \
        r[low] = pair_ & 0xFF; \
        r[(low) + 1] = pair_ >> 8 & 0xFF; \
    } while (0)
#define IN_DATA(address) (AVR_DATA | ((address)&0xFFFF))

/* --- data accesses ---------------------------------------------------------------------------- */

/* What the fast path does not serve: registers, I/O, other memory. False: a fault. */
static bool load_slowly(ecsim *m, uint32_t address, uint32_t *value)
{
    m->stall = 0;
    if (avr_get_io(m, address - AVR_DATA, value)) {
        return true;
    }
    const uint8_t *from = ecs_read_at(m, address, 1);
    if (from != NULL) {
        *value = *from;
    }
    return from != NULL;
}

static bool store_slowly(ecsim *m, uint32_t address, uint32_t value)
{
    if (avr_put_io(m, address - AVR_DATA, value)) {
        return true;
    }
    uint8_t *to = ecs_write_at(m, address, 1);
    if (to != NULL) {
        *to = (uint8_t)value;
    }
    return to != NULL;
}

#define LOAD_BYTE(address, result) \
    do { \
        const uint32_t address_ = (address), offset_ = address_ - m->hot_start; \
        hash = ecs_hash_step(hash, address_); \
        if (ECS_LIKELY(offset_ < m->load_limit[0])) { \
            (result) = m->hot_bytes[offset_]; \
            if (PROFILE) { \
                m->hot->loads++; \
            } \
        } else { \
            uint32_t value_; \
            DATA_NOW(); \
            SAVE_FLAGS(); \
            if (ECS_UNLIKELY(!load_slowly(m, address_, &value_))) { \
                goto fault; \
            } \
            (result) = value_; \
            if (FLASH) { \
                sum += m->stall; \
            } \
        } \
    } while (0)
#define STORE_BYTE(address, value) \
    do { \
        const uint32_t address_ = (address), offset_ = address_ - m->hot_start, value_ = (value); \
        hash = ecs_hash_step(hash, address_); \
        if (ECS_LIKELY(offset_ < m->store_limit[0])) { \
            m->hot_bytes[offset_] = (uint8_t)value_; \
            if (PROFILE) { \
                m->hot->stores++; \
            } \
        } else { \
            DATA_NOW(); \
            SAVE_FLAGS(); \
            if (ECS_UNLIKELY(!store_slowly(m, address_, value_))) { \
                goto fault; \
            } \
            RELOAD_FLAGS(); \
        } \
    } while (0)

/* --- the stack -------------------------------------------------------------------------------- */

/* The stack pointer is the address of the next byte that is free. */
static inline void move_sp(ecsim *m, uint32_t by)
{
    m->r[SP] = IN_DATA(m->r[SP] + by);
    if (m->r[SP] < m->stack_low) {
        m->stack_low = m->r[SP];
    }
}

/* A return address, as a number of words, highest byte at the lowest address. False: a fault; then
 * the stack pointer has not moved. */
static bool push_address(ecsim *m, uint32_t address)
{
    const uint32_t bytes = avr_has_wide_pc(m) ? 3 : 2;
    uint32_t word = address >> 1;
    for (uint32_t i = 0; i < bytes; i++, word >>= 8) {
        uint8_t *to = ecs_write_at(m, IN_DATA(m->r[SP] - i), 1);
        if (to == NULL) {
            return false;
        }
        *to = (uint8_t)word;
    }
    move_sp(m, -bytes);
    return true;
}

static bool pop_address(ecsim *m, uint32_t *address)
{
    const uint32_t bytes = avr_has_wide_pc(m) ? 3 : 2;
    uint32_t word = 0;
    for (uint32_t i = 1; i <= bytes; i++) {
        const uint8_t *from = ecs_read_at(m, IN_DATA(m->r[SP] + i), 1);
        if (from == NULL) {
            return false;
        }
        word = word << 8 | *from;
    }
    move_sp(m, bytes);
    *address = word << 1;
    return true;
}

/* An RCALL of the instruction behind it is how compilers make room on the stack: no call. */
#define CALL(to, halfwords) \
    do { \
        const uint32_t behind_ = PC() + 2 * (halfwords), to_ = (to); \
        if (PROFILE && to_ != behind_) { \
            ecs_profile_call(m, NOW(), to_, behind_); \
        } \
        hash = ecs_hash_step(hash, r[SP]); \
        if (ECS_UNLIKELY(!push_address(m, behind_))) { \
            goto fault; \
        } \
        JUMP(to_); \
    } while (0)
#define JUMP_BY_REGISTER(to) \
    do { \
        const uint32_t to_ = (to); \
        if (PROFILE) { \
            ecs_profile_jump(m, NOW(), to_); \
        } \
        JUMP(to_); \
    } while (0)
#define RETURN() \
    do { \
        uint32_t back_; \
        hash = ecs_hash_step(hash, r[SP]); \
        if (ECS_UNLIKELY(!pop_address(m, &back_))) { \
            goto fault; \
        } \
        JUMP_BY_REGISTER(back_); \
    } while (0)
#define GO_TO(to) \
    do { \
        if (PROFILE) { \
            ecs_profile_branch(m, NOW(), (to)); \
        } \
        JUMP(to); \
    } while (0)

/* --- arithmetic ------------------------------------------------------------------------------- */

/* Flags of a result of 8 bits; of a sum and a difference, which have a ninth. */
#define RESULT(value) (n = z = (value)&0xFF)
#define LOGIC(value) \
    do { \
        RESULT(value); \
        v = 0; \
        less = n; \
    } while (0)
#define ADDED(x, y, carry) \
    do { \
        const uint32_t x_ = (x), y_ = (y), sum_ = x_ + y_ + (carry); \
        RESULT(sum_); \
        c = sum_ >> 8; \
        h = x_ ^ y_ ^ sum_; \
        v = (x_ ^ sum_) & (y_ ^ sum_); \
        less = n ^ v; \
    } while (0)
/* Z of a difference with carry stays clear when it was: z collects what is not zero. */
#define SUBTRACTED(x, y, carry, before) \
    do { \
        const uint32_t x_ = (x), y_ = (y), difference_ = x_ - y_ - (carry), before_ = (before); \
        RESULT(difference_); \
        z |= before_; \
        c = difference_ >> 31; \
        h = x_ ^ y_ ^ difference_; \
        v = (x_ ^ y_) & (x_ ^ difference_); \
        less = n ^ v; \
    } while (0)
#define SHIFTED(from, value) \
    do { \
        const uint32_t from_ = (from); \
        RESULT(value); \
        c = from_ & 1; \
        v = n ^ c << 7; \
        less = n ^ v; \
    } while (0)
#define MULTIPLY(name, x, y, shift) \
    OPERATION(name, 1) \
    { \
        const uint32_t product = (uint32_t)((x) * (y)); \
        c = product >> 15 & 1; \
        z = product << (shift)&0xFFFF; \
        SET_PAIR(0, z); \
        NEXT(1); \
    }
#define SIGNED(x) ((int32_t)(int8_t)(x))
#define UNSIGNED_BYTE(x) ((int32_t)(x))

/* --- transfers of control --------------------------------------------------------------------- */

#define BRANCH_IF(name, condition) \
    OPERATION(name, 1) \
    { \
        if (condition) { \
            TAKEN(branch); \
            JUMP(e->imm); \
        } \
        NEXT(1); \
    }
#define SKIP_IF(condition, count) \
    do { \
        if (condition) { \
            const uint32_t words_ = (count); \
            sum += words_ * m->cost[ROW_skip_word].cycles; \
            if (PROFILE) { \
                m->row_count[ROW_skip_word] += words_; \
            } \
            hash = ecs_hash_transfer(hash, PC(), PC() + 2 + 2 * words_); \
            NEXT(1 + words_); \
        } \
        NEXT(1); \
    } while (0)

/* The number of a BREAK: that of the register which the instruction behind it moves into itself
 * (ecsim_run in ecsim.h). */
static uint32_t break_number(const ecs_region *region, uint32_t behind)
{
    const uint32_t w = region->size - behind >= 2
                           ? (uint32_t)(region->bytes[behind] | region->bytes[behind + 1] << 8)
                           : 0;
    const uint32_t d = w >> 4 & 31, s = (w >> 9 & 1) << 4 | (w & 15);
    return (w & 0xFC00) == 0x2C00 && d == s ? d : ECSIM_NO_NUMBER;
}

#include "avr_exec.inc"
