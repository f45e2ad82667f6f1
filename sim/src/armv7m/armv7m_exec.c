/* ARMv7-M executor, compiled once per variant (exec.h): what its operations (armv7m_exec.inc)
 * are made of. */
#include "armv7m.h"
#include "armv7m_taint.h"
#include "arm_exec.h"

/* An entry of ARMv7-M is an ecs_entry with other fields. */
#define ENTRY armv7m_entry
#define STEP_OF(e) ECS_STEP((e)->cycles)
#define ROW_OF(e) (armv7m_op_row[(e)->op == OP_conditional ? (e)->real : (e)->op])
#include "exec.h"

/* In an IT block, the written value also depends on the condition. */
#define FLOW(name) \
    do { \
        FLOW_TAINT(name); \
        if (TAINT && ECS_UNLIKELY(m->taint->under != 0)) { \
            armv7m_taint_under(m, e, OP_##name); \
        } \
    } while (0)
#define OP_LIST "armv7m.def"
#define OP_ROW armv7m_op_row
#define DECODE armv7m_decode

/* An operation of instructions of one size, or of both: entries then say their size.
   Behind BEGIN there is a second label, at which an instruction of an IT block enters once
   its condition has passed. */
#define NARROW(name) \
    op_##name : BEGIN(1); \
    body_##name : FLOW(name);
#define WIDE_ONLY(name) \
    op_##name : BEGIN(2); \
    body_##name : FLOW(name);
#define ANY_SIZE(name) \
    op_##name : BEGIN_ANY(); \
    body_##name : FLOW(name);
#define FETCH_ANY() \
    do { \
        if (FLASH) { \
            FETCH(e->size / (uint32_t)CODE_SCALE); \
        } \
    } while (0)
#define BEGIN_ANY() \
    do { \
        COUNT(); \
        FETCH_ANY(); \
    } while (0)
#define NEXT_ANY() \
    do { \
        e = (const armv7m_entry *)((const char *)e + e->size); \
        DISPATCH(); \
    } while (0)

/* Condition codes of Arm DDI 0403, table A7-1; the last pair is always. */
static inline bool passes(uint32_t condition, uint32_t n, uint32_t z, uint32_t c, uint32_t v)
{
    bool pass;
    switch (condition >> 1) {
    case 0: pass = z == 0; break;
    case 1: pass = c != 0; break;
    case 2: pass = (int32_t)n < 0; break;
    case 3: pass = (int32_t)v < 0; break;
    case 4: pass = c != 0 && z != 0; break;
    case 5: pass = (int32_t)(n ^ v) >= 0; break;
    case 6: pass = z != 0 && (int32_t)(n ^ v) >= 0; break;
    default: return true;
    }
    return pass != ((condition & 1) != 0);
}

/* A base register that is written back. */
static inline void set_base(ecsim *m, uint32_t index, uint32_t value)
{
    if (index == SP) {
        arm_set_sp(m, value);
    } else {
        m->r[index] = value;
    }
}

/* A7.4.2: Shift, with kind and amount as decoded. */
static inline uint32_t shifted(const armv7m_entry *e, uint32_t x, uint32_t carry)
{
    uint32_t by = e->k;
    switch (e->d) {
    case SHIFT_LSL: return x << by;
    case SHIFT_LSR: return by < 32 ? x >> by : 0;
    case SHIFT_ASR: return (uint32_t)((int32_t)x >> (by < 32 ? by : 31));
    case SHIFT_ROR: return x >> by | x << (32 - by);
    default: return carry << 31 | x >> 1;
    }
}

/* The last bit shifted out; the old carry when nothing is. */
static inline uint32_t shift_carry(const armv7m_entry *e, uint32_t x, uint32_t carry)
{
    uint32_t by = e->k;
    if (e->d == SHIFT_LSL) {
        return by == 0 ? carry : x >> (32 - by) & 1;
    }
    return x >> (by - 1) & 1;
}

/* Into n bits, signed or not; sets Q. */
static inline uint32_t saturated(ecsim *m, int64_t x, int64_t least, int64_t most)
{
    int64_t result = x < least ? least : x > most ? most : x;
    m->q |= result != x;
    return (uint32_t)result;
}

static inline uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F) | (x & 0x0F0F0F0F) << 4;
    return __builtin_bswap32(x);
}

