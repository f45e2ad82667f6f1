/*
 * ecsim: instruction-set simulator with cycle models. C11, no dependency; knows nothing of curves.
 *
 * A machine is a core, its memory and the timing of its flash. The caller loads an image,
 * sets registers, begins a run at an address and lets it go on in slices; a run ends at a BKPT,
 * at a fault, or when the caller stops asking for more. All counts are exact and depend on nothing
 * but memory contents, registers, cost table and flash timing.
 *
 * What is modelled and what is not stands where it is done: src/armv6m_exec.inc (semantics),
 * src/flash.h (flash), ecfit/data/models/ (cycle tables). Of exceptions
 * only SVC of Arm cores is entered: whatever would raise another one is a fault and ends the run.
 *
 * Not thread-safe per machine; different machines are independent.
 * No function prints, aborts or reads the clock.
 */
#ifndef ECSIM_H
#define ECSIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define ECSIM_ABI 9 /* changes with any layout or meaning below */

typedef struct ecsim ecsim;

typedef enum { ECSIM_FLASH = 0, ECSIM_RAM = 1 } ecsim_kind;

/* start and size in bytes, multiples of 4; regions do not overlap. At most ECSIM_MAX_REGIONS. */
typedef struct {
    uint32_t start, size, kind;
} ecsim_region;
#define ECSIM_MAX_REGIONS 16

/* One row of a cycle table: cycles + per_register * registers in the list. All 0..255.
   Where the time depends on operand values, cycles is the longest and cycles_min the shortest;
   elsewhere they are equal. law: an ecsim_law, which only some rows of RISC-V look at. */
typedef struct {
    uint32_t cycles, per_register, cycles_min, law;
} ecsim_cost;

/* How the time of a multiplication or division follows from its second operand, or its first. */
typedef enum {
    ECSIM_LONGEST = 0,  /* not known: the longest counts, the shortest goes to cycles_min */
    ECSIM_ZERO = 1,     /* the shortest for 0, else the longest */
    ECSIM_LENGTH = 2,   /* the shortest to a length of one bit, one more for each further bit */
    ECSIM_SHIFT = 3,    /* one less than the longest for each bit that the operand needs;
                           a negative operand of a signed division needs a bit for its sign */
    ECSIM_DIVIDEND = 4, /* the longest for a signed division of a negative number, else one less */
    ECSIM_LAWS
} ecsim_law;

/* The timing of flash; src/flash.h says how the parts work together.
   Numbers of lines: 0..ECSIM_MAX_LINES. */
typedef struct {
    uint32_t wait_states;       /* 0..255: extra clocks of a fetch that no buffer answers */
    uint32_t data_wait_states;  /* 0..255: likewise of a data read */
    uint32_t line_bytes;        /* what one read of the array brings: a power of two 4..512;
                                   0: nothing is kept */
    uint32_t instruction_lines; /* lines that keep what fetches bring */
    uint32_t data_lines;        /* lines that keep what data reads bring */
    uint32_t shared;            /* 1: the instruction lines are for both, data_lines is 0 */
    uint32_t ways;              /* lines of a set, of which there are a power of two;
                                   0: all lines are one set */
    uint32_t fifo;              /* which line of a set is given up.
                                   0: the one not used for longest, 1: the oldest */
    uint32_t prefetch_lines;    /* 0..ECSIM_MAX_PREFETCH: lines that are read ahead of the one
                                   that is fetched from */
    uint32_t core_words;        /* 0..ECSIM_MAX_WORDS: words of the core's own fetch buffer;
                                   0: no wait is hidden */
    uint32_t looks_ahead;       /* 1: the core and its flash fetch as those of an STM32F1 */
    uint32_t next_wait_states;  /* then: of a fetch from the line after the last one */
} ecsim_flash;
#define ECSIM_MAX_LINES 4096
#define ECSIM_MAX_PREFETCH 8
#define ECSIM_MAX_WORDS 8

