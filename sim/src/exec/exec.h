/*
 * What all executors are made of. <isa>_exec.c is compiled once per variant,
 * for which the Makefile defines
 *
 *     RUN        its name, such as armv6m_run_flash (ECS_EXECUTORS in machine.h)
 *     FLASH      0: no access of flash costs anything
 *     PROFILE    1: rows, accesses by region and the call tree are counted
 *     TAINT      1: secrets are followed (taint.h)
 *
 * and ends with its function: exec_head.inc, one labelled block per operation, exec_tail.inc.
 *
 * What a variant does not observe is gone at compile time. The includer defines OP_ROW (table
 * from operation to cost row), OP_LIST (the file that lists the operations), DECODE (its decoder),
 * and SAVE_FLAGS and LOAD_FLAGS (which declares them). An instruction set that has its own layout
 * of an entry also defines ENTRY, STEP_OF and ROW_OF.
 *
 * The loop is threaded: each operation ends in a jump through the label of the next. The locals:
 *     e       entry of the current instruction; its address is computed from e when needed
 *     code, code_start, code_size, region    the region that e lies in
 *     sum     instructions (upper half, counting up to an overflow that ends the slice)
 *             and cycles (lower half)
 *     hash    trace hash
 *     stay    entry where the code begins that costs no fetch now (flash.h), which has `span` bytes
 *     of entries: all where code is not in flash
 *     r       registers
 */
#ifndef ECSIM_EXEC_H
#define ECSIM_EXEC_H

#include <string.h>

#include "machine.h"
#include "observe.h"

/* The type of an entry, which begins with `step` and has `op`; what the instruction added
 * to the sum, and its row. */
#ifndef ENTRY
#define ENTRY ecs_entry
#define STEP_OF(e) ((e)->step)
#define ROW_OF(e) (OP_ROW[(e)->op])
#endif

/* Labels as values and computed goto are extensions that gcc and clang share;
   a table of functions would cost half the speed. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* The table of decoded code has this many bytes per byte of target code. */
#define CODE_SCALE (sizeof(ecs_entry) / 2)

#define PC() (code_start + (uint32_t)((size_t)((const char *)e - (const char *)code) / CODE_SCALE))
#define ENTRY_AT(address) \
    ((const ENTRY *)((const char *)code + (size_t)((address)-code_start) * CODE_SCALE))
#define NOW() (m->cycles + (uint32_t)sum)
#define DISPATCH() goto *labels[e->op]
#define NEXT(halfwords) \
    do { \
        e += (halfwords); \
        DISPATCH(); \
    } while (0)

/* Every instruction that executes begins with BEGIN: its count, the end of the slice, its fetch.
   Flash sees the fetch at the instruction's first clock, a data read at its last. `size`: bytes. */
#define NOT_STAYING SIZE_MAX
#define FETCH(size) \
    do { \
        if ((size_t)e + ((size)-2) * CODE_SCALE - stay >= span) { \
            const uint32_t cycles_ = (uint32_t)STEP_OF(e); \
            sum += ecs_flash_fetch(&m->flash, PC(), (size), NOW() - cycles_, cycles_); \
            stay = (size_t)code + (size_t)(int32_t)(m->flash.stay - code_start) * CODE_SCALE; \
        } \
    } while (0)
/* A transfer: no word is held. */
#define REFETCH(next) \
    do { \
        if (FLASH && (!m->flash.by_line || (size_t)(next)-stay >= span)) { \
            stay = NOT_STAYING; \
            m->flash.before = ECS_BRANCHED; \
        } \
    } while (0)
/* Code in RAM may be secret itself (taint.h). */
#define WATCH() \
    do { \
        if (TAINT && ECS_UNLIKELY(region->shadow != NULL)) { \
            ecs_taint_execute(m, region, PC()); \
        } \
    } while (0)
#define COUNT() \
    do { \
        if (ECS_UNLIKELY(__builtin_add_overflow(sum, e->step, &sum))) { \
            goto slice_end; \
        } \
        WATCH(); \
        if (PROFILE) { \
            m->row_count[OP_ROW[e->op]]++; \
        } \
    } while (0)
#define BEGIN(halfwords) \
    do { \
        COUNT(); \
        if (FLASH) { \
            FETCH(2 * (halfwords)); \
        } \
    } while (0)