static inline uint32_t signed_half(uint32_t x)
{
    return (uint32_t)(int16_t)x;
}

static inline uint32_t rotated(uint32_t x, uint32_t by)
{
    return x >> (by & 31) | x << (-by & 31);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The parts in which an unaligned access goes to memory (Arm DDI 0439D, 3.3.2):
   a halfword as two bytes, a word as two halfwords or as byte, halfword, byte.
   Each further one is charged with the row `unaligned`. */
static uint32_t part_size(uint32_t address, uint32_t left)
{
    return (address & 1) != 0 || left == 1 ? 1 : left == 4 && (address & 2) == 0 ? 4 : 2;
}

static bool is_allowed(ecsim *m, uint32_t address, uint32_t size, ecsim_fault kind)
{
    if (address % size != 0 && m->strict_alignment) {
        m->fault = kind;
        m->fault_address = address;
        return false;
    }
    return true;
}

/* See LOAD_ANY and STORE_ANY. */
static bool load_slowly(ecsim *m, const ENTRY *e, uint32_t address, uint32_t size, uint32_t *value)
{
    (void)e;
    uint32_t stall = 0, done = 0;
    *value = 0;
    if (!is_allowed(m, address, size, ECSIM_READ_UNALIGNED)) {
        return false;
    }
    while (done < size) {
        uint32_t part = part_size(address + done, size - done);
        const uint8_t *from = ecs_read_at(m, address + done, part);
        if (from == NULL) {
            return false;
        }
        memcpy((uint8_t *)value + done, from, part);
        stall += m->stall + (done != 0 ? m->cost[ROW_unaligned].cycles : 0);
        done += part;
    }
    m->stall = stall;
    return true;
}

static bool store_slowly(ecsim *m, const ENTRY *e, uint32_t address, uint32_t size, uint32_t value)
{
    (void)e;
    uint32_t stall = 0, done = 0;
    if (!is_allowed(m, address, size, ECSIM_WRITE_UNALIGNED)) {
        return false;
    }
    while (done < size) {
        uint32_t part = part_size(address + done, size - done);
        uint8_t *to = ecs_write_at(m, address + done, part);
        if (to == NULL) {
            return false;
        }
        memcpy(to, (const uint8_t *)&value + done, part);
        stall += done != 0 ? m->cost[ROW_unaligned].cycles : 0;
        done += part;
    }
    m->stall = stall;
    return true;
}

/* `count` consecutive words, aligned, into or from an array; false is a fault, with nothing changed
 * by a load. */
static inline bool load_words(ecsim *m, uint32_t address, uint32_t *to, uint32_t count)
{
    uint32_t offset = address - m->hot_start, stall = 0;
    m->stall = 0;
    if (ECS_LIKELY(address % 4 == 0 && offset + (uint64_t)4 * count <= m->load_limit[0])) {
        memcpy(to, m->hot_bytes + offset, 4 * (size_t)count);
        m->hot->loads += count;
        return true;
    }
    uint32_t word[32];
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *from = ecs_read_at(m, address + 4 * i, 4);
        if (from == NULL) {
            return false;
        }
        memcpy(&word[i], from, 4);
        stall += m->stall;
    }
    memcpy(to, word, 4 * (size_t)count);
    m->stall = stall;
    return true;
}