/* Why a run is not going on. LIMIT: only because the instructions asked for have been executed. */
typedef enum { ECSIM_LIMIT = 0, ECSIM_BKPT = 1, ECSIM_FAULT = 2 } ecsim_stop;

/* What a fault was. The address of a control register is its number;
   that of an instruction that is undefined, unpredictable or not modelled, its own. */
typedef enum {
    ECSIM_OK = 0,
    ECSIM_READ_UNMAPPED,    /* data read outside all regions */
    ECSIM_WRITE_UNMAPPED,   /* data write outside all regions */
    ECSIM_WRITE_FLASH,      /* data write to flash */
    ECSIM_READ_UNALIGNED,   /* address not a multiple of the access size, on a core that wants it */
    ECSIM_WRITE_UNALIGNED,  /* likewise */
    ECSIM_READ_PERIPHERAL,  /* access to the peripheral or system addresses: not modelled */
    ECSIM_WRITE_PERIPHERAL, /* likewise */
    ECSIM_EXECUTE,          /* instruction fetch outside all regions */
    ECSIM_STATE,            /* branch to an address without the Thumb bit */
    ECSIM_UNDEFINED,        /* undefined instruction */
    ECSIM_UNPREDICTABLE,    /* an encoding that the architecture leaves open */
    ECSIM_SUPERVISOR,       /* ECALL; SVC that cannot be entered, as without a vector table */
    ECSIM_FETCH_UNALIGNED,  /* run begun at an address that no instruction can have */
    ECSIM_CONTROL_REGISTER, /* access to a control register that is not modelled */
    ECSIM_NOT_MODELLED,     /* an instruction that the core has and the simulator has not;
                               see ecsim_fault_detail */
    ECSIM_PRIVILEGE,        /* data access of unprivileged code to the system addresses, or to what
                               ecsim_privileged names */
    ECSIM_FAULT_KINDS
} ecsim_fault;

typedef struct {
    uint32_t stop;          /* ecsim_stop */
    uint32_t bkpt;          /* ECSIM_BKPT: number of the instruction, see ecsim_run */
    uint32_t fault;         /* ECSIM_FAULT: ecsim_fault */
    uint32_t fault_address; /* address that was accessed or branched to */
    uint32_t fault_pc;      /* address of the instruction */
    uint32_t stack_low;     /* lowest stack pointer since ecsim_begin */
    uint64_t cycles;        /* since ecsim_begin, without the BKPT or fault at the end */
    uint64_t instructions;  /* likewise */
    uint64_t trace_hash;    /* below */
    uint64_t cycles_min;    /* as cycles, with each operand-dependent time at its shortest */
} ecsim_report;

/*
 * Trace hash: a 64-bit digest of the path of the program counter and of the data addresses,
 * in their order. Each taken transfer of control enters as (its address, its target),
 * each load or store as its address, each multiple one as its first address.
 * What these determine is left out: the instructions between two transfers, the widths and counts
 * of accesses, the addresses of PC-relative loads from flash. So two runs from one image have equal
 * hashes when, and but for chance of about 2^-64 only when, program counter and data addresses took
 * the same course. Step and end: src/observe.h.
 */

/* ECSIM_ABI of the library that was loaded. */
uint32_t ecsim_abi(void);

/* Equal ids have equal counts: a digest of the sources, made by the Makefile. */
const char *ecsim_build_id(void);

/* Names of the cost rows of an instruction set, in order;
   null past the last, or for an unknown instruction set. */
const char *ecsim_row_name(const char *isa, uint32_t row);

/* The name of an ecsim_fault; "unknown" past the last. */
const char *ecsim_fault_name(uint32_t fault);

/* A new machine; flash filled with 0xFF, RAM with 0xA5. `costs` in the order of ecsim_row_name.
   Null when something does not fit: *why then says what, as a constant string. */
ecsim *ecsim_new(const char *isa, const ecsim_cost *costs, uint32_t rows,
                 const ecsim_region *regions, uint32_t n, const ecsim_flash *flash,
                 const char **why);

/* Frees a machine, which may be null. */
void ecsim_free(ecsim *m);

