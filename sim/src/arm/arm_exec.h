/* Shared by the executors of ARMv6-M and ARMv7-M. */
#ifndef ECSIM_ARM_EXEC_H
#define ECSIM_ARM_EXEC_H

/* Flags are lazy: N is bit 31 of n, Z is (z == 0), C is c (0 or 1), V is bit 31 of v. */
#define LOAD_FLAGS() uint32_t n = m->n, z = m->z, c = m->c, v = m->v
#define RELOAD_FLAGS() (n = m->n, z = m->z, c = m->c, v = m->v)
#define SAVE_FLAGS() (m->n = n, m->z = z, m->c = c, m->v = v)
#define SET_NZ(value) (n = z = (value))
/* Flags of x + y and x - y, with the result already known; of a sum with carry,
 * from its 33 bits. */
#define FLAGS_ADD(x, y, result) \
    (SET_NZ(result), c = (result) < (x), v = ((x) ^ (result)) & ((y) ^ (result)))
#define FLAGS_SUB(x, y, result) (SET_NZ(result), c = (x) >= (y), v = ((x) ^ (y)) & ((x) ^ (result)))
#define FLAGS_CARRY(x, y, wide) \
    (SET_NZ((uint32_t)(wide)), c = (uint32_t)((wide) >> 32), \
     v = ((x) ^ (uint32_t)(wide)) & ((y) ^ (uint32_t)(wide)))

/* The conditional branches: BRANCH(name, condition) for each. */
#define CONDITIONAL_BRANCHES(BRANCH) \
    BRANCH(beq, z == 0) \
    BRANCH(bne, z != 0) \
    BRANCH(bcs, c != 0) \
    BRANCH(bcc, c == 0) \
    BRANCH(bmi, (int32_t)n < 0) \
    BRANCH(bpl, (int32_t)n >= 0) \
    BRANCH(bvs, (int32_t)v < 0) \
    BRANCH(bvc, (int32_t)v >= 0) \
    BRANCH(bhi, c != 0 && z != 0) \
    BRANCH(bls, c == 0 || z == 0) \
    BRANCH(bge, (int32_t)(n ^ v) >= 0) \
    BRANCH(blt, (int32_t)(n ^ v) < 0) \
    BRANCH(bgt, z != 0 && (int32_t)(n ^ v) >= 0) \
    BRANCH(ble, z == 0 || (int32_t)(n ^ v) < 0)

/* An address from a register or from memory to go to must carry the Thumb bit. */
#define NEED_THUMB(address) \
    do { \
        if (ECS_UNLIKELY(((address)&1) == 0)) { \
            FAULT(ECSIM_STATE, address); \
        } \
    } while (0)

/* SVC. Taint does not follow registers into the frame: with it, SVC ends the run. */
#define SUPERVISOR_CALL() \
    do { \
        if (TAINT) { \
            FAULT(ECSIM_SUPERVISOR, PC()); \
        } \
        SAVE_FLAGS(); \
        const uint32_t stack = r[SP]; \
        if (!arm_enter(m, PC())) { \
            goto fault; \
        } \
        hash = ecs_hash_step(hash, stack); \
        JUMP(m->pc); \
    } while (0)

/* In Handler mode a transfer to where no memory is may be the return from it. `e` is what led
 * there, or null at the start of a run. */
#define LEAVE_HANDLER() \
    do { \
        if (region == NULL && e != NULL && m->exception != 0) { \
            SAVE_FLAGS(); \
            if (!arm_leave(m, target)) { \
                goto fault; \
            } \
            RELOAD_FLAGS(); \
            target = m->pc; \
            goto other_region; \
        } \
    } while (0)

#endif
