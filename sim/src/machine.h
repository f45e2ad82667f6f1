/* Inside of a machine: shared by the run loop, the memory, the decoders and the executors.
 * Not part of the ABI. */
#ifndef ECSIM_MACHINE_H
#define ECSIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../ecsim.h"
#include "flash.h"

#define ECS_LIKELY(x) __builtin_expect(!!(x), 1)
#define ECS_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The most instructions in one call of an executor. Cycles and instructions of a call share
   one 64-bit sum, 32 bits each: an instruction costs below 2^16 cycles (32 registers at 255,
   36 flash accesses that wait below 2^10), so 2^16 of them fit. */
#define ECS_SLICE (1u << 16)

/* One decoded halfword; all zero means not decoded yet. What a, b, c and imm mean is up
 * to the instruction set. */
typedef struct {
    uint64_t step; /* 1 << 32 | cycles: what the instruction adds to the sum of the call */
    uint8_t op, a, b, c;
    uint32_t imm;
} ecs_entry;
_Static_assert(sizeof(ecs_entry) == 16, "four entries to a cache line");

#define ECS_STEP(cycles) ((uint64_t)1 << 32 | (uint64_t)(cycles))

typedef struct {
    uint32_t start, size;
    ecsim_kind kind;
    uint8_t *bytes;
    ecs_entry *code;  /* one entry per halfword, and two behind the end that stay undecoded */
    bool decoded;     /* some entry of code is in use: writes must look */
    bool guarded;     /* an instruction fetch is a fault (ecsim_guard) */
    bool privileged;  /* a data access without privilege is a fault (ecsim_privileged) */
    uint32_t latency; /* clocks that an access waits which finds the bus idle (ecsim_bank) */
    uint64_t idle_at; /* clock from which on it is idle */
    uint32_t owed;    /* clocks that a load waits for the stores before it */
    uint64_t loads, stores;
    uint8_t *shadow; /* taint of each byte (taint.h); null for flash, and before taint is used */
    uint8_t *points; /* per halfword, nonzero: something becomes public there; null when nowhere */
} ecs_region;

/* An instruction set: its decoder, its cost rows and its executors. */
typedef struct {
    const char *name;
    const char *const *rows;
    uint32_t row_count;
    /* Decode the instruction at pc, which is inside the region, into its entry;
     * always leaves an op other than 0. */
    void (*decode)(ecsim *m, const ecs_region *region, uint32_t pc, ecs_entry *entry);
    /* Execute at most `budget` <= ECS_SLICE instructions from m->pc. Variants:
     * [flash has a cost][profiling]. */
    void (*run[2][2])(ecsim *m, uint32_t budget);
    void (*run_taint)(ecsim *m, uint32_t budget); /* as run[1][1], with taint */
    bool (*is_peripheral)(
        uint32_t address); /* outside all regions: is it a device range of the architecture? */
    bool (*is_long)(
        const uint8_t *code); /* is the instruction that begins there longer than a halfword? */
    uint32_t thumb_bit;       /* bit 0 of a code address: must be set (1) or clear (0) */
    uint32_t marker;          /* bytes of the instruction behind a breakpoint that numbers it */
    uint32_t sp;              /* index of the stack pointer in m->r */
    uint32_t status;          /* the host's number of the flags; 0: there are none */
    uint32_t unprivileged;    /* Arm: CONTROL.nPRIV, where the core has it; else 0 */
    /* At the entry of a function: the memory that its first two arguments are, as address
     * and size. */
    void (*block)(const ecsim *m, uint32_t *address, uint32_t *size);
    /* Registers as the host numbers them (ecsim_register, ecsim_set_register), for any index. */
    uint32_t (*get_register)(const ecsim *m, uint32_t index);
    void (*set_register)(ecsim *m, uint32_t index, uint32_t value);
    /* Where it keeps more of a machine, in ecsim.own: how many bytes, and how a run begins; warm:
     * what learns stays as the run before left it. */
    size_t (*own_size)(void);
    void (*begin)(ecsim *m, bool warm);
    uint32_t
        features; /* extensions that not every core has; bits of the instruction set's header */
} ecs_isa;

/* The executor of an instruction set, which the Makefile compiles once per variant (exec.h);
 * and its place in ecs_isa. */
#define ECS_EXECUTORS(isa) \
    void isa##_run_plain(ecsim *m, uint32_t budget); \
    void isa##_run_flash(ecsim *m, uint32_t budget); \
    void isa##_run_profile(ecsim *m, uint32_t budget); \
    void isa##_run_flash_profile(ecsim *m, uint32_t budget); \
    void isa##_run_taint(ecsim *m, uint32_t budget)