/* 1: unaligned data accesses are faults on this machine; 0: as the core does them, if it does
   (at first). Cores that never do them ignore this. */
void ecsim_strict_alignment(ecsim *m, uint32_t strict);

/* Memory from the host's side, flash or RAM; code that has been changed is decoded anew.
   0, or -1 when the bytes are not wholly inside one region. */
int ecsim_load(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size);

/* Likewise; -1 when the bytes are not wholly inside one RAM region. */
int ecsim_write(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size);

/* What is there, flash or RAM. 0, or -1 when the bytes are not wholly inside one region. */
int ecsim_read(const ecsim *m, uint32_t address, uint8_t *bytes, uint32_t size);

/* Arm: registers 0..15 and 16, the program status word with NZCV in bits 31..28.
   RISC-V: x0..x31 and 32, the program counter.
   AVR: r0..r31; 32, the stack pointer as an address; 33, SREG; 34, the program counter in bytes;
   35 and 36, RAMPZ and EIND. The data space stands at 0x800000, as in ELF files of avr-gcc: regions
   hold its RAM, from behind registers and I/O on. The size of the first flash region says
   whether the core has RAMPZ (above 64 KiB) and a program counter of 22 bits (above 128 KiB). */
void ecsim_set_register(ecsim *m, uint32_t index, uint32_t value);

/* Numbered likewise. The program counter reads as the address of the instruction that is next,
   or that stopped the run. */
uint32_t ecsim_register(const ecsim *m, uint32_t index);

/* Sorted entry addresses, Thumb bit clear: profiles then see tail calls. Copied.
   0, or -1 when memory is short. */
int ecsim_functions(ecsim *m, const uint32_t *entries, uint32_t n);

#define ECSIM_PROFILE 1u /* count rows, loads and stores by region, cycles by call stack */
#define ECSIM_TAINT 2u   /* below; without effect for an instruction set that cannot */
#define ECSIM_WARM 4u    /* a branch predictor keeps what it learnt in the run before */

/* Start a run at pc (Thumb bit set on Arm): counts to zero, flash buffers empty. Registers stay.
   Arm: in Thread mode, privileged. Entry of an exception and return from it cost nothing.
   observe: 0, or ECSIM_PROFILE, ECSIM_TAINT and ECSIM_WARM. */
void ecsim_begin(ecsim *m, uint32_t pc, uint32_t observe);

#define ECSIM_NO_NUMBER 255u

/* Go on for at most `instructions`. Returns ecsim_stop; after BKPT or FAULT the same again.
   The number of a BKPT is its immediate. RISC-V's EBREAK has none: its number is n when
   `srai x0, x0, n` stands directly behind it (as in RISC-V semihosting, whose number is 7),
   else ECSIM_NO_NUMBER. Of AVR's BREAK likewise n when `mov rn, rn` stands directly behind it. */
uint32_t ecsim_run(ecsim *m, uint64_t instructions);

/*
 * Host calls. Code asks the host for something by a BKPT with a number that the two agree on:
 * the run stops there, the host reads the arguments from registers and memory, writes its answer
 * there (what it writes is as public or secret as that memory was: ecsim_secret), and resumes.
 * To the simulator it is a BKPT like any other. What passes meanwhile costs no cycles,
 * and observation goes on, so a run with host calls depends on what the host answers
 * and on nothing else: the same answers, the same counts.
 *
 * Goes on behind the BKPT (RISC-V, AVR: and behind the instruction with its number) that stopped
 * the run, with the next ecsim_run. 0, or -1 when no BKPT stopped it.
 */
int ecsim_resume(ecsim *m);

/* More about the fault that ended the run, as the name of the instruction that a core
   does not have; may be empty. A constant string. */
const char *ecsim_fault_detail(const ecsim *m);

/* The state of the run: the reason of its stop, and its counts so far. */
void ecsim_result(const ecsim *m, ecsim_report *report);

/*
 * Taint. With ECSIM_TAINT, which implies ECSIM_PROFILE, a run follows secrets through registers,
 * flags and memory, and collects places where one decides about time. The counts are those of a run
 * without taint. src/taint.h has the rules.
 */