static inline bool store_words(ecsim *m, uint32_t address, const uint32_t *from, uint32_t count)
{
    uint32_t offset = address - m->hot_start;
    if (ECS_LIKELY(address % 4 == 0 && offset + (uint64_t)4 * count <= m->store_limit[0])) {
        memcpy(m->hot_bytes + offset, from, 4 * (size_t)count);
        m->hot->stores += count;
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *to = ecs_write_at(m, address + 4 * i, 4);
        if (to == NULL) {
            return false;
        }
        memcpy(to, &from[i], 4);
    }
    return true;
}

#define LOAD_WORDS(address, to, count) \
    do { \
        const uint32_t base_ = (address); \
        hash = ecs_hash_step(hash, base_); \
        DATA_NOW(); \
        if (ECS_UNLIKELY(!load_words(m, base_, (to), (count)))) { \
            goto fault; \
        } \
        sum += m->stall; \
    } while (0)
#define STORE_WORDS(address, from, count) \
    do { \
        const uint32_t base_ = (address); \
        hash = ecs_hash_step(hash, base_); \
        DATA_NOW(); \
        if (ECS_UNLIKELY(!store_words(m, base_, (from), (count)))) { \
            goto fault; \
        } \
    } while (0)

/* --- transfers of control --------------------------------------------------------------------- */

/* To a target that the decoder did not know; row: the stage that does (armv7m_cost.c). */
#define JUMP_TO(row) \
    do { \
        if (PROFILE) { \
            ecs_profile_jump(m, NOW(), target); \
        } \
        if ((target & 2) != 0) { \
            sum += armv7m_odd_target(m, target, (row)); \
        } \
        JUMP(target); \
    } while (0)
#define REGISTER_STAGE(index) ((index) == LR ? ROW_refill_decode : ROW_refill_execute)

/* --- special registers: Arm DDI 0403, B5.2.2 and B5.2.3 --------------------------------------- */

enum { BASEPRI = 17, BASEPRI_MAX = 18, FAULTMASK = 19, MASK_GE = 1, MASK_NZCVQ = 2 };

static uint32_t special_read(const ecsim *m, uint32_t sysm)
{
    switch (sysm) {
    case BASEPRI:
    case BASEPRI_MAX: return m->unprivileged ? 0 : m->basepri;
    case FAULTMASK: return m->unprivileged ? 0 : m->faultmask;
    default: return arm_special_read(m, sysm);
    }
}

static void write_flags(ecsim *m, uint32_t mask, uint32_t value)
{
    const uint32_t nzcvq = 0xF8000000, ge = 0x000F0000;
    uint32_t keep = ((mask & MASK_NZCVQ) != 0 ? 0 : nzcvq) | ((mask & MASK_GE) != 0 ? 0 : ge);
    m->isa->set_register(m, 16, (m->isa->get_register(m, 16) & keep) | (value & ~keep));
}

static void special_write(ecsim *m, uint32_t sysm, uint32_t mask, uint32_t value)
{
    if (m->unprivileged && sysm > PSR_LAST) {
        return;
    }
    switch (sysm) {
    case BASEPRI: m->basepri = value & 0xFF; break;
    case BASEPRI_MAX:
        if ((value & 0xFF) != 0 && ((value & 0xFF) < m->basepri || m->basepri == 0)) {
            m->basepri = value & 0xFF;
        }
        break;
    case FAULTMASK: m->faultmask = value & 1; break;
    default:
        if (sysm <= PSR_LAST) {
            write_flags(m, mask, value);
        } else {
            arm_special_write(m, sysm, value);
        }
    }
}

static const char *const missing_names[EXTENSION_COUNT] = {
#define WITHOUT_ARMV7M_DSP "no DSP extension"
#define WITHOUT_ARMV7M_FP "no floating-point extension"
#define EXTENSION(name, text, feature) text ": " WITHOUT_##feature,
#include "armv7m_extensions.def"
};

static const char *const not_modelled_names[EXTENSION_COUNT] = {
#define EXTENSION(name, text, feature) text ": arithmetic is not modelled",
#include "armv7m_extensions.def"
};

#include "armv7m_exec.inc"