#define ECS_RUN(isa) \
    .run = {{isa##_run_plain, isa##_run_profile}, {isa##_run_flash, isa##_run_flash_profile}}, \
    .run_taint = isa##_run_taint

#define ECS_MAX_ROWS 80
#define ECS_CSRS 8
#define ECS_REGISTERS 33 /* RISC-V: x0..x31 and one that takes the writes to x0 */

/* What a core with a branch predictor has fetched: halfwords that are held, those of the words
 * that wait in a queue, and of the word that comes next (0: none); the address of the next word to
 * ask for, of whose halfwords the first may be left out; where the remembered branch ends, and its
 * target. */
typedef struct {
    uint8_t held, queued, queue[2], coming;
    bool from_odd;
    uint32_t at, from, to;
} ecs_front;

typedef struct ecs_profile ecs_profile;

struct ecsim {
    uint32_t r[ECS_REGISTERS];
    uint32_t pc;      /* address of the next instruction, valid between calls of an executor */
    uint32_t n, z;    /* lazy flags: N is bit 31 of n, Z is (z == 0) */
    uint32_t c, v;    /* C is c (0 or 1), V is bit 31 of v */
    uint32_t h, less; /* AVR: H is bit 4 of h, S bit 7 of less; N and V are bit 7 of n and v */
    uint32_t ti;      /* AVR: I and T, bits 7 and 6 */
    uint32_t primask, control, other_sp;
    uint32_t exception; /* number of the one that is handled; 0: Thread mode */
    bool unprivileged;  /* from CONTROL and the mode: see arm.h */

    /* ARMv7-M only */
    bool q;         /* saturation has occurred */
    bool exclusive; /* an LDREX came last, no STREX */
    uint32_t ge;    /* flags of the DSP extension, 4 bits */
    uint32_t it_at; /* address of the last IT, or ECS_NOWHERE */
    uint32_t basepri, faultmask, fpscr;
    uint32_t s[32]; /* floating-point registers */

    /* The RAM region that was used last, for the fast path of data accesses: an access
       at `start + offset` of 1 << k bytes is inside and aligned when rotate_right(offset, k) <
       limit[k]. Store limits are 0 while it holds code. */
    uint32_t hot_start;
    uint32_t load_limit[3], store_limit[3];
    uint8_t *hot_bytes;
    ecs_region *hot;

    uint32_t stall; /* clocks that the last slow data read waited for flash or a bank of RAM */
    bool banks;     /* some region has a latency */
    uint64_t begun; /* clock at which a slow data access puts its address on the bus */
    uint64_t ends;  /* clock at which its instruction ends */
    ecs_flash flash;
    ecs_profile *profile; /* null unless this run is profiled */
    /* What is secret where, null before it is used; whether this run follows it. */
    struct ecs_taint *taint;
    bool tainting;

    uint64_t cycles, instructions, hash;
    uint64_t
        slack; /* cycles that operand-dependent instructions would have saved at their shortest */
    bool strict_alignment;  /* unaligned data accesses are faults */
    uint32_t csr[ECS_CSRS]; /* RISC-V control registers that keep what is written to them (rv32.h);
                            AVR: RAMPZ and EIND (avr.h) */
    /* RISC-V with a branch predictor (rv32_exec.c): the branch that it remembers, or ECS_NOWHERE;
       where the block that executes begins; whether the predictor led there. */
    uint32_t foreseen, block;
    bool was_led;
    ecs_front front;
    uint32_t stack_low;
    uint32_t stop, bkpt, fault, fault_address, fault_pc;
    const char *fault_detail; /* constant string; empty when there is no more to say */

    const ecs_isa *isa;
    void *own; /* of isa->own_size() bytes, or null */
    ecsim_cost cost[ECS_MAX_ROWS];
    uint64_t row_count[ECS_MAX_ROWS];
    uint32_t region_count;
    ecs_region region[ECSIM_MAX_REGIONS];
    uint32_t *functions; /* sorted entry addresses */
    uint32_t function_count;
};

#define ECS_NOWHERE UINT32_MAX /* no region reaches to it */

extern const ecs_isa ecs_avr, ecs_armv6m, ecs_rv32[4],
    ecs_armv7m[4]; /* ARMv7-M: with no extension, DSP, DSP and FP; these, two a cycle */

/* The region that holds the address, or null. */
ecs_region *ecs_region_at(ecsim *m, uint32_t address);

/* Data access by the core, when the fast path does not serve it: where the bytes are, or null
   with m->fault and m->fault_address set. size is 1, 2 or 4, address a multiple of it or a fault.
   A read leaves m->stall. */
const uint8_t *ecs_read_at(ecsim *m, uint32_t address, uint32_t size);
uint8_t *ecs_write_at(ecsim *m, uint32_t address, uint32_t size);

/* The region's bytes [offset, offset + size) have changed: what was decoded from them is void. */
void ecs_forget(ecsim *m, ecs_region *region, uint32_t offset, uint32_t size);

/* The next data access takes the path that looks. */
void ecs_cool(ecsim *m);

/* To be called once something of a RAM region has been decoded:
 * its stores take the path that looks. */
void ecs_holds_code(ecsim *m, ecs_region *region);

/* Profile by call stack (profile.c). `now` is the cycle count including the instruction
 * that transfers control. */
ecs_profile *ecs_profile_new(uint32_t function);
void ecs_profile_free(ecs_profile *p);
void ecs_profile_call(ecsim *m, uint64_t now, uint32_t function, uint32_t return_address);
void ecs_profile_jump(ecsim *m, uint64_t now,
                      uint32_t target); /* by register or from the stack: return or jump */
void ecs_profile_branch(ecsim *m, uint64_t now, uint32_t target); /* direct */
void ecs_profile_mark(ecs_profile *p,
                      uint64_t now);       /* cycles up to now belong to the current function */
uint32_t ecs_profile_here(const ecsim *m); /* node of the current function */

#endif