/* To stand before a data access that the fast path does not serve. */
#define DATA_NOW() \
    do { \
        if (FLASH) { \
            stay = NOT_STAYING; /* a read may take the place of the line */ \
            m->flash.now = NOW() - 1; \
            m->ends = NOW(); \
            m->begun = m->ends - (uint32_t)STEP_OF(e); \
        } \
    } while (0)
/* A data read from flash whose value is known. */
#define READ_FLASH(address) \
    do { \
        if (FLASH) { \
            DATA_NOW(); \
            sum += ecs_flash_read(&m->flash, (address)); \
        } \
    } while (0)

/* Label and beginning of an operation of that many halfwords; a block follows, which ends in NEXT,
 * JUMP or FAULT. */
#define OPERATION(name, halfwords) \
    op_##name : BEGIN(halfwords); \
    FLOW(name);

/* What the operation at e is about to do to taint: an executor that has a TAINT variant defines
 * FLOW as this (taint.h). */
#define FLOW_TAINT(name) \
    do { \
        if (TAINT) { \
            if (region->points != NULL && region->points[e - code] != 0) { \
                ecs_taint_point(m, PC()); \
            } \
            flow_##name(m, e, PC()); \
        } \
    } while (0)

/* A taken transfer to an even address. */
#define JUMP(to) \
    do { \
        target = (to); \
        hash = ecs_hash_transfer(hash, PC(), target); \
        if (ECS_UNLIKELY(target - code_start >= code_size)) { \
            m->flash.before = ECS_BRANCHED; \
            goto other_region; \
        } \
        e = ENTRY_AT(target); \
        REFETCH(e); \
        DISPATCH(); \
    } while (0)

