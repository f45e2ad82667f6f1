/* The trace hash (meaning: ecsim.h). One step per taken transfer and per data access;
 * a final avalanche. */
#ifndef ECSIM_OBSERVE_H
#define ECSIM_OBSERVE_H

#include <stdint.h>

#define ECS_HASH_START 0x6A09E667F3BCC908u /* fractional part of the square root of 2 */

/* h' = f(h ^ x) with f a bijection: equal prefixes and one differing x give differing hashes,
   for certain. The multiply by an odd constant (2^64 over the golden ratio) carries low bits up,
   the shift carries high bits down. */
static inline uint64_t ecs_hash_step(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 32);
}

static inline uint64_t ecs_hash_transfer(uint64_t h, uint32_t from, uint32_t to)
{
    return ecs_hash_step(h, (uint64_t)from << 32 | to);
}

/* Finaliser of MurmurHash3 (Austin Appleby, public domain): each bit in reaches each bit out. */
static inline uint64_t ecs_hash_end(uint64_t h)
{
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDu;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53u;
    return h ^ (h >> 33);
}

#endif