typedef enum {
    ECSIM_SECRET_BRANCH = 0, /* condition of a branch */
    ECSIM_SECRET_TARGET,     /* where a branch by register or from memory goes */
    ECSIM_SECRET_LOAD_ADDRESS,
    ECSIM_SECRET_STORE_ADDRESS,
    ECSIM_SECRET_OPERAND,   /* of an instruction whose time depends on it (ecsim_variable_time) */
    ECSIM_SECRET_CONDITION, /* of an instruction that is executed or not */
    ECSIM_SECRET_CODE,      /* the executed instruction was itself computed from a secret */
    ECSIM_TABLE_FULL,       /* no more room: how many findings, or declarations, are not listed */
    ECSIM_DECLARED_PUBLIC,  /* no decision: a point of ecsim_public_at, at which something secret
                               became public */
    ECSIM_FINDING_KINDS
} ecsim_finding_kind;

typedef struct {
    uint32_t pc;
    uint32_t kind;   /* ecsim_finding_kind */
    uint32_t labels; /* of the secrets that came here */
    uint32_t node;   /* of the call tree, when it came here first */
    uint32_t what;   /* ECSIM_DECLARED_PUBLIC: as it was given to ecsim_public_at */
    uint32_t bytes;  /* and how many became public */
    uint64_t count;  /* how often */
} ecsim_finding;

/* Bytes of RAM are a secret of these labels, a set in bits 0..7; 0: they are public.
   Stays, as memory does. 0, or -1 when there is no such label, the bytes are not wholly inside
   one RAM region, or memory is short. */
int ecsim_secret(ecsim *m, uint32_t address, uint32_t size, uint32_t labels);

/* What is known after a run: the labels of each of these bytes.
   0, or -1 when they are not wholly inside one region. */
int ecsim_labels(const ecsim *m, uint32_t address, uint8_t *labels, uint32_t size);

/* Likewise of a register, numbered as in ecsim_register: those of all its bytes
   (Arm, 16, and AVR, 33: of the flags). */
uint32_t ecsim_register_labels(const ecsim *m, uint32_t index);

#define ECSIM_PUBLIC_MEMORY 64u
#define ECSIM_PUBLIC_BLOCK 255u

/* Before the instruction at pc something becomes public, for who comes there the first way that is
   taken (from the instruction before or its call, or by another jump): the low `bytes` (1..4) of a
   register, numbered as in ecsim_register (0..31); or ECSIM_PUBLIC_MEMORY and the number of a
   register, so many bytes of memory at the address in it (not on AVR, whose addresses take two); or
   ECSIM_PUBLIC_BLOCK, the block of memory that the first two argument registers name by address
   and size (`bytes` is then of no account, and so is the way). 0, or -1 when pc is outside all
   regions, `what` or `bytes` is none of these, or memory is short. */
int ecsim_public_at(ecsim *m, uint32_t pc, uint32_t what, uint32_t bytes);

#define ECSIM_SHIFT_AMOUNT 255u

/* On this core the time of a row's instructions depends on their operands; or, ECSIM_SHIFT_AMOUNT,
   that of shifts by register, which have no row of their own, on how far they shift.
   0, or -1 when there is no such row, or memory is short. */
int ecsim_variable_time(ecsim *m, uint32_t row);

/* Findings of the run, one per place and kind, in the order in which they came, 3072 at most; then
   what was declared public, one for each place, size and path of calls, 3072 at most.
   Where either had no room, ECSIM_TABLE_FULL stands behind it, with the place of the first
   that is not listed. */
uint32_t ecsim_findings(const ecsim *m);

/* One of them, by its index; zeros behind the last. */
void ecsim_finding_at(const ecsim *m, uint32_t index, ecsim_finding *finding);

/* With ECSIM_PROFILE: executed instructions of a cost row; 0 if the row does not exist. */
uint64_t ecsim_row_count(const ecsim *m, uint32_t row);