/* A branch that is taken: what it costs more, and its row: rows <row>_taken and <row>_not_taken. */
#define TAKEN(row) \
    do { \
        sum += e->a; \
        if (PROFILE) { \
            m->row_count[ROW_##row##_not_taken]--; \
            m->row_count[ROW_##row##_taken]++; \
            ecs_profile_branch(m, NOW(), e->imm); \
        } \
    } while (0)

/* An operation whose time depends on its operands came with its longest;
 * `cycles` less is its shortest. */
#define SLACK(cycles) (m->slack += (cycles))

/* An executor whose handlers end by a branch to where no memory is has its own (arm_exec.h). */
#ifndef LEAVE_HANDLER
#define LEAVE_HANDLER() (void)0
#endif

#define FAULT(kind, address) \
    do { \
        m->fault = (kind); \
        m->fault_address = (address); \
        goto fault; \
    } while (0)

/* Data accesses of aligned cores. See hot_start in machine.h for the fast path. */
#define ROTATED(x, k) ((k) == 0 ? (x) : (x) >> (k) | (x) << (32 - (k)))
#define LOAD(type, log2size, address, result) \
    do { \
        const uint32_t address_ = (address), offset_ = address_ - m->hot_start; \
        const uint8_t *from_; \
        type value_; \
        hash = ecs_hash_step(hash, address_); \
        if (ECS_LIKELY(ROTATED(offset_, log2size) < m->load_limit[log2size])) { \
            from_ = m->hot_bytes + offset_; \
            if (PROFILE) { \
                m->hot->loads++; \
            } \
        } else { \
            DATA_NOW(); \
            from_ = ecs_read_at(m, address_, 1u << (log2size)); \
            if (ECS_UNLIKELY(from_ == NULL)) { \
                goto fault; \
            } \
            if (FLASH) { \
                sum += m->stall; \
            } \
        } \
        memcpy(&value_, from_, sizeof value_); \
        (result) = (uint32_t)value_; \
    } while (0)
#define STORE(type, log2size, address, value) \
    do { \
        const uint32_t address_ = (address), offset_ = address_ - m->hot_start; \
        const type value_ = (type)(value); \
        uint8_t *to_; \
        hash = ecs_hash_step(hash, address_); \
        if (ECS_LIKELY(ROTATED(offset_, log2size) < m->store_limit[log2size])) { \
            to_ = m->hot_bytes + offset_; \
            if (PROFILE) { \
                m->hot->stores++; \
            } \
        } else { \
            DATA_NOW(); \
            to_ = ecs_write_at(m, address_, 1u << (log2size)); \
            if (ECS_UNLIKELY(to_ == NULL)) { \
                goto fault; \
            } \
        } \
        memcpy(to_, &value_, sizeof value_); \
    } while (0)

/* As LOAD and STORE, of any alignment: the executor has bool load_slowly(m, e, address, size,
   uint32_t *value) and bool store_slowly(m, e, address, size, value) for what the fast path
   does not serve.
   False: a fault; else m->stall holds what it costs beyond the table. */
#define LOAD_ANY(type, log2size, address, result) \
    do { \
        const uint32_t address_ = (address), offset_ = address_ - m->hot_start; \
        type value_; \
        hash = ecs_hash_step(hash, address_); \
        if (ECS_LIKELY(ROTATED(offset_, log2size) < m->load_limit[log2size])) { \
            memcpy(&value_, m->hot_bytes + offset_, sizeof value_); \
            if (PROFILE) { \
                m->hot->loads++; \
            } \
        } else { \
            uint32_t word_; \
            DATA_NOW(); \
            if (ECS_UNLIKELY(!load_slowly(m, e, address_, 1u << (log2size), &word_))) { \
                goto fault; \
            } \
            value_ = (type)word_; \
            sum += m->stall; \
        } \
        (result) = (uint32_t)value_; \
    } while (0)
#define STORE_ANY(type, log2size, address, value) \
    do { \
        const uint32_t address_ = (address), offset_ = address_ - m->hot_start; \
        const type value_ = (type)(value); \
        hash = ecs_hash_step(hash, address_); \
        if (ECS_LIKELY(ROTATED(offset_, log2size) < m->store_limit[log2size])) { \
            memcpy(m->hot_bytes + offset_, &value_, sizeof value_); \
            if (PROFILE) { \
                m->hot->stores++; \
            } \
        } else { \
            DATA_NOW(); \
            if (ECS_UNLIKELY(!store_slowly(m, e, address_, 1u << (log2size), value_))) { \
                goto fault; \
            } \
            sum += m->stall; \
        } \
    } while (0)

/* `count` words from `address` into the registers of a set, lowest first, and, with `last`,
   the last one into target. Registers change only when no word faults. */
#define LOAD_SET(address, set, count, last) \
    do { \
        const uint32_t base_ = (address), offset_ = base_ - m->hot_start; \
        hash = ecs_hash_step(hash, base_); \
        if (ECS_LIKELY(base_ % 4 == 0 && offset_ + (uint64_t)4 * (count) <= m->load_limit[0])) { \
            const uint8_t *from_ = m->hot_bytes + offset_; \
            for (uint32_t set_ = (set); set_ != 0; set_ &= set_ - 1, from_ += 4) { \
                memcpy(&r[__builtin_ctz(set_)], from_, 4); \
            } \
            if (last) { \
                memcpy(&target, from_, 4); \
            } \
            if (PROFILE) { \
                m->hot->loads += (count); \
            } \
        } else { \
            uint32_t word_[16] = {0}, i_ = 0; \
            DATA_NOW(); \
            for (; i_ < (count); i_++) { \
                const uint8_t *from_ = ecs_read_at(m, base_ + 4 * i_, 4); \
                if (from_ == NULL) { \
                    goto fault; \
                } \
                memcpy(&word_[i_], from_, 4); \
                if (FLASH) { \
                    sum += m->stall; \
                } \
            } \
            i_ = 0; \
            for (uint32_t set_ = (set); set_ != 0; set_ &= set_ - 1) { \
                r[__builtin_ctz(set_)] = word_[i_++]; \
            } \
            if (last) { \
                target = word_[i_]; \
            } \
        } \
    } while (0)
#define STORE_SET(address, set, count) \
    do { \
        const uint32_t base_ = (address), offset_ = base_ - m->hot_start; \
        hash = ecs_hash_step(hash, base_); \
        if (ECS_LIKELY(base_ % 4 == 0 && offset_ + (uint64_t)4 * (count) <= m->store_limit[0])) { \
            uint8_t *to_ = m->hot_bytes + offset_; \
            for (uint32_t set_ = (set); set_ != 0; set_ &= set_ - 1, to_ += 4) { \
                memcpy(to_, &r[__builtin_ctz(set_)], 4); \
            } \
            if (PROFILE) { \
                m->hot->stores += (count); \
            } \
        } else { \
            uint32_t to_ = base_; \
            DATA_NOW(); \
            for (uint32_t set_ = (set); set_ != 0; set_ &= set_ - 1, to_ += 4) { \
                uint8_t *bytes_ = ecs_write_at(m, to_, 4); \
                if (bytes_ == NULL) { \
                    goto fault; \
                } \
                memcpy(bytes_, &r[__builtin_ctz(set_)], 4); \
            } \
        } \
    } while (0)

#endif