/* With ECSIM_PROFILE: data reads of a region, by its index; a multiple one counts each word.
   0 for what is none. */
uint64_t ecsim_loads(const ecsim *m, uint32_t region);

/* Likewise data writes. */
uint64_t ecsim_stores(const ecsim *m, uint32_t region);

typedef struct {
    uint32_t function; /* entry address */
    uint32_t parent;   /* node; of node 0: 0 */
    uint64_t cycles;   /* spent in this function itself, called by this path */
} ecsim_node;

/* With ECSIM_PROFILE: the nodes of the call tree. Node 0 is the function that was begun;
   a parent precedes its children. */
uint32_t ecsim_profile_size(const ecsim *m);

/* One of them, by its index; zeros behind the last. */
void ecsim_profile_node(const ecsim *m, uint32_t index, ecsim_node *node);

/*
 * States. What a run can change (registers, flags, control registers, RAM) is kept and put back,
 * as often as wanted: a run up to one point serves for many from there on.
 * Counts, trace hash and flash buffers are not kept: they begin anew, as after ecsim_begin,
 * and nothing is observed. Code in flash must be the same. A state belongs to its machine.
 */
typedef struct ecsim_state ecsim_state;
ecsim_state *ecsim_save(const ecsim *m); /* null: memory is short */
void ecsim_restore(ecsim *m, const ecsim_state *state);
void ecsim_state_free(ecsim_state *state);

/* The next instruction is this one (Thumb bit ignored), all else stays:
   a run takes another course, or goes on behind its end.
   An IT that is left out in this way leaves its block without a condition,
   where that is not decoded yet (ecsim_load). */
void ecsim_put_pc(ecsim *m, uint32_t pc);

/* As ecsim_run, for at least one instruction, but ends also where the next one is in one
   of the ranges. Nothing is observed, flash costs nothing. Slower than ecsim_run. */
typedef struct {
    uint32_t start, size;
} ecsim_range;
uint32_t ecsim_run_to(ecsim *m, const ecsim_range *ranges, uint32_t n, uint64_t instructions);

/* From now on an instruction fetch from the region at `address` is a fault (ECSIM_EXECUTE, with
   the address that was fetched from); its data can be read. 0, or -1 when no region is there. */
int ecsim_guard(ecsim *m, uint32_t address);

/* From now on a data access of unprivileged code to the region at `address` is a fault
   (ECSIM_PRIVILEGE), as with a protection unit. 0, or -1 when no region is there. */
int ecsim_privileged(ecsim *m, uint32_t address);

/* From now on a data access to the RAM region at `address` that finds the bus of its bank idle
   takes `latency` clocks more, 0..ECSIM_MAX_LATENCY. The bus is busy to the end of the access
   before, so that loads back to back, and the words of one instruction, wait once. A store's clocks
   pass in the write buffer, unless a load is the next instruction: it waits for them, and finds the
   bus busy. 0, or -1 when no RAM is there. */
#define ECSIM_MAX_LATENCY 15
int ecsim_bank(ecsim *m, uint32_t address, uint32_t latency);

/* As ecsim_load, of code that nobody reads as data: only what stands there, and in the reach of
   an IT behind it, is decoded anew. 0, or -1. */
int ecsim_patch(ecsim *m, uint32_t address, const uint8_t *bytes, uint32_t size);

/* Executes `instructions` and counts how often each halfword from `start` on was next: count[i].
   when[i]: before the wanted[i]-th time so many had been executed; where wanted[i] is 0,
   before the last. Returns how many were executed. As slow as ecsim_run_to. */
uint64_t ecsim_visits(ecsim *m, uint32_t start, uint32_t halfwords, const uint32_t *wanted,
                      uint32_t *count, uint64_t *when, uint64_t instructions);

/* 64 bits of a digest of what the rest of a run depends on where a function begins: the program
   counter, the registers of the set `registers` (bit i: register i of the instruction set), RAM
   but for what lies closely below the stack pointer. No flags. */
uint64_t ecsim_digest(const ecsim *m, uint32_t registers);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
